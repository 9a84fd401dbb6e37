import type { LogRecord } from '@logtape/logtape'
import type { DayFile } from './day-file.js'
import { localDaySpan } from './day.js'
import type { LocalDay } from './day.js'

/** Takes records as they are logged and writes them a little later, many at once. */
export interface RecordWriter {
  add(record: LogRecord): void
  /** Writes what is waiting, now. Never throws. */
  flush(): void
  close(): void
  /** Records that could not be written so far. */
  lost(): number
}

/** What a record writer works with. */
export interface RecordWriterDeps {
  readonly dayFile: DayFile
  /** The record as one line of JSON. May throw on a record that can't be read; the record is then named, not lost. */
  readonly format: (record: LogRecord, at: number) => string
  readonly clock: { now(): number; after(ms: number, callback: () => void): () => void }
  /** Told once when writing begins to fail; the run goes on without its log. */
  readonly onTrouble: (error: unknown) => void
  /** Called before each batch is formatted. */
  readonly beforeBatch: () => void
}

/**
 * How long a record may wait, in milliseconds, and how many may wait together. A process that is killed outright loses
 * at most these; a warning or an error is written at once, and every other way out writes the rest.
 */
export const LOG_FLUSH_MS = 100
export const LOG_FLUSH_RECORDS = 256

const LOST_TEMPLATE = '{lost} log records could not be written: {reason}'

interface Waiting {
  readonly record: LogRecord
  readonly at: number
}

/** A writer over a day file. Its timer never keeps the process alive. */
export function createRecordWriter({ dayFile, format, clock, onTrouble, beforeBatch }: RecordWriterDeps): RecordWriter {
  let waiting: Waiting[] = []
  let cancel: (() => void) | undefined
  let lost = 0
  let unreported = 0
  let trouble: unknown

  const append = (lines: string, count: number, at: number): void => {
    try {
      dayFile.append(lines, at)
    } catch (error) {
      if (lost === 0) onTrouble(error)
      trouble = error
      lost += count
      unreported += count
      return
    }
    if (unreported === 0) return
    const now = clock.now()
    const report = lostRecord(unreported, trouble)
    unreported = 0
    append(`${format(report, now)}\n`, 0, now)
  }

  const flush = (): void => {
    cancel?.()
    cancel = undefined
    if (waiting.length === 0) return
    const batch = waiting
    waiting = []
    beforeBatch()
    let lines = ''
    let count = 0
    let day: LocalDay | undefined
    for (const [index, { record, at }] of batch.entries()) {
      day ??= localDaySpan(at)
      lines += `${formatted(record, at, format)}\n`
      count++
      const next = batch[index + 1]
      if (next !== undefined && next.at >= day.from && next.at < day.until) continue
      append(lines, count, at)
      lines = ''
      count = 0
      day = undefined
    }
  }

  return {
    add(record) {
      waiting.push({ record, at: clock.now() })
      if (waiting.length >= LOG_FLUSH_RECORDS || record.level === 'warning' || record.level === 'error') flush()
      else cancel ??= clock.after(LOG_FLUSH_MS, flush)
    },
    flush,
    close() {
      flush()
      dayFile.close()
    },
    lost: () => lost,
  }
}

function formatted(record: LogRecord, at: number, format: RecordWriterDeps['format']): string {
  try {
    return format(record, at)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const properties = { template: String(record.rawMessage), reason }
    return format(plainRecord('warning', 'a record could not be read: {reason}', properties), at)
  }
}

function lostRecord(lost: number, trouble: unknown): LogRecord {
  const reason = trouble instanceof Error ? trouble.message : String(trouble)
  return plainRecord('warning', LOST_TEMPLATE, { lost, reason })
}

/** A record made by hand, for what the writer itself has to say; it is stamped as it is taken. */
export function plainRecord(
  level: LogRecord['level'],
  rawMessage: string,
  properties: Record<string, unknown>,
): LogRecord {
  return { category: ['enso', 'host', 'log'], level, message: [rawMessage], rawMessage, timestamp: 0, properties }
}
