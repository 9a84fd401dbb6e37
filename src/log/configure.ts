import { AsyncLocalStorage } from 'node:async_hooks'
import { readFileSync, statSync } from 'node:fs'
import { configureSync, resetSync } from '@logtape/logtape'
import type { LoggerConfig, LogRecord, Sink } from '@logtape/logtape'
import { ENSO_LOG_EVENTS } from '../core/log-events.js'
import { ENSO_LOG_ROOT, setEnsoLogContextReader } from '../core/log.js'
import type { EnsoLogLine } from '../core/log.js'
import { createDayFile } from './day-file.js'
import { moreVerbose, parseLogLevels } from './levels.js'
import type { LogLevels, LogTier } from './levels.js'
import { createLineFormatter } from './line-text.js'
import { prettyLogLine } from './pretty-line.js'
import { createRecordWriter, plainRecord } from './record-writer.js'
import { createRedactor } from './redact/redactor.js'
import type { Redactor } from './redact/redactor.js'
import type { KnownSecrets } from './redact/known-secrets.js'

/** How a process logs. */
export interface LoggingOptions {
  readonly logsDir: string
  /** The writer's name on every line: `cli`, `server`, … */
  readonly process: string
  /** `ENSO_LOG_LEVEL` says the file's tiers; variables with a secret's name are known secrets. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Records at this tier and above go to `stderr` as well, and the file holds at least them. */
  readonly level?: LogTier
  readonly secrets: KnownSecrets
  /** JSON files whose credentials are known secrets, read again when they change. */
  readonly credentialFiles?: readonly string[]
  /** Days of log files that are kept, today included; 0 keeps all. */
  readonly retentionDays?: number
  /** Where records go that `level` asks for, and the one line about a log that can't be written. */
  readonly stderr?: { write(text: string): unknown }
  readonly clock: { now(): number; after(ms: number, callback: () => void): () => void }
}

/** A process's logging, switched on. */
export interface LogHandle {
  /** The pass every line goes through, for text and data that leave by another way. */
  readonly redactor: Redactor
  readonly levels: LogLevels
  /** Writes what is waiting, now; for every way out of the process. Never throws. */
  readonly flushSync: () => void
  /** Records that could not be written so far. */
  lost(): number
  /** Writes the rest and switches logging off. */
  close(): Promise<void>
}

/** Tells the library that a sink needs no copy of a record: `ensoLogger` has made one. */
const AS_IT_IS = Symbol.for('LogTape.sinkSnapshotPolicy.immediate')

/** Days of log files kept where nothing else is configured. */
export const DEFAULT_LOG_RETENTION_DAYS = 30

/**
 * Switches logging on. All is in place when the call returns, before the promise does; nothing is opened or compiled
 * until the first batch, a tenth of a second later. Never rejects, and a folder that can't be written stops nothing.
 */
export function configureLogging(options: LoggingOptions): Promise<LogHandle> {
  const { env, secrets, stderr, clock } = options
  secrets.addEnvironment(env)
  const asked = parseLogLevels(env['ENSO_LOG_LEVEL'])
  const levels = options.level === undefined ? asked : { ...asked, tier: moreVerbose(asked.tier, options.level) }
  const redactor = createRedactor(secrets)
  const format = createLineFormatter({ process: options.process, pid: process.pid }, redactor)

  const readCredentials = credentialWatch(options.credentialFiles ?? [], secrets, (file, error) =>
    writer.add(
      plainRecord('warning', 'credentials in {file} could not be read: {reason}', { file, reason: textOf(error) }),
    ),
  )

  const writer = createRecordWriter({
    dayFile: createDayFile({
      logsDir: options.logsDir,
      retentionDays: options.retentionDays ?? DEFAULT_LOG_RETENTION_DAYS,
      onLeftOver: (name, error) =>
        writer.add(
          plainRecord('warning', 'log file {name} is past its days and stays: {reason}', {
            name,
            reason: textOf(error),
          }),
        ),
    }),
    format,
    clock,
    beforeBatch: readCredentials,
    onTrouble: (error) => stderr?.write(`enso: the log can't be written, the run goes on: ${textOf(error)}\n`),
  })
  const file: Sink & Disposable = Object.assign((item: LogRecord) => writer.add(item), {
    [Symbol.dispose]: () => writer.flush(),
    [AS_IT_IS]: true,
  })
  const sinks: Record<string, Sink> = { file }
  if (options.level !== undefined && stderr !== undefined) {
    sinks['console'] = consoleSink(options.level, stderr, (item) => {
      readCredentials()
      return format(item, clock.now())
    })
  }
  const context = new AsyncLocalStorage<Record<string, unknown>>()
  configureSync({ reset: true, contextLocalStorage: context, sinks, loggers: loggersOf(levels, sinks) })
  setEnsoLogContextReader(() => context.getStore())

  writer.add(plainRecord('info', ENSO_LOG_EVENTS.loggingConfigured, bootFacts(options, levels)))
  for (const part of levels.ignored)
    writer.add(plainRecord('warning', 'ENSO_LOG_LEVEL part {part} means nothing', { part }))

  return Promise.resolve({
    redactor,
    levels,
    flushSync: () => writer.flush(),
    lost: () => writer.lost(),
    close() {
      setEnsoLogContextReader(undefined)
      resetSync()
      writer.close()
      return Promise.resolve()
    },
  })
}

function loggersOf(levels: LogLevels, sinks: Readonly<Record<string, Sink>>): LoggerConfig<string, string>[] {
  const names = Object.keys(sinks)
  return [
    { category: [ENSO_LOG_ROOT], sinks: names, lowestLevel: levels.tier },
    ...levels.overrides.map(({ category, tier }) => ({
      category: [...category],
      sinks: names,
      parentSinks: 'override' as const,
      lowestLevel: tier,
    })),
    { category: ['logtape', 'meta'], sinks: [], lowestLevel: 'error' as const },
  ]
}

function bootFacts(options: LoggingOptions, levels: LogLevels): Record<string, unknown> {
  return {
    file: levels.tier,
    console: options.level ?? 'off',
    overrides: levels.overrides.map(({ category, tier }) => `${category.join('.')}=${tier}`),
    startedAt: new Date(options.clock.now() - process.uptime() * 1000).toISOString(),
  }
}

function consoleSink(
  level: LogTier,
  stderr: { write(text: string): unknown },
  format: (record: LogRecord) => string,
): Sink {
  const sink: Sink = (record) => {
    if (moreVerbose(record.level, level) !== level) return
    stderr.write(`${prettyLogLine(JSON.parse(format(record)) as EnsoLogLine, { color: false })}\n`)
  }
  return Object.assign(sink, { [AS_IT_IS]: true })
}

/** Reads the credential files when they are there and have changed, before the batch that could quote them. */
function credentialWatch(
  files: readonly string[],
  secrets: KnownSecrets,
  onUnreadable: (file: string, error: unknown) => void,
): () => void {
  const seen = new Map<string, number>()
  return () => {
    for (const file of files) {
      const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs
      if (changed === undefined || seen.get(file) === changed) continue
      seen.set(file, changed)
      try {
        secrets.addCredentialFile(readFileSync(file, 'utf8'))
      } catch (error) {
        onUnreadable(file, error)
      }
    }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
