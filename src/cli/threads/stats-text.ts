import type { EnsoThreadStats, EnsoToolCallStats } from '../../core/index.js'
import { count } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { plural } from '../../core/plural.js'
import { dollars, durationsText, maybeDuration, spentText } from '../render/amounts.js'
import { tableLines, type TableColumn } from '../render/table.js'
import { wrapWords } from '../render/wrap.js'

const ROWS_MAX = 40
const RANKED_MAX = 10

/** How a page of accounts is set. */
export interface TextStyle {
  readonly width: number
  readonly palette: Palette
}

/** A thread's statistics for a person. */
export function threadStatsText(stats: EnsoThreadStats, style: TextStyle): string {
  const { palette } = style
  const section = (title: string, columns: readonly TableColumn[], rows: readonly (readonly (string | number)[])[]) => {
    const lines = tableLines(columns, rows, { ...style, maxRows: ROWS_MAX })
    return lines.length === 0 ? [] : ['', palette.bold(title), ...lines]
  }
  return `${[
    ...headLines(stats, style),
    ...section('Prompts', PROMPT_COLUMNS, stats.promptStats.map(promptRow)),
    ...section('Requests', REQUEST_COLUMNS, stats.turnStats.map(requestRow)),
    ...section('Tools', TOOL_COLUMNS, toolRows(stats.callStats)),
    ...section('Largest results', CALL_COLUMNS, largest(stats.callStats).map(callRow)),
  ].join('\n')}\n`
}

function headLines({ threadId, usage, branchCost, ...stats }: EnsoThreadStats, style: TextStyle): string[] {
  const { promptStats, turnStats, callStats, latency, logDays } = stats
  const failed = callStats.filter(({ isError }) => isError).length
  const pending = callStats.filter((call) => call.pending).length
  const unsettled = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(pending > 0 ? [`${pending} without a result`] : []),
  ]
  const calls = `${plural(callStats.length, 'tool call')}${unsettled.length > 0 ? ` (${unsettled.join(', ')})` : ''}`
  const prompts = promptStats.filter(({ prompt }) => prompt > 0).length
  const elsewhere = Math.abs(usage.cost - branchCost) > 1e-9 ? `; ${dollars(branchCost)} on this branch` : ''
  const facts = [
    `${plural(prompts, 'prompt')}, ${plural(turnStats.length, 'request')}, ${calls}`,
    `${spentText(usage)}${elsewhere}`,
    `first text ${durationsText(latency.firstDelta)}; prompts ${durationsText(latency.prompts)}`,
    logDays.length === 0 ? 'nothing logged' : `logged on ${logDays.join(', ')}`,
  ]
  return [style.palette.bold(threadId), ...facts.flatMap((fact) => wrapWords(fact, style.width, '  '))]
}

const PROMPT_COLUMNS: readonly TableColumn[] = [
  { title: '#', right: true },
  { title: 'prompt', flexible: true },
  { title: 'requests', right: true },
  { title: 'calls', right: true },
  { title: 'failed', right: true },
  { title: 'took', right: true },
  { title: 'cost', right: true },
]

function promptRow(row: EnsoThreadStats['promptStats'][number]): readonly (string | number)[] {
  const { prompt, text, turnCount, toolCalls, failedToolCalls, durationMs, cost } = row
  const words = prompt === 0 ? '(before the first prompt)' : text
  return [prompt, words, turnCount, toolCalls, failedToolCalls, maybeDuration(durationMs), dollars(cost)]
}

const REQUEST_COLUMNS: readonly TableColumn[] = [
  { title: '#', right: true },
  { title: 'prompt', right: true },
  { title: 'model', flexible: true },
  { title: 'ended' },
  { title: 'calls', right: true },
  { title: 'in', right: true },
  { title: 'cached', right: true },
  { title: 'out', right: true },
  { title: 'cost', right: true },
]

function requestRow(row: EnsoThreadStats['turnStats'][number]): readonly (string | number)[] {
  const { turn, prompt, model, stopReason, toolCalls, input, cacheRead, cacheWrite, output, cost } = row
  const sent = count(input + cacheWrite)
  return [turn, prompt, model, stopReason, toolCalls, sent, count(cacheRead), count(output), dollars(cost)]
}

const TOOL_COLUMNS: readonly TableColumn[] = [
  { title: 'tool', flexible: true },
  { title: 'calls', right: true },
  { title: 'failed', right: true },
  { title: 'characters in', right: true },
  { title: 'out', right: true },
  { title: 'mean', right: true },
  { title: 'longest', right: true },
]

function toolRows(calls: readonly EnsoToolCallStats[]): (readonly (string | number)[])[] {
  const byTool = new Map<string, EnsoToolCallStats[]>()
  for (const call of calls) byTool.set(call.toolName, [...(byTool.get(call.toolName) ?? []), call])
  return [...byTool]
    .sort(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .map(([tool, own]) => {
      const times = own.flatMap(({ durationMs }) => (durationMs === undefined ? [] : [durationMs]))
      const mean = times.length === 0 ? undefined : times.reduce((sum, ms) => sum + ms, 0) / times.length
      const longest = times.length === 0 ? undefined : Math.max(...times)
      const failed = own.filter(({ isError }) => isError).length
      const chars = (pick: (call: EnsoToolCallStats) => number): string =>
        count(own.reduce((sum, call) => sum + pick(call), 0))
      return [
        tool,
        own.length,
        failed,
        chars(({ inputChars }) => inputChars),
        chars(({ outputChars }) => outputChars),
        maybeDuration(mean),
        maybeDuration(longest),
      ]
    })
}

const CALL_COLUMNS: readonly TableColumn[] = [
  { title: 'request', right: true },
  { title: 'tool', flexible: true },
  { title: 'characters in', right: true },
  { title: 'out', right: true },
  { title: 'took', right: true },
  { title: '' },
]

function callRow(call: EnsoToolCallStats): readonly (string | number)[] {
  const state = call.pending ? 'no result' : call.isError ? 'failed' : ''
  const { turn, toolName, inputChars, outputChars, durationMs } = call
  return [turn, toolName, count(inputChars), count(outputChars), maybeDuration(durationMs), state]
}

function largest(calls: readonly EnsoToolCallStats[]): EnsoToolCallStats[] {
  return calls.toSorted((a, b) => b.outputChars - a.outputChars || a.turn - b.turn).slice(0, RANKED_MAX)
}
