import { type Static, Type } from '@sinclair/typebox'
import {
  closed,
  ENSO_LOG_LEVEL_NAMES,
  ENSO_LOG_LEVEL_RANK,
  LOG_TAIL_MAX_RECORDS,
  parseLogSince,
} from '../../core/index.js'
import { isLogDay, localDayOf } from '../../log/day.js'
import type { LogQuestion } from '../../log/line-filter.js'

const text = Type.Optional(Type.String())

/** What may be asked of the log. */
export const LogQuery = closed({
  level: text,
  thread: text,
  process: text,
  since: text,
  grep: text,
  day: text,
  limit: text,
})
export type LogQuery = Static<typeof LogQuery>

/** The same for a tail, with where a reader who was here before has got to. */
export const LogTailQuery = closed({ ...LogQuery.properties, from: text })

/** A question of the log, resolved. */
export interface AskedLog {
  readonly question: LogQuestion
  readonly day: string
  readonly limit: number
  /** The byte a reader of `day` goes on from. */
  readonly from: number | undefined
}

/** A query as a question, or one sentence why it is none. */
export function askedLog(query: Readonly<Record<string, string>>, now: number): AskedLog | string {
  const { level = 'trace', thread, process, since, grep, day = localDayOf(now), limit, from } = query
  const levelRank = ENSO_LOG_LEVEL_RANK[level.toLowerCase()]
  if (levelRank === undefined) return `level is one of ${ENSO_LOG_LEVEL_NAMES.join(', ')}`
  const sinceMs = since === undefined ? undefined : parseLogSince(since)
  if (since !== undefined && sinceMs === undefined) return 'since is a time such as 30s, 10m, 2h or 1d'
  if (!isLogDay(day)) return 'day is a date such as 2026-09-22'
  if (!isCount(limit) || !isCount(from)) return 'limit and from are whole numbers'
  return {
    question: { levelRank, thread, process, notBefore: sinceMs === undefined ? 0 : now - sinceMs, grep },
    day,
    limit: Math.min(limit === undefined ? LOG_TAIL_MAX_RECORDS : Number(limit), LOG_TAIL_MAX_RECORDS),
    from: from === undefined ? undefined : Number(from),
  }
}

function isCount(value: string | undefined): boolean {
  return value === undefined || /^\d{1,15}$/.test(value)
}
