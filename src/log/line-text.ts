import type { LogRecord } from '@logtape/logtape'
import { ensoLogLineOf } from '../core/log.js'
import type { Redactor } from './redact/redactor.js'

/** What the writer puts on every line beside the record's own properties, which win. */
export interface WriterIdentity {
  readonly process: string
  readonly pid: number
}

/** C1 controls and the line separators steer terminals and split lines in some readers; JSON allows them raw. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029]/g

/** A record as its line in the day file, stamped `at`, without the newline and without secrets. */
export function logLineJson(record: LogRecord, at: number, writer: WriterIdentity, redactor: Redactor): string {
  const line = ensoLogLineOf(record)
  const json = redactor.json({
    '@timestamp': new Date(at).toISOString(),
    level: line.level,
    message: line.message,
    logger: line.logger,
    properties: { ...line.properties, process: line.properties?.['process'] ?? writer.process, pid: writer.pid },
  })
  return json.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
