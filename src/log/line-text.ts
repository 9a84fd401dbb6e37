import type { LogRecord } from '@logtape/logtape'
import { ENSO_LOG_LEVELS_ON_DISK, logTemplateOf } from '../core/log.js'
import type { Redactor } from './redact/redactor.js'

/** What the writer puts on every line beside the record's own properties. A `process` of the record's own wins. */
export interface WriterIdentity {
  readonly process: string
  readonly pid: number
}

/** C1 controls and the line separators steer terminals and split lines in some readers; JSON allows them raw. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029]/
const EACH_CONTROL = new RegExp(CONTROLS, 'g')

/** Templates and categories are few; texts that only look like templates have no bound. */
const MAX_CACHED = 1000

/**
 * Makes records into lines of the day file, stamped `at`, without the newline and without secrets: key for key what the
 * logging library's own formatter writes, in the order that readers count on to skip lines unparsed.
 */
export function createLineFormatter(
  writer: WriterIdentity,
  redactor: Redactor,
): (record: LogRecord, at: number) => string {
  const tail = `"process":${JSON.stringify(writer.process)},"pid":${writer.pid}}`
  const pid = `"pid":${writer.pid}}`
  const texts = new Map<string, string>()
  const loggers = new Map<readonly string[], string>()
  let search: unknown
  let stampedAt = Number.NaN
  let stamp = ''

  const textJson = (text: string): string => {
    // What was clean before a secret became known may not be any more.
    const current = redactor.secrets.search()
    if (search !== current) texts.clear()
    search = current
    const known = texts.get(text)
    if (known !== undefined) return known
    const json = JSON.stringify(redactor.text(text))
    if (texts.size < MAX_CACHED) texts.set(text, json)
    return json
  }

  const loggerJson = (category: readonly string[]): string => {
    const known = loggers.get(category)
    if (known !== undefined) return known
    const json = JSON.stringify(redactor.text(category.join('.')))
    if (loggers.size < MAX_CACHED) loggers.set(category, json)
    return json
  }

  return (record, at) => {
    if (at !== stampedAt) {
      stampedAt = at
      stamp = new Date(at).toISOString()
    }
    const { properties } = record
    const own = redactor.json(properties)
    const inner = own === '{}' ? '' : `${own.slice(1, -1)},`
    const line =
      `{"@timestamp":"${stamp}","level":"${ENSO_LOG_LEVELS_ON_DISK[record.level]}","message":${textJson(logTemplateOf(record))}` +
      `,"logger":${loggerJson(record.category)},"properties":{${inner}${Object.hasOwn(properties, 'process') ? pid : tail}}`
    return escapeControls(line)
  }
}

/** A line's text with the controls in it escaped, as the day file has them. */
export function escapeControls(text: string): string {
  return CONTROLS.test(text) ? text.replace(EACH_CONTROL, escaped) : text
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
