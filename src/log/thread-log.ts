import { createDayFold } from '../core/log-day-fold.js'
import type { EnsoLogLine } from '../core/log.js'
import type { ThreadLogAccount, ThreadLogReader } from '../core/thread-log.js'
import { localDayOf } from './day.js'
import { EVERYTHING, type UnreadLook } from './line-filter.js'
import { dayFilePath, logDays } from './log-days.js'
import { createNewest, eachLogLine } from './read-log.js'
import { createUnreadLine } from './unread-line.js'

const DAY_MS = 86_400_000

/** What a thread's log reader reads. */
export interface ThreadLogOptions {
  readonly logsDir: string
  /** Called before each reading: what this process has logged has to be in the file by then. */
  readonly flush?: (() => void) | undefined
}

/** Reads one thread's records out of the day files, in memory that grows with its runs and calls only. */
export function createThreadLogReader({ logsDir, flush }: ThreadLogOptions): ThreadLogReader {
  /** Shows the thread's records of every day that can have some, oldest first. */
  async function each(
    threadId: string,
    notBefore: number,
    show: (line: EnsoLogLine, day: string) => void,
    unreadOf?: (day: string) => UnreadLook,
  ) {
    flush?.()
    // A day earlier than the instant: the log begins a little before the thread's first entry does.
    const first = notBefore > 0 ? localDayOf(notBefore - DAY_MS) : ''
    for (const day of logDays(logsDir)) {
      if (day < first) continue
      try {
        await eachLogLine(
          dayFilePath(logsDir, day),
          { ...EVERYTHING, thread: threadId },
          // The question takes the beginning of an id; here it is one thread.
          {
            line: (line) => (line.properties?.['threadId'] === threadId ? show(line, day) : undefined),
            ...(unreadOf === undefined ? {} : { unread: unreadOf(day) }),
          },
        )
      } catch (error) {
        // Retention may take a day away while it is being read.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }

  return {
    async account(threadId, notBefore): Promise<ThreadLogAccount> {
      const days = new Set<string>()
      // One fold over all days: a run can go on past midnight.
      const fold = createDayFold('')
      const add = (line: EnsoLogLine, day: string): void => {
        days.add(day)
        fold.add(line)
      }
      await each(threadId, notBefore, add, (day) => {
        const writerOf = createUnreadLine()
        // What is only counted is of no use here, but for the first record, which says that the day has some.
        return (buffer, start, end) => days.has(day) && writerOf(buffer, start, end) !== undefined
      })
      const { stats, callDurations } = fold.finish(0)
      const { firstDelta, prompts } = stats.totals
      return { latency: { firstDelta, prompts }, callDurations, days: [...days] }
    },
    async lines(threadId, notBefore, limit) {
      const newest = createNewest<EnsoLogLine>(limit)
      let matched = 0
      await each(threadId, notBefore, (line) => {
        matched++
        newest.add(line)
      })
      return { lines: newest.items(), matched }
    },
  }
}
