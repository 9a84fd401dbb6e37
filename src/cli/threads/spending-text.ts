import type { EnsoSpendingStats } from '../../core/index.js'
import { count } from '../print/layout.js'
import { bar } from '../render/bar.js'
import { plural } from '../../core/plural.js'
import { dollars, spentText } from '../render/amounts.js'
import { tableLines, type TableColumn } from '../render/table.js'
import { wrapWords } from '../render/wrap.js'
import type { TextStyle } from './stats-text.js'

const ROWS_MAX = 40
const BAR_MAX = 24

const AMOUNTS: readonly TableColumn[] = [
  { title: 'replies', right: true },
  { title: 'in', right: true },
  { title: 'cached', right: true },
  { title: 'out', right: true },
  { title: 'cost', right: true },
]

/** What all threads have spent, for a person. */
export function spendingText(stats: EnsoSpendingStats, style: TextStyle): string {
  const { palette, width } = style
  const { totals, models, projects, days, threads, since } = stats
  const section = (title: string, columns: readonly TableColumn[], rows: readonly (readonly (string | number)[])[]) => {
    const lines = tableLines(columns, rows, { ...style, maxRows: ROWS_MAX })
    return lines.length === 0 ? [] : ['', palette.bold(title), ...lines]
  }
  const dearest = Math.max(0, ...days.map(({ cost }) => cost))
  const replies = totals.messages === 1 ? '1 reply' : `${totals.messages} replies`
  const room = Math.max(0, Math.min(BAR_MAX, width - 64))
  return `${[
    palette.bold(since === undefined ? 'every thread' : `since ${since.slice(0, 16).replace('T', ' ')} UTC`),
    ...wrapWords(`${plural(threads, 'thread')}, ${replies}: ${spentText(totals)}`, width, '  '),
    ...section(
      'Models',
      [{ title: 'model', flexible: true }, ...AMOUNTS],
      models.map((row) => [row.model, ...amounts(row)]),
    ),
    ...section(
      'Projects',
      [{ title: 'project', flexible: true }, { title: 'threads', right: true }, ...AMOUNTS],
      projects.map((row) => [row.cwd || row.projectId, row.threads, ...amounts(row)]),
    ),
    ...section(
      'Days',
      [{ title: 'day' }, ...AMOUNTS, { title: '' }],
      days.toReversed().map((row) => [row.day, ...amounts(row), dearest === 0 ? '' : bar(row.cost / dearest, room)]),
    ),
  ].join('\n')}\n`
}

function amounts(row: EnsoSpendingStats['totals']): readonly (string | number)[] {
  const { messages, input, cacheRead, cacheWrite, output, cost } = row
  return [messages, count(input + cacheWrite), count(cacheRead), count(output), dollars(cost)]
}
