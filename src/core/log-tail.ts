import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { EnsoLogLine } from './log-line.js'

/** The tiers, lowest first: the words a flag, a query and a control share. */
export const ENSO_LOG_LEVEL_NAMES = ['trace', 'debug', 'info', 'warning', 'error', 'fatal'] as const
export type EnsoLogLevelName = (typeof ENSO_LOG_LEVEL_NAMES)[number]

/**
 * A tier's rank by its name in small letters; `warn`, the spelling on disk, is a name too.
 *
 * The table has no prototype, so that a word from outside that is no tier (`constructor`) finds nothing instead of
 * something that compares as false with every rank.
 */
export const ENSO_LOG_LEVEL_RANK: Readonly<Record<string, number>> = Object.freeze(
  Object.assign(Object.create(null) as Record<string, number>, {
    ...Object.fromEntries(ENSO_LOG_LEVEL_NAMES.map((name, rank) => [name, rank])),
    warn: ENSO_LOG_LEVEL_NAMES.indexOf('warning'),
  }),
)

/** A reader's question, resolved. */
export interface EnsoLogFilter {
  /** A rank of `ENSO_LOG_LEVEL_RANK`; lines below it are not wanted. */
  readonly levelRank: number
  /** A thread's id or the beginning of one; `undefined` is every record, also those about no thread. */
  readonly thread: string | undefined
  /** The writer's name, exactly. */
  readonly process: string | undefined
  /** Epoch milliseconds before which nothing is wanted; 0 is everything. */
  readonly notBefore: number
}

/**
 * Does a line answer the question? A line whose time can't be read is kept: a record with a broken clock is likely to
 * be the one that is looked for.
 */
export function logLineMatches(filter: EnsoLogFilter, line: EnsoLogLine): boolean {
  const rank = ENSO_LOG_LEVEL_RANK[line.level.toLowerCase()]
  if (rank !== undefined && rank < filter.levelRank) return false
  if (filter.process !== undefined && line.properties?.['process'] !== filter.process) return false
  if (filter.thread !== undefined) {
    const threadId = line.properties?.['threadId']
    if (typeof threadId !== 'string' || !threadId.startsWith(filter.thread)) return false
  }
  return !(filter.notBefore > 0 && Date.parse(line['@timestamp']) < filter.notBefore)
}

const SINCE_UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])

/** `30s`, `10m`, `2h`, `1d` as milliseconds; `undefined` for anything else. */
export function parseLogSince(raw: string): number | undefined {
  const parts = /^(\d{1,9})([smhd])$/.exec(raw.trim())
  const unit = SINCE_UNITS.get(parts?.[2] ?? '')
  return unit === undefined ? undefined : Number(parts?.[1]) * unit
}

/** The most records one step of a tail hands over, the newest ones; a page keeps no more than these either. */
export const LOG_TAIL_MAX_RECORDS = 2000

/**
 * A line's message as text and values in turn, beginning and ending with text: `run {generation} acquired` becomes
 * `['run ', 1, ' acquired']`. A placeholder without its property stays as it is written; `{{` is a brace.
 */
export function logLineMessageParts(line: EnsoLogLine): unknown[] {
  const properties = line.properties ?? {}
  const message = line.message ?? ''
  if (!message.includes('{') && !message.includes('}')) return [message]
  const parts: unknown[] = []
  let text = ''
  let from = 0
  for (const found of message.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)) {
    text += message.slice(from, found.index)
    from = found.index + found[0].length
    const name = found[1]?.trim()
    if (name === undefined) text += found[0].charAt(0)
    else if (!Object.hasOwn(properties, name)) text += found[0]
    else {
      parts.push(text, properties[name])
      text = ''
    }
  }
  parts.push(text + message.slice(from))
  return parts
}

/** A line's message with its values in place. A value that is no string is shown as JSON. */
export function logLineText(line: EnsoLogLine): string {
  return logLineMessageParts(line)
    .map((part) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? String(part))))
    .join('')
}

/**
 * One frame of a log tail.
 *
 * `backlog` is the file as it stands, oldest first, and replaces what a reader shows: the first frame, and again when
 * midnight puts a new file under the tail. `records` is what has come since and is appended.
 *
 * `matched` counts the lines that answered the filter before the cap, so more than `lines` has means "the last N of M".
 * `malformed` counts lines that were no records. `offset` is the byte after the last whole line that was read: a reader
 * who comes back with it, and with `day`, is not sent that day again.
 */
export const EnsoLogTailFrame = Type.Object({
  type: Type.Union([Type.Literal('backlog'), Type.Literal('records')]),
  day: Type.String(),
  lines: Type.Array(EnsoLogLine),
  matched: Type.Integer(),
  malformed: Type.Integer(),
  offset: Type.Integer(),
})
export type EnsoLogTailFrame = Static<typeof EnsoLogTailFrame>
