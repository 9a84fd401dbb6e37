import { useState } from 'preact/hooks'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { dollars, shortCount } from '../model/words.js'
import { rowOf } from '../state/lists.js'
import { Facts, NumberTable } from './facts.js'
import { mean } from './thread-statistics.js'
import { useAnswer } from './use-answer.js'

/** A day of all threads, as the log has it. */
export function DayStatistics() {
  const [day, setDay] = useState<string | undefined>()
  const { value, problem } = useAnswer(() => calls.dayStats(day), [day])
  return (
    <>
      <label class="inline-field">
        Day
        <input
          type="date"
          class="field"
          value={day ?? value?.day ?? ''}
          onChange={({ currentTarget }) => setDay(currentTarget.value === '' ? undefined : currentTarget.value)}
        />
      </label>
      {value === undefined ? (
        <p class="quiet">{problem === undefined ? 'Loading…' : plain(problem)}</p>
      ) : (
        <Day stats={value} />
      )}
    </>
  )
}

type Stats = NonNullable<ReturnType<typeof useAnswer<DayValue>>['value']>
type DayValue = Extract<Awaited<ReturnType<typeof calls.dayStats>>, { ok: true }>['value']

function Day({ stats: { totals, models, threads, tools, denials, refusals } }: { readonly stats: Stats }) {
  return (
    <>
      <Facts
        facts={[
          ['Spent', dollars(totals.cost)],
          ['Runs', String(totals.runs)],
          ['Messages', String(totals.messages)],
          ['Tool calls', String(totals.toolCalls)],
          ['Refused by policy', String(totals.denials)],
          ['Refused by providers', String(totals.refusals)],
          ['First word', mean(totals.firstDelta)],
          ['A prompt takes', mean(totals.prompts)],
        ]}
      />
      <NumberTable
        caption="Models"
        columns={['Model', 'Messages', 'Read', 'Written', 'Cost']}
        rows={models.map((row) => [
          plain(row.model),
          row.messages,
          shortCount(row.input + row.cacheRead + row.cacheWrite),
          shortCount(row.output),
          dollars(row.cost),
        ])}
      />
      <NumberTable
        caption="Threads"
        columns={['Thread', 'Runs', 'Messages', 'Cost']}
        rows={threads.map((row) => [
          plain((rowOf(row.threadId)?.title ?? row.threadId).slice(0, 80)),
          row.runs,
          row.messages,
          dollars(row.cost),
        ])}
      />
      <NumberTable
        caption="Tools"
        columns={['Tool', 'Calls', 'Failed', 'On average']}
        rows={tools.map((row) => [plain(row.toolName), row.calls, row.errors, mean(row.durations)])}
      />
      <NumberTable
        caption="Refusals"
        columns={['By', 'Count']}
        rows={[
          ...denials.map(({ rule, count }) => [`rule ${plain(rule)}`, count]),
          ...refusals.map(({ provider, status, count }) => [`${plain(provider)} ${status ?? ''}`, count]),
        ]}
      />
    </>
  )
}
