import { getLogger, withContext } from '@logtape/logtape'
import type { Logger, LogRecord } from '@logtape/logtape'
import type { EnsoLogLine } from './log-line.js'

/** The root of every category. A process that configures this one category receives all of enso's records. */
export const ENSO_LOG_ROOT = 'enso'

/** Which part of our own code a record comes from; `extension` is our code that runs inside the agent's runtime. */
export type EnsoLogLayer = 'server' | 'host' | 'extension' | 'browser'

/** What a record carries: the ids by which its line joins the transcript, the feed and other records, and more. */
export interface EnsoLogProperties {
  readonly threadId?: string
  /** The lease acquisition the record belongs to, as on a status frame. */
  readonly generation?: number
  /** The observation's place in the thread's feed, for a record about one. */
  readonly seq?: number
  readonly toolCallId?: string
  readonly [name: string]: unknown
}

/** Properties, or a function that makes them, which is called only when the record's tier is switched on. */
export type EnsoLogPayload = EnsoLogProperties | (() => EnsoLogProperties)

/**
 * Five levels of one logger. `info` is the spine (what happened), `debug` each observation as one compact line,
 * `trace` the payloads as well; `warn` is a thing somebody should look at, `error` a thing that failed.
 *
 * A message is a template: `{name}` stands for the property of that name. Write the values as properties, so that a
 * reader can count the records of one kind.
 */
export interface EnsoLogger {
  trace(message: string, properties?: EnsoLogPayload): void
  debug(message: string, properties?: EnsoLogPayload): void
  info(message: string, properties?: EnsoLogPayload): void
  warn(message: string, properties?: EnsoLogPayload): void
  error(message: string, properties?: EnsoLogPayload): void
  /** A logger whose records all carry `properties`. */
  with(properties: EnsoLogProperties): EnsoLogger
}

/**
 * The one way to a logger: `ensoLogger('server', 'follow')` logs under `enso.server.follow`. Make it once per file, at
 * module level; before the process configures logging its records go nowhere.
 */
export function ensoLogger(layer: EnsoLogLayer, ...subcategory: readonly string[]): EnsoLogger {
  let made: EnsoLogger | undefined
  // Many files have a logger, and few commands log.
  const logger = (): EnsoLogger => (made ??= loggerOver(getLogger([ENSO_LOG_ROOT, layer, ...subcategory]), {}))
  return {
    trace: (message, properties) => logger().trace(message, properties),
    debug: (message, properties) => logger().debug(message, properties),
    info: (message, properties) => logger().info(message, properties),
    warn: (message, properties) => logger().warn(message, properties),
    error: (message, properties) => logger().error(message, properties),
    with: (properties) => logger().with(properties),
  }
}

/** The properties that `withEnsoLogContext` bound where it is called. */
export type EnsoLogContextReader = () => object | undefined

let readContext: EnsoLogContextReader | undefined

/**
 * Says that this process's log reads templates and properties and nothing else of a record, and how to read the context;
 * `undefined` takes it back. Records are then put together here, at a fifth of what the library's own way costs.
 */
export function setEnsoLogContextReader(reader: EnsoLogContextReader | undefined): void {
  readContext = reader
}

function loggerOver(logger: Logger, bound: EnsoLogProperties): EnsoLogger {
  const byLibrary = logger.with(bound)
  const say = (level: LogRecord['level'], message: string, properties: EnsoLogPayload = {}): boolean => {
    if (readContext === undefined) return false
    if (!logger.isEnabledFor(level)) return true
    const own = typeof properties === 'function' ? properties() : properties
    const record: LogRecord = {
      category: logger.category,
      level,
      message: [message],
      rawMessage: message,
      timestamp: Date.now(),
      properties: together(readContext(), bound, own),
    }
    logger.emit(record)
    return true
  }
  return {
    trace: (message, properties) =>
      void (say('trace', message, properties) || byLibrary.trace(message, properties ?? {})),
    debug: (message, properties) =>
      void (say('debug', message, properties) || byLibrary.debug(message, properties ?? {})),
    info: (message, properties) => void (say('info', message, properties) || byLibrary.info(message, properties ?? {})),
    warn: (message, properties) =>
      void (say('warning', message, properties) || byLibrary.warn(message, properties ?? {})),
    error: (message, properties) =>
      void (say('error', message, properties) || byLibrary.error(message, properties ?? {})),
    with: (properties) => loggerOver(logger, { ...bound, ...properties }),
  }
}

/** A copy, since a record is written later than it is logged. What can't be read is left to the writer, who says so. */
function together(context: object | undefined, bound: EnsoLogProperties, own: EnsoLogProperties): EnsoLogProperties {
  try {
    return { ...context, ...bound, ...own }
  } catch {
    return own
  }
}

/**
 * Runs `callback` so that each record logged inside it, by any logger and after any await, carries `properties`.
 *
 * It follows the asynchronous call chain, so a tool call's handlers inherit what the prompt's route bound. Where the
 * process has no asynchronous context (a browser) the properties are absent: bind them with `with` there.
 */
export function withEnsoLogContext<T>(properties: EnsoLogProperties, callback: () => T): T {
  return withContext({ ...properties }, callback)
}

/**
 * Names of properties whose values never reach a file, in snake, kebab and camel case alike.
 *
 * `token` is meant widely: a count called `tokens` is lost too, which is better than a key that is kept. `key`, `auth`
 * and `email` alone are not here: they would take thread keys and authors from records that hide nothing.
 */
export const ENSO_REDACT_FIELDS: readonly RegExp[] = [
  /api[-_ ]?key/i,
  /token/i,
  /secret/i,
  /passw(?:or)?d|passphrase/i,
  /credential/i,
  /(?:private|access)[-_ ]?key/i,
  /^(?:proxy[-_]?)?authorization$/i,
  /^(?:set[-_]?)?cookie$/i,
]

/** What stands in place of a value whose field's name says that it is secret. The field itself stays. */
export const ENSO_REDACTED = '[REDACTED]'

/** What stands in place of a known secret found inside other text. Counted apart: it is a leak that was caught. */
export const ENSO_REDACTED_VALUE = '[REDACTED:value]'

/** How a file spells the logging library's levels. */
export const ENSO_LOG_LEVELS_ON_DISK = {
  trace: 'TRACE',
  debug: 'DEBUG',
  info: 'INFO',
  warning: 'WARN',
  error: 'ERROR',
  fatal: 'FATAL',
} as const

/** A record's template, as it was written at the place that logged it. */
export function logTemplateOf({ rawMessage }: LogRecord): string {
  return typeof rawMessage === 'string' ? rawMessage : rawMessage.join('{}')
}

/** A logging library's record as the line a file holds. The message is the template; values are beside it. */
export function ensoLogLineOf(record: LogRecord): EnsoLogLine {
  return {
    '@timestamp': new Date(record.timestamp).toISOString(),
    level: ENSO_LOG_LEVELS_ON_DISK[record.level],
    message: logTemplateOf(record),
    logger: record.category.join('.'),
    properties: record.properties,
  }
}

export { EnsoBrowserLogBatch, EnsoLogLine } from './log-line.js'
