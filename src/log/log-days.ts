import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FoldedDay } from '../core/log-day-fold.js'
import { createDayFold } from '../core/log-day-fold.js'
import { dayFileName, dayOfFileName } from './day.js'
import { EVERYTHING } from './line-filter.js'
import { eachLogLine } from './read-log.js'
import { foldingShow } from './unread-line.js'

/** The days there are log files of, oldest first. A folder that doesn't exist has none. */
export function logDays(logsDir: string): readonly string[] {
  try {
    return readdirSync(logsDir)
      .map(dayOfFileName)
      .filter((day) => day !== undefined)
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Where a day's file is. The day has to be one (`isLogDay`). */
export function dayFilePath(logsDir: string, day: string): string {
  return join(logsDir, dayFileName(day))
}

/** Folds a file of records, in memory that doesn't grow with it. */
export async function foldLogFile(path: string, day: string): Promise<FoldedDay> {
  const fold = createDayFold(day)
  const { malformed } = await eachLogLine(path, EVERYTHING, foldingShow(fold))
  return fold.finish(malformed)
}
