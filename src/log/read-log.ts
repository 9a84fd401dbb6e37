import { LOG_TAIL_MAX_RECORDS } from '../core/log-tail.js'
import type { EnsoLogLine } from '../core/log.js'
import { createLineJudge } from './line-filter.js'
import type { LogQuestion, UnreadLook } from './line-filter.js'
import { scanLines } from './line-scan.js'
import type { ScanRange } from './line-scan.js'

/** The newest records that answer a question. */
export interface LogReading {
  /** Oldest first, at most as many as asked for. */
  readonly lines: readonly EnsoLogLine[]
  /** How many answered before the cap. */
  readonly matched: number
  /** Lines that were no records. Lines passed over unparsed are not looked at. */
  readonly malformed: number
  /** The byte after the last whole line. */
  readonly offset: number
}

/** Keeps the newest `limit` of what it is given, in order. */
export function createNewest<T>(limit: number): {
  readonly add: (item: T) => void
  readonly items: () => readonly T[]
} {
  let kept: T[] = []
  return {
    add(item) {
      kept.push(item)
      // Cut in halves: each item moves at most once more on average.
      if (kept.length >= 2 * limit) kept = kept.slice(-limit)
    },
    items: () => kept.slice(-limit),
  }
}

/**
 * Reads a file's records that answer a question, the newest `limit` of them.
 * @throws what the file system throws, a missing file included
 */
export async function readLog(
  path: string,
  question: LogQuestion,
  limit: number = LOG_TAIL_MAX_RECORDS,
  range: ScanRange = {},
): Promise<LogReading> {
  const newest = createNewest<EnsoLogLine>(limit)
  const counts = await eachLogLine(path, question, { line: newest.add }, range)
  return { lines: newest.items(), ...counts }
}

/** Where records that answer a question go. */
export interface LogShow {
  line(line: EnsoLogLine): void
  /** Takes a line as it stands where that says enough; it is then neither parsed nor counted. */
  unread?: UnreadLook
  /** Called now and then; reading goes on when what it returns resolves. */
  rest?(): Promise<void> | undefined
}

/** Shows each record that answers a question, in the file's order, and counts. */
export async function eachLogLine(
  path: string,
  question: LogQuestion,
  show: LogShow,
  range: ScanRange = {},
): Promise<Omit<LogReading, 'lines'>> {
  const judge = createLineJudge(question, show.unread)
  let matched = 0
  let malformed = 0
  const { offset } = await scanLines(
    path,
    {
      line(buffer, start, end) {
        const verdict = judge(buffer, start, end)
        if (verdict === 'malformed') malformed++
        if (typeof verdict === 'string') return
        matched++
        show.line(verdict)
      },
      oversized: () => void malformed++,
      rest: () => show.rest?.(),
    },
    range,
  )
  return { matched, malformed, offset }
}
