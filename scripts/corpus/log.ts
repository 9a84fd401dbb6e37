import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ENSO_REDACTED, ENSO_REDACTED_VALUE, ensoLogger } from '../../src/core/log.js'
import { configureLogging } from '../../src/log/configure.js'
import { createObservationLog } from '../../src/log/observation-log.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'

/** A `log` line of a case file: what is known to be secret, what is logged, and what the file may hold of it. */
export interface LogCase {
  readonly id: string
  readonly input: {
    /** Environment variables; those with a secret's name are known values. */
    readonly secrets: Readonly<Record<string, string>>
    /** What stands beside `message` and `properties` is logged as further properties. */
    readonly record?: {
      readonly message: string
      readonly properties?: Readonly<Record<string, unknown>>
      readonly [name: string]: unknown
    }
    /** The record is a thrown error with this message. */
    readonly error?: boolean
    /** A reply that streams in these pieces. */
    readonly chunks?: readonly string[]
    readonly providerError?: { readonly status: number; readonly body: string }
  }
  readonly expect: 'allow' | 'deny'
  readonly contested?: boolean
  readonly assert?: {
    readonly fileMustNotContain?: readonly string[]
    readonly fileMustContain?: readonly string[]
    readonly everyLineParses?: boolean
  }
}

/** What came of a case: was anything taken out, and which of its demands was not met. */
export interface LogCaseResult {
  readonly denied: boolean
  readonly code: undefined
  readonly problems: readonly string[]
}

/** Logs a case through the whole way to a day file of its own, at the tier that hides nothing, and judges the file. */
export async function runLogCase({ input, assert = {} }: LogCase): Promise<LogCaseResult> {
  const root = await mkdtemp(join(tmpdir(), 'enso-log-case-'))
  try {
    await writeCase(input, root)
    const [name = ''] = await readdir(root)
    const raw = await readFile(join(root, name), 'utf8')
    const lines = raw.split('\n').filter((line) => line !== '')
    const parsed = lines.map(parseOrUndefined)
    const strings = parsed.flatMap(stringsOf)
    return {
      denied: raw.includes(ENSO_REDACTED) || raw.includes(ENSO_REDACTED_VALUE),
      code: undefined,
      problems: [
        ...(assert.fileMustNotContain ?? [])
          .filter((text) => raw.includes(text) || strings.some((value) => value.includes(text)))
          .map((text) => `the file holds ${text}`),
        ...(assert.fileMustContain ?? []).filter((text) => !raw.includes(text)).map((text) => `the file lacks ${text}`),
        ...(parsed.includes(undefined) ? ['a line is no JSON'] : []),
      ],
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function writeCase(input: LogCase['input'], logsDir: string): Promise<void> {
  const handle = await configureLogging({
    logsDir,
    process: 'corpus',
    env: { ...input.secrets, ENSO_LOG_LEVEL: 'trace' },
    secrets: createKnownSecrets(),
    clock: { now: Date.now, after: () => () => undefined },
  })
  const log = ensoLogger('host', 'corpus')
  const observations = createObservationLog(handle.redactor)
  const { record, chunks = [], providerError } = input
  if (record !== undefined) {
    const { message, properties, ...more } = record
    if (input.error === true) log.error('failed: {error}', { error: new Error(message), ...more, ...properties })
    else log.info(message, { ...more, ...properties })
  }
  for (const [index, delta] of chunks.entries()) {
    const observation = { kind: 'text-delta' as const, contentIndex: 0, delta }
    observations.observe({ threadId: 'corpus', generation: 1, seq: index + 1, observation })
  }
  if (providerError !== undefined) {
    const { status, body } = providerError
    const observation = { kind: 'provider-refused' as const, message: body, status }
    observations.observe({ threadId: 'corpus', generation: 1, seq: 1, observation })
  }
  observations.endAll()
  await handle.close()
}

function parseOrUndefined(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Every string in a value, property names included. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)])
}
