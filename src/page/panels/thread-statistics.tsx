import { useComputed } from '@preact/signals'
import type { EnsoDurationSummary, EnsoToolCallStats } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { dollars, duration, firstLine, shortCount } from '../model/words.js'
import { openThread } from '../state/open-thread.js'
import { Facts, NumberTable } from './facts.js'
import { useAnswer } from './use-answer.js'

/** A thread in numbers. */
export function ThreadStatistics({ threadId }: { readonly threadId: string }) {
  const version = useComputed(() => {
    const state = openThread.value?.state
    return `${state?.busy.value} ${state?.usage.value.output}`
  }).value
  const { value, problem } = useAnswer(() => calls.stats(threadId), [threadId, version])
  if (value === undefined) return <p class="quiet">{problem === undefined ? 'Loading…' : plain(problem)}</p>
  const { usage, branchCost, promptStats, turnStats, callStats, latency } = value
  return (
    <>
      <Facts
        facts={[
          ['Spent', dollars(usage.cost)],
          ['On this branch', dollars(branchCost)],
          ['Read', shortCount(usage.input + usage.cacheWrite)],
          ['From the cache', shortCount(usage.cacheRead)],
          ['Written', shortCount(usage.output)],
          ['Requests', String(turnStats.length)],
          ['Tool calls', String(callStats.length)],
          ['First word', mean(latency.firstDelta)],
          ['A prompt takes', mean(latency.prompts)],
        ]}
      />
      <NumberTable
        caption="Prompts"
        columns={['Prompt', 'Requests', 'Tools', 'Time', 'Cost']}
        rows={promptStats.map((prompt) => [
          `${prompt.prompt}. ${firstLine(plain(prompt.text.slice(0, 300)), 60)}`,
          prompt.turnCount,
          prompt.failedToolCalls === 0 ? prompt.toolCalls : `${prompt.toolCalls} (${prompt.failedToolCalls} failed)`,
          prompt.durationMs === undefined ? '–' : duration(prompt.durationMs),
          dollars(prompt.cost),
        ])}
      />
      <NumberTable
        caption="Tools"
        columns={['Tool', 'Calls', 'Failed', 'Characters', 'Time']}
        rows={toolRows(callStats)}
      />
      <NumberTable
        caption="Requests"
        columns={['Request', 'Read', 'Cached', 'Written', 'Cost']}
        rows={turnStats.map((turn) => [
          `${turn.turn}. ${plain(turn.model)}`,
          shortCount(turn.input + turn.cacheWrite),
          shortCount(turn.cacheRead),
          shortCount(turn.output),
          dollars(turn.cost),
        ])}
      />
    </>
  )
}

/** An average, or a dash where there is none. */
export function mean({ count, meanMs }: EnsoDurationSummary): string {
  return count === 0 ? '–' : duration(meanMs)
}

function toolRows(callsOf: readonly EnsoToolCallStats[]): (string | number)[][] {
  const names = [...new Set(callsOf.map(({ toolName }) => toolName))]
  return names.map((name) => {
    const some = callsOf.filter(({ toolName }) => toolName === name)
    const times = some.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]))
    return [
      plain(name),
      some.length,
      some.filter(({ isError }) => isError).length,
      shortCount(some.reduce((sum, { outputChars }) => sum + outputChars, 0)),
      times.length === 0 ? '–' : duration(times.reduce((sum, one) => sum + one, 0)),
    ]
  })
}
