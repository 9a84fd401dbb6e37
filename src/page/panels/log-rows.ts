import type { EnsoLogLine, EnsoLogTailFrame } from '../../core/index.js'

/** The most records the page holds. */
export const ROWS_MAX = 2000

/** A record with a name of its own, so that rows keep their place as others come. */
export interface LogRow {
  readonly key: number
  readonly line: EnsoLogLine
}

/** What a tail has said so far. */
export interface LogRows {
  readonly rows: readonly LogRow[]
  /** Where the next reading begins. */
  readonly day: string | undefined
  readonly offset: number | undefined
  /** Records that answered the question, of which the last are here. */
  readonly matched: number
}

export const NO_ROWS: LogRows = { rows: [], day: undefined, offset: undefined, matched: 0 }

/** The rows after one more frame: a backlog replaces them, records come after them. */
export function withFrame(before: LogRows, { type, day, offset, lines, matched }: EnsoLogTailFrame): LogRows {
  const isBacklog = type === 'backlog'
  const from = (before.rows.at(-1)?.key ?? 0) + 1
  const added = lines.map((line, index) => ({ key: from + index, line }))
  return {
    rows: (isBacklog ? added : [...before.rows, ...added]).slice(-ROWS_MAX),
    day,
    offset,
    matched: isBacklog ? matched : before.matched + matched,
  }
}
