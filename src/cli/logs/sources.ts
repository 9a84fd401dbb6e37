import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { bundleRecordsText, EnsoError, isLogBundle } from '../../core/index.js'
import { dayOfFileName, localDayOf } from '../../log/day.js'
import { dayFilePath, logDays } from '../../log/log-days.js'
import type { LogsOptions } from './options.js'

/** A text of records: a file on disk, or what a bundle held. */
export interface LogSource {
  readonly path: string
  /** The day it is of, where that is known. */
  readonly day: string | undefined
  /** The records, where they are not the file's own text. */
  readonly text?: string
}

/** A bundle larger than this is not read into memory; none that enso made is. */
const MAX_BUNDLE_BYTES = 256 * 1024 * 1024

/**
 * Where the records are that the options mean, oldest first. Nothing for today, when nothing was logged today.
 * @throws EnsoError `bad-input` for a day or a file that isn't there
 */
export async function logSources(
  options: LogsOptions,
  logsDir: string,
  now: number,
  cwd: string,
): Promise<readonly LogSource[]> {
  if (options.file !== undefined) return [await fileSource(resolve(cwd, options.file))]
  const days = logDays(logsDir)
  const today = localDayOf(now)
  if (options.day !== undefined) {
    if (!days.includes(options.day))
      throw new EnsoError('bad-input', `there is no log of ${options.day}`, { hint: daysHint(days) })
    return [daySource(logsDir, options.day)]
  }
  const { notBefore } = options.question
  const first = notBefore === 0 ? today : localDayOf(notBefore)
  return days.filter((day) => day >= first && day <= today).map((day) => daySource(logsDir, day))
}

/** All days there are, for a selection that is not of one day. */
export function allSources(logsDir: string): readonly LogSource[] {
  return logDays(logsDir).map((day) => daySource(logsDir, day))
}

/** Which days there are, in a few words. */
export function daysHint(days: readonly string[]): string {
  const last = days.at(-1)
  if (last === undefined) return 'nothing has been logged yet'
  return days.length === 1 ? `there is one of ${last}` : `there are ${days.length}, from ${days[0]} to ${last}`
}

function daySource(logsDir: string, day: string): LogSource {
  return { path: dayFilePath(logsDir, day), day }
}

async function fileSource(path: string): Promise<LogSource> {
  const day = dayOfFileName(path.slice(path.lastIndexOf('/') + 1))
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      const head = Buffer.alloc(Math.min(size, 64))
      await file.read(head, 0, head.length, 0)
      if (!isLogBundle(head.toString('utf8').replace(/\ufffd+$/, ''))) return { path, day }
      if (size > MAX_BUNDLE_BYTES) throw new EnsoError('bad-input', `${path} is too large for a bundle`)
      return { path, day, text: bundleRecordsText(await file.readFile('utf8')) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof EnsoError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw new EnsoError(
      'bad-input',
      `${path} ${code === 'ENOENT' ? 'does not exist' : `can't be read (${code ?? 'unknown'})`}`,
      {
        cause: error,
      },
    )
  }
}
