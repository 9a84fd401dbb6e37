import type { EnsoLogLine } from './log-line.js'
import type { EnsoThreadStats } from './thread-stats.js'

/** What the day logs count of one thread. */
export interface ThreadLogAccount {
  readonly latency: EnsoThreadStats['latency']
  /** Milliseconds from call to result, by the call's id. */
  readonly callDurations: ReadonlyMap<string, number>
  /** The days whose files have records of the thread, oldest first. */
  readonly days: readonly string[]
}

/** The records of one thread, the newest ones. */
export interface ThreadLogLines {
  /** Oldest first. */
  readonly lines: readonly EnsoLogLine[]
  /** How many there are in all. */
  readonly matched: number
}

/** Reads what was logged of a thread. Days before the instant `notBefore` (epoch milliseconds, 0 for all) are not read. */
export interface ThreadLogReader {
  account(threadId: string, notBefore: number): Promise<ThreadLogAccount>
  /** At most `limit` records, the newest. */
  lines(threadId: string, notBefore: number, limit: number): Promise<ThreadLogLines>
}
