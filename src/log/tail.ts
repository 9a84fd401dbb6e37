import { statSync } from 'node:fs'
import { LOG_TAIL_MAX_RECORDS } from '../core/log-tail.js'
import type { EnsoLogTailFrame } from '../core/log-tail.js'
import { localDayOf } from './day.js'
import { dayFilePath } from './log-days.js'
import type { LogQuestion } from './line-filter.js'
import { readLog } from './read-log.js'

/** A log that is being read while it grows. */
export interface LogTail {
  /** Reads what has come since the last step and emits it as frames; the first one emits the backlog. */
  step(): Promise<void>
  /** Steps now and then until it is closed. Resolves when closed; rejects with what the file system throws. */
  run(): Promise<void>
  close(): void
}

/** What a tail reads, and to whom it tells it. */
export interface LogTailOptions {
  readonly logsDir: string
  readonly question: LogQuestion
  readonly clock: { now(): number; after(ms: number, callback: () => void): () => void }
  readonly emit: (frame: EnsoLogTailFrame) => void
  /** Where a reader who was here before has got to: the last frame's. Of another day than today it counts for nothing. */
  readonly from?: { readonly day: string; readonly offset: number } | undefined
  /** Records at most in the first frame; a frame never holds more than `LOG_TAIL_MAX_RECORDS`, the newest. */
  readonly backlogLimit?: number | undefined
  /** The next look is not before what it returns has resolved: for a reader that takes its time. */
  readonly rest?: () => Promise<void>
}

/** How often a running tail looks, in milliseconds. */
export const LOG_TAIL_POLL_MS = 250

/** A tail of today's file. When the local day changes it reads the old file to its end and goes on with the new one. */
export function createLogTail(options: LogTailOptions): LogTail {
  const { logsDir, question, clock, emit, from } = options
  const backlogLimit = Math.min(options.backlogLimit ?? LOG_TAIL_MAX_RECORDS, LOG_TAIL_MAX_RECORDS)
  let day = localDayOf(clock.now())
  let offset = from?.day === day ? from.offset : undefined
  const closing = new AbortController()
  let wake: (() => void) | undefined

  const read = async (): Promise<void> => {
    const path = dayFilePath(logsDir, day)
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    // A file that has shrunk is another file: what is shown of it is begun anew.
    if (offset !== undefined && offset > size) offset = undefined
    const backlog = offset === undefined
    if (!backlog && offset === size) return
    const start = offset ?? 0
    const reading =
      size === 0
        ? { lines: [], matched: 0, malformed: 0, offset: 0 }
        : await readLog(path, question, backlog ? backlogLimit : LOG_TAIL_MAX_RECORDS, { from: start, until: size })
    offset = reading.offset
    if (closing.signal.aborted || (!backlog && reading.matched === 0 && reading.malformed === 0)) return
    emit({
      type: backlog ? 'backlog' : 'records',
      day,
      lines: [...reading.lines],
      matched: reading.matched,
      malformed: reading.malformed,
      offset: reading.offset,
    })
  }

  const step = async (): Promise<void> => {
    const today = localDayOf(clock.now())
    await read()
    if (today === day) return
    day = today
    offset = undefined
    await read()
  }

  return {
    step,
    async run() {
      while (!closing.signal.aborted) {
        await step()
        await options.rest?.()
        if (closing.signal.aborted) return
        await new Promise<void>((resolve) => {
          const cancel = clock.after(LOG_TAIL_POLL_MS, resolve)
          wake = () => {
            cancel()
            resolve()
          }
        })
      }
    },
    close() {
      closing.abort()
      wake?.()
    },
  }
}
