import {
  type EnsoThreadEvents,
  type EnsoThreadTimeline,
  jsonLine,
  logLineText,
  threadEventColumns,
  timelineJoinKeys,
} from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { tableLines, type TableColumn } from '../render/table.js'
import { accountsOf } from './accounts.js'
import { loggedObservation } from './logged-events.js'
import { writePieces } from './output.js'
import type { TextStyle } from './stats-text.js'
import { outputStyle } from './subcommand.js'

/** `enso threads events ID`: what was said of the thread; of one that isn't live, as far as the log has it. */
export async function showThreadEvents(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io } = invocation
  const events = await (await accountsOf(invocation)).events(wished)
  if (line.has('json')) {
    await writePieces(io.stdout, [`${jsonLine(events)}\n`])
    return 0
  }
  await writePieces(io.stdout, byLine(eventLines(events, outputStyle(invocation))))
  if (!line.has('connect')) {
    const none = events.sent.length === 0
    io.stderr.write(
      none
        ? 'nothing was logged of this thread\n'
        : 'from the log: how each was delivered is known only while a thread is live (--connect)\n',
    )
  }
  return 0
}

/** `enso threads timeline ID`: events and log records in one list. */
export async function showThreadTimeline(invocation: Invocation, [wished = '']: readonly string[]): Promise<number> {
  const { line, io } = invocation
  const timeline = await (await accountsOf(invocation)).timeline(wished)
  if (line.has('json')) {
    await writePieces(io.stdout, [`${jsonLine(timeline)}\n`])
    return 0
  }
  const { entries, logRecords } = timeline
  if (entries.length === 0) io.stderr.write('nothing was logged of this thread\n')
  await writePieces(io.stdout, byLine(timelineLines(entries, outputStyle(invocation))))
  const shown = entries.filter(({ source }) => source === 'log').length
  if (logRecords > shown) io.stderr.write(`the last ${shown} of ${logRecords} records\n`)
  return 0
}

const EVENT_COLUMNS: readonly TableColumn[] = [
  { title: 'when (UTC)' },
  { title: 'delivered' },
  { title: 'event', flexible: true },
]

/** Both tails as a table, the host's first. */
export function eventLines({ emitted, sent }: EnsoThreadEvents, style: TextStyle): string[] {
  const rows = [...emitted, ...sent].map((event) => {
    const { when, provenance, subject } = threadEventColumns(event)
    return [when, provenance, subject]
  })
  return tableLines(EVENT_COLUMNS, rows, style)
}

const TIMELINE_COLUMNS: readonly TableColumn[] = [
  { title: 'when (UTC)' },
  { title: 'from' },
  { title: 'what', flexible: true },
]

/** A timeline as a table, each day under its date. */
export function timelineLines(entries: EnsoThreadTimeline['entries'], style: TextStyle): string[] {
  const days = new Map<string, (readonly string[])[]>()
  for (const entry of entries) {
    const day = entry.at === 0 ? 'no time' : new Date(entry.at).toISOString().slice(0, 10)
    const rows = days.get(day) ?? []
    days.set(day, rows)
    rows.push(timelineRow(entry))
  }
  return [...days].flatMap(([day, rows], index) => [
    ...(index === 0 ? [] : ['']),
    style.palette.bold(day),
    ...tableLines(TIMELINE_COLUMNS, rows, style),
  ])
}

function timelineRow(entry: EnsoThreadTimeline['entries'][number]): readonly string[] {
  if (entry.source !== 'log') {
    const { when, provenance, subject } = threadEventColumns(entry.event)
    return [when, provenance, subject]
  }
  const { line } = entry
  const joins = Object.entries(timelineJoinKeys(line)).map(([key, value]) => `${key}=${value}`)
  const when = /T(\d{2}:\d{2}:\d{2})/.exec(line['@timestamp'])?.[1] ?? line['@timestamp']
  const observed = loggedObservation(line)
  const what = observed === undefined ? logLineText(line) : [observed.type, observed.name ?? ''].join(' ').trimEnd()
  return [when, `log ${line.level}`, [what, ...joins].join('  ')]
}

function* byLine(lines: readonly string[]): Generator<string> {
  for (const text of lines) yield `${text}\n`
}
