import { type Static, Type } from '@sinclair/typebox'
import { EnsoLogLine } from './log-line.js'
import { closed } from './schema.js'
import { EnsoThreadEvent, type EnsoThreadEvents } from './thread-inspection.js'

/**
 * One row of a thread's timeline. `at` is milliseconds since the epoch, 0 where the stamp is none: such a row stands
 * first and stays visible. `emitted` is the host's tail, `sent` what was written to a reader, `log` a record.
 */
export type EnsoTimelineEntry =
  | { readonly at: number; readonly event: EnsoThreadEvent; readonly source: 'emitted' | 'sent' }
  | { readonly at: number; readonly line: EnsoLogLine; readonly source: 'log' }

/** What the `timeline` operation answers: the rows, and how many log records there are, of which the newest are among them. */
export const EnsoThreadTimeline = closed({
  threadId: Type.String(),
  entries: Type.Array(
    Type.Union([
      closed({
        at: Type.Number(),
        event: EnsoThreadEvent,
        source: Type.Union([Type.Literal('emitted'), Type.Literal('sent')]),
      }),
      closed({ at: Type.Number(), line: EnsoLogLine, source: Type.Literal('log') }),
    ]),
  ),
  logRecords: Type.Integer(),
})
export type EnsoThreadTimeline = Static<typeof EnsoThreadTimeline>

/**
 * Both tails and the thread's log records as one list, oldest first. Rows of one instant stay in the order emitted,
 * sent, log, each in its own order. Without a live session `events` is undefined and the log is the timeline.
 */
export function threadTimeline(
  events: EnsoThreadEvents | undefined,
  lines: readonly EnsoLogLine[],
): readonly EnsoTimelineEntry[] {
  const rows: EnsoTimelineEntry[] = []
  for (const event of events?.emitted ?? []) rows.push({ at: instant(event.at), event, source: 'emitted' })
  for (const event of events?.sent ?? []) rows.push({ at: instant(event.at), event, source: 'sent' })
  for (const line of lines) rows.push({ at: instant(line['@timestamp']), line, source: 'log' })
  return rows.sort((left, right) => left.at - right.at)
}

/** The properties by which a log record belongs to a run, an observation, a prompt or a tool call. */
const JOIN_KEYS = ['generation', 'seq', 'messageId', 'toolCallId'] as const

/** The properties a log row is joined by, as text; only those it has. */
export function timelineJoinKeys(line: EnsoLogLine): Readonly<Record<string, string>> {
  const keys: Record<string, string> = {}
  for (const key of JOIN_KEYS) {
    const value = line.properties?.[key]
    if (typeof value === 'string' || typeof value === 'number') keys[key] = String(value)
  }
  return keys
}

function instant(stamp: string): number {
  const at = Date.parse(stamp)
  return Number.isNaN(at) ? 0 : at
}
