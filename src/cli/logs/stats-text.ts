import type { EnsoDayStats, EnsoDurationSummary } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { count, duration } from '../print/layout.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'

/** More rows than this of one table are summed up: the rest is in `--json`. */
const MAX_ROWS = 20

type Cell = string | number

/** A day's statistics for a person. */
export function statsText(stats: EnsoDayStats, palette: Palette): string {
  const { totals } = stats
  const head = [
    palette.bold(stats.day),
    `  ${plural(stats.records, 'record')}${stats.malformed > 0 ? `, ${plural(stats.malformed, 'line')} no record` : ''}`,
    `  ${plural(totals.runs, 'run')}, ${plural(totals.messages, 'message')}, ${spentText(totals)}`,
    `  ${plural(totals.toolCalls, 'tool call')}, ${totals.denials} denied; ${plural(totals.refusals, 'refusal')} of providers`,
    `  first text ${durationsText(totals.firstDelta)}; prompts ${durationsText(totals.prompts)}`,
  ]
  const table = (title: string, headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] =>
    rows.length === 0 ? [] : ['', palette.bold(title), ...tableLines(headings, rows, palette)]
  return `${[
    ...head,
    ...table(
      'Models',
      ['model', 'messages', 'in', 'out', 'cost'],
      stats.models.map((row) => [row.model, row.messages, count(row.input), count(row.output), dollars(row.cost)]),
    ),
    ...table(
      'Threads',
      ['thread', 'runs', 'messages', 'in', 'out', 'cost'],
      stats.threads.map((row) => [
        row.threadId,
        row.runs,
        row.messages,
        count(row.input),
        count(row.output),
        dollars(row.cost),
      ]),
    ),
    ...table(
      'Runs',
      ['thread', 'run', 'began', 'first text', 'took', 'cost'],
      stats.runs.map((row) => [
        row.threadId,
        row.generation,
        clock(row.acquiredAt),
        ms(row.firstDeltaMs),
        ms(row.runMs),
        dollars(row.cost),
      ]),
    ),
    ...table(
      'Tools',
      ['tool', 'calls', 'results', 'errors', 'mean', 'longest'],
      stats.tools.map((row) => [
        row.toolName,
        row.calls,
        row.results,
        row.errors,
        row.durations.count === 0 ? '' : duration(row.durations.meanMs),
        row.durations.count === 0 ? '' : duration(row.durations.maxMs),
      ]),
    ),
    ...table(
      'Denials',
      ['rule', 'count'],
      stats.denials.map((row) => [row.rule, row.count]),
    ),
    ...table(
      'Refusals of providers',
      ['provider', 'status', 'count'],
      stats.refusals.map((row) => [row.provider, row.status ?? '', row.count]),
    ),
    ...table(
      'Processes',
      ['process', 'pid', 'started', 'last record', 'records', 'tier'],
      stats.processes.map((row) => [
        row.process,
        row.pid ?? '',
        clock(row.startedAt),
        clock(row.lastAt),
        row.records,
        row.file ?? '',
      ]),
    ),
  ].join('\n')}\n`
}

function tableLines(headings: readonly string[], rows: readonly (readonly Cell[])[], palette: Palette): string[] {
  const shown = rows
    .slice(0, MAX_ROWS)
    .map((row) => row.map((cell) => (typeof cell === 'number' ? cell : sanitizeLine(cell))))
  const all: readonly (readonly Cell[])[] = [headings, ...shown]
  const widths = headings.map((_heading, column) => Math.max(...all.map((row) => String(row[column] ?? '').length)))
  const lines = all.map((row, index) => {
    const cells = row.map((cell, column) => align(String(cell), widths[column] ?? 0, column === 0))
    const line = `  ${cells.join('  ')}`.trimEnd()
    return index === 0 ? palette.dim(line) : line
  })
  return rows.length > MAX_ROWS
    ? [...lines, palette.dim(`  and ${rows.length - MAX_ROWS} more (--json shows all)`)]
    : lines
}

function align(text: string, width: number, left: boolean): string {
  return left ? text.padEnd(width) : text.padStart(width)
}

function spentText({ input, output, cacheRead, cacheWrite, cost }: EnsoDayStats['totals']): string {
  const cached =
    cacheRead + cacheWrite === 0 ? '' : `, ${count(cacheRead)} read from and ${count(cacheWrite)} written to caches`
  return `${count(input)} tokens in, ${count(output)} out${cached}, ${dollars(cost)}`
}

function durationsText(summary: EnsoDurationSummary): string {
  if (summary.count === 0) return 'unknown'
  return `${duration(summary.meanMs)} on average, ${duration(summary.maxMs)} at most`
}

function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`
}

function ms(value: number | undefined): string {
  return value === undefined ? '' : duration(value)
}

function clock(iso: string | undefined): string {
  const at = new Date(iso ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? '' : at.toTimeString().slice(0, 8)
}
