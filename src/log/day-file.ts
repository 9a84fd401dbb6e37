import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { mkdirPrivate, PRIVATE_FILE_MODE } from '../system/private-files.js'
import { dayFileName, dayOfFileName, localDayOf, localDaySpan } from './day.js'
import type { LocalDay } from './day.js'

/** Appends lines to the file of the day they belong to. */
export interface DayFile {
  /**
   * Appends whole lines, each with its newline, stamped `at` (epoch milliseconds). One write for all of them, so that
   * several processes share a file without cutting each other's lines.
   * @throws what the file system throws; the lines are then lost, and the next call tries anew
   */
  append(lines: string, at: number): void
  close(): void
}

/** Where day files are and how many days of them are kept (0 keeps all). */
export interface DayFileOptions {
  readonly logsDir: string
  readonly retentionDays: number
  /** Told of a file past its days that could not be removed; it stays until the next day's attempt. */
  readonly onLeftOver: (name: string, error: unknown) => void
}

interface OpenDay extends LocalDay {
  readonly file: number
  /** Where the file ends as far as we wrote it, in a whole line; beyond that another process wrote, or was cut off. */
  whole: number
}

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** A writer that opens nothing until the first line, and a new file when the local day changes. */
export function createDayFile(options: DayFileOptions): DayFile {
  const { logsDir, retentionDays } = options
  let open: OpenDay | undefined

  const close = (): void => {
    if (open !== undefined) closeSync(open.file)
    open = undefined
  }

  /** The day's file, and how large it is now. */
  const openFor = (at: number): { readonly day: OpenDay; readonly size: number } => {
    if (open !== undefined && at >= open.from && at < open.until) {
      const { nlink, size } = fstatSync(open.file)
      if (nlink > 0) return { day: open, size }
    }
    close()
    mkdirPrivate(logsDir)
    const span = localDaySpan(at)
    const file = openSync(join(logsDir, dayFileName(span.day)), APPEND, PRIVATE_FILE_MODE)
    const { size } = fstatSync(file)
    open = { ...span, file, whole: 0 }
    // Whoever starts a day's file tidies up, so that it happens once a day and not at every start.
    if (size === 0 && retentionDays > 0) removeOldDays(options, span.day)
    return { day: open, size }
  }

  return {
    append(lines, at) {
      const { day, size } = openFor(at)
      // A writer that was killed, or found the disk full, leaves half a line: ours must not be glued to it.
      const torn = size !== day.whole && size > 0 && !endsInNewline(day.file, size)
      const bytes = Buffer.from(torn ? `\n${lines}` : lines, 'utf8')
      day.whole = -1
      for (let written = 0; written < bytes.length;) written += writeSync(day.file, bytes, written)
      day.whole = size + bytes.length
    },
    close,
  }
}

function endsInNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, size - 1)
  return last[0] === 0x0a
}

function removeOldDays({ logsDir, retentionDays, onLeftOver }: DayFileOptions, today: string): void {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const oldest = localDayOf(new Date(year, month - 1, day - retentionDays + 1).getTime())
  for (const name of readdirSync(logsDir)) {
    const of = dayOfFileName(name)
    if (of === undefined || of >= oldest) continue
    try {
      rmSync(join(logsDir, name))
    } catch (error) {
      onLeftOver(name, error)
    }
  }
}
