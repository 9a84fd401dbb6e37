// What logs cost: `npx tsx scripts/bench/logs.ts [MEGABYTES]` makes a trace day of that size and reports each reader as a
// ratio to a bare loop of JSON.parse over the same file, the writer as a ratio to a bare write, and the memory of each.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENSO_LOG_EVENTS } from '../../src/core/log-events.js'
import { ensoLogger } from '../../src/core/log.js'
import { configureLogging } from '../../src/log/configure.js'
import { EVERYTHING, type LogQuestion } from '../../src/log/line-filter.js'
import { scanLines } from '../../src/log/line-scan.js'
import { foldLogFile } from '../../src/log/log-days.js'
import { eachLogLine, readLog } from '../../src/log/read-log.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { addFigure, addRatio, keepFigures } from './figures.js'
import { createScratch } from './scratch.js'
import { median } from './statistics.js'

const ROUNDS = 5
const RECORDS_WRITTEN = 100_000

/** A day as `trace` writes it: deltas and tool calls with their payloads, now and then a message's account. */
function writeDay(path: string, bytes: number): void {
  const file = openSync(path, 'w')
  const start = Date.UTC(2030, 0, 1)
  let written = 0
  for (let n = 0; written < bytes; n++) {
    const ids = { threadId: `thread-${n % 40}-a1b2c3d4`, generation: Math.floor(n / 400), seq: n }
    const at = new Date(start + n).toISOString()
    const line = (level: string, message: string, properties: object): string =>
      `${JSON.stringify({ '@timestamp': at, level, message, logger: 'enso.host.observation', properties: { ...ids, ...properties, process: 'cli', pid: 100 + (n % 5) } })}\n`
    const call = { toolCallId: `call-${n}`, toolName: 'bash' }
    const lines = [
      line('DEBUG', ENSO_LOG_EVENTS.observation, { kind: 'text-delta', contentIndex: 0, pieces: 12, chars: 480 }),
      line('TRACE', '{kind} payload', {
        kind: 'text-delta',
        payload: { delta: 'What the model said, with "quotes". '.repeat(14) },
      }),
      line('INFO', ENSO_LOG_EVENTS.observation, { kind: 'tool-call', ...call }),
      line('TRACE', '{kind} payload', {
        kind: 'tool-call',
        payload: { ...call, args: { command: 'grep -rn needle src\nls -la' } },
      }),
      line('INFO', ENSO_LOG_EVENTS.observation, {
        kind: 'tool-result',
        ...call,
        isError: false,
        complete: true,
        chars: 900,
      }),
      line('TRACE', '{kind} payload', {
        kind: 'tool-result',
        payload: { ...call, text: 'src/file.ts:10: a line of it\n'.repeat(30) },
      }),
    ]
    if (n % 10 === 0)
      lines.push(
        line('INFO', ENSO_LOG_EVENTS.messageUsage, { role: 'assistant', input: 900, output: 90, totalCost: 0.001 }),
      )
    if (n % 500 === 0) lines.push(line('WARN', 'something to look at', {}))
    written += writeSync(file, lines.join(''))
  }
  closeSync(file)
}

const asking =
  (more: Partial<LogQuestion>) =>
  async (path: string): Promise<void> => {
    await readLog(path, { ...EVERYTHING, ...more }, 200)
  }

const BARE = 'bare JSON.parse'

const READERS: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  [BARE]: (path) =>
    scanLines(path, {
      line: (buffer, start, end) => void JSON.parse(buffer.toString('utf8', start, end)),
      oversized: () => undefined,
    }),
  fold: (path) => foldLogFile(path, '2030-01-01'),
  'filter --level warn': asking({ levelRank: 3 }),
  'filter --thread': asking({ thread: 'thread-7-' }),
  'filter --since': asking({ notBefore: Date.UTC(2030, 0, 1) + 1e9 }),
  'filter --grep': asking({ grep: 'nowhere in it' }),
  'show everything': (path) => eachLogLine(path, EVERYTHING, { line: () => undefined }),
}

async function timed(read: ((path: string) => Promise<unknown>) | undefined, path: string): Promise<number> {
  const from = performance.now()
  await read?.(path)
  return performance.now() - from
}

/** Round by round beside the bare loop, so that a machine that is slow for a while is slow for both. */
async function measureReader(name: string, path: string): Promise<void> {
  const times: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    if (name !== BARE) bare.push(await timed(READERS[BARE], path))
    times.push(await timed(READERS[name], path))
  }
  report(times, bare)
}

/** Nanoseconds a record, logged and redacted, or its finished line handed to a bare write. */
async function measureWriter(name: string, dir: string): Promise<void> {
  const properties = {
    threadId: 'thread-7-a1b2c3d4',
    generation: 3,
    seq: 1,
    kind: 'tool-call',
    toolCallId: 'c',
    toolName: 'bash',
  }
  const line = `${JSON.stringify({ '@timestamp': new Date().toISOString(), level: 'DEBUG', message: '{kind}', logger: 'enso.host.x', properties: { ...properties, process: 'cli', pid: 1 } })}\n`
  if (name === 'bare write') {
    const file = openSync(join(dir, 'bare'), 'a')
    const from = performance.now()
    for (let n = 0; n < RECORDS_WRITTEN; n++) writeSync(file, line)
    report([((performance.now() - from) * 1e6) / RECORDS_WRITTEN], [])
    return closeSync(file)
  }
  const secrets = createKnownSecrets()
  for (let n = 0; n < 8; n++) secrets.add(`some-api-key-${n}-0123456789abcdef`)
  const handle = await configureLogging({
    logsDir: join(dir, 'logs'),
    process: 'bench',
    env: { ENSO_LOG_LEVEL: name === 'switched off' ? 'info' : 'debug' },
    secrets,
    clock: { now: Date.now, after: () => () => undefined },
  })
  const log = ensoLogger('host', 'bench')
  log.debug('{kind}', properties)
  handle.flushSync()
  const from = performance.now()
  for (let n = 0; n < RECORDS_WRITTEN; n++) log.debug('{kind}', { ...properties, seq: n })
  handle.flushSync()
  report([((performance.now() - from) * 1e6) / RECORDS_WRITTEN], [])
  await handle.close()
}

function report(values: readonly number[], bare: readonly number[]): void {
  process.stdout.write(`${JSON.stringify({ values, bare, mib: process.resourceUsage().maxRSS / 1024 })}\n`)
}

/** Of each round, and of the bare loop in the same one. */
interface Measured {
  readonly values: readonly number[]
  readonly bare: readonly number[]
  readonly mib: number
}

function inChild(kind: 'read' | 'write', name: string, path: string): Measured {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, fileURLToPath(import.meta.url), kind, name, path],
    { encoding: 'utf8' },
  )
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Measured
}

function compare(megabytes: number): void {
  const { dir } = createScratch('enso-bench-logs-')
  const path = join(dir, 'enso-2030-01-01.jsonl')
  writeDay(path, megabytes * 1e6)
  const size = statSync(path).size / 1e6
  for (const name of Object.keys(READERS)) {
    const { values, bare, mib } = inChild('read', name, path)
    const what = `a trace day of ${size.toFixed(0)} MB, ${name}`
    addFigure(`${what}: rate`, 'MB/s', [(size / median(values)) * 1000])
    if (name !== BARE) addRatio(`${what} / ${BARE}`, values, bare)
    addFigure(`${what}: peak memory`, 'MiB', [mib])
  }
  const WRITERS = ['bare write', 'logged', 'switched off']
  const rounds = Array.from({ length: ROUNDS }, () =>
    WRITERS.map((name) => inChild('write', name, dir).values[0] ?? NaN),
  )
  const of = (index: number): number[] => rounds.map((round) => round[index] ?? NaN)
  for (const [index, name] of WRITERS.entries()) {
    addFigure(`a record, ${name}`, 'ns', of(index))
    if (name === 'logged') addRatio(`a record, ${name} / bare write`, of(index), of(0))
  }
  keepFigures()
}

const [kind = '', name = '', path = ''] = process.argv.slice(2)
if (kind === 'read') await measureReader(name, path)
else if (kind === 'write') await measureWriter(name, path)
else compare(Number(kind) || 200)
