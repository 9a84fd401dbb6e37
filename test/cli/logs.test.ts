import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { main } from '../../src/cli/main.js'
import { EnsoDayStats, ENSO_LOG_EVENTS } from '../../src/core/index.js'
import { isLogBundle } from '../../src/core/log-bundle.js'
import { Value } from '@sinclair/typebox/value'
import { createFakeParts, testFolder } from '../support/fake-cli.js'
import { fakeIo, type FakeIo, type FakeIoOptions } from '../support/cli-io.js'

const NOON = new Date(2030, 0, 1, 12).getTime()
const TODAY = '2030-01-01'

interface World {
  readonly folder: string
  readonly logsDir: string
  /** Runs `enso logs …` and gives back its exit code and what it said. */
  readonly logs: (args: string, more?: FakeIoOptions) => Promise<{ code: number; out: string; err: string }>
  readonly start: (args: string, more?: FakeIoOptions) => { readonly fake: FakeIo; readonly code: Promise<number> }
}

async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const logsDir = join(folder, 'logs')
  mkdirSync(logsDir)
  const { parts } = createFakeParts({ home: folder })
  const start = (args: string, more: FakeIoOptions = {}) => {
    const fake = fakeIo({ cwd: folder, argv: ['logs', ...args.split(' ').filter((word) => word !== '')], ...more })
    fake.clock.advance(NOON - fake.clock.now())
    return { fake, code: main(fake.io, parts) }
  }
  return {
    folder,
    logsDir,
    start,
    async logs(args, more) {
      const { fake, code } = start(args, more)
      return { code: await code, out: fake.out.text(), err: fake.err.text() }
    },
  }
}

interface Written {
  readonly level?: string
  readonly message?: string
  readonly at?: number
  readonly properties?: Record<string, unknown>
}

function lineOf({ level = 'INFO', message = 'record {n}', at = NOON - 1000, properties = {} }: Written): string {
  const stamp = new Date(at).toISOString()
  return `${JSON.stringify({ '@timestamp': stamp, level, message, logger: 'enso.server.feed', properties: { process: 'cli', ...properties } })}\n`
}

const write = (logsDir: string, day: string, lines: readonly Written[]): void =>
  writeFileSync(join(logsDir, `enso-${day}.jsonl`), lines.map(lineOf).join(''))

const numbered = (count: number, more: Written = {}): Written[] =>
  Array.from({ length: count }, (_, n) => ({ ...more, properties: { n, ...more.properties } }))

test('logs shows the newest records of today and says how many there are', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, TODAY, numbered(500))
  const { code, out, err } = await logs('')
  assert.equal(code, 0)
  const lines = out.trimEnd().split('\n')
  assert.equal(lines.length, 200)
  assert.match(lines[0] ?? '', /^11:59:59\.000 INFO {2}server\.feed record 300$/)
  assert.match(lines.at(-1) ?? '', /record 499$/)
  assert.equal(err, 'the last 200 of 500 records; -n 0 shows all\n')
  const all = await logs('-n 0')
  assert.equal(all.out.trimEnd().split('\n').length, 500)
  assert.equal(all.err, '')
})

test('--json gives the records as they are stored', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, TODAY, numbered(3))
  const { out } = await logs('--json -n 2')
  assert.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { properties: { n: number } }).properties.n),
    [1, 2],
  )
})

test('--level, --thread, --process, --since and --grep each leave out what does not answer', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, TODAY, [
    { level: 'DEBUG', message: 'one', properties: { threadId: 'abc-1' } },
    { level: 'WARN', message: 'two', properties: { threadId: 'abd-1', process: 'server' } },
    { level: 'ERROR', message: 'three', at: NOON - 3_700_000 },
  ])
  const shown = async (args: string) =>
    (await logs(args)).out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ').at(-1))
  assert.deepEqual(await shown('--level warn'), ['two', 'three'])
  assert.deepEqual(await shown('--level WARNING'), ['two', 'three'])
  assert.deepEqual(await shown('--thread ab'), ['one', 'two'])
  assert.deepEqual(await shown('--thread abc'), ['one'])
  assert.deepEqual(await shown('--process server'), ['two'])
  assert.deepEqual(await shown('--since 1h'), ['one', 'two'])
  assert.deepEqual(await shown('--grep thre'), ['three'])
})

test('--since reaches back over midnight into yesterday’s file', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, '2029-12-30', [{ message: 'older', at: NOON - 2 * 86_400_000 }])
  write(logsDir, '2029-12-31', [{ message: 'yesterday', at: NOON - 80_000_000 }])
  write(logsDir, TODAY, [{ message: 'today' }])
  const { out } = await logs('--since 1d')
  assert.match(out, /^2029-12-31 .* yesterday\n2030-01-01 .* today\n$/)
  assert.match((await logs('--day yesterday')).out, /yesterday\n$/)
  assert.match((await logs('--day 2029-12-30')).out, /older\n$/)
})

test('what can’t be asked is a usage fault that says what can', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, TODAY, numbered(1))
  const faults: readonly (readonly [string, RegExp])[] = [
    ['--level constructor', /takes trace, debug, info, warning, error, fatal, not 'constructor'/],
    ['--level inf', /did you mean info\?/],
    ['--since yesterday', /30s, 10m, 2h or 1d/],
    ['--day 2030-02-30', /is no day/],
    ['--day ../../etc', /is no day/],
    ['--day 2029-01-01', /there is no log of 2029-01-01[\s\S]*there is one of 2030-01-01/],
    ['--file nothing.jsonl', /nothing\.jsonl does not exist/],
    ['--file .', /can't be read/],
    ['--follow --day today', /follows today's log, and no other/],
    ['--day today --file x', /two sources/],
    ['-n many', /takes a number/],
    ['stat', /logs has no 'stat'/],
    ['--nonsense', /unknown flag --nonsense/],
  ]
  for (const [args, said] of faults) {
    const { code, out, err } = await logs(args)
    assert.equal(code, 2, args)
    assert.match(err, said, args)
    assert.equal(out, '', args)
  }
})

test('nothing logged today is said, with the days there are', async (t) => {
  const { logsDir, logs } = await world(t)
  const none = await logs('')
  assert.deepEqual([none.code, none.out], [0, ''])
  assert.match(none.err, /nothing was logged today \(2030-01-01\); nothing has been logged yet/)
  write(logsDir, '2029-12-30', numbered(1))
  write(logsDir, '2029-12-31', numbered(1))
  assert.match((await logs('')).err, /there are 2, from 2029-12-30 to 2029-12-31/)
})

test('lines that are no records are counted, and control characters do not reach the terminal', async (t) => {
  const { logsDir, logs } = await world(t)
  const good = lineOf({ message: 'evil {x}', properties: { x: '\u001b[2J\u0007', threadId: '\u001b]0;t\u0007' } })
  writeFileSync(join(logsDir, `enso-${TODAY}.jsonl`), `${good}{"torn\n\0\0\0\n{"msg":"foreign"}\n${good.slice(0, 30)}`)
  const { out, err } = await logs('--color never')
  assert.equal(out.trimEnd().split('\n').length, 1)
  assert.doesNotMatch(out.replaceAll('\n', ''), /\p{Cc}/u)
  assert.match(out, /evil \\u001b\[2J\\u0007/)
  assert.equal(err, '3 lines were no record\n')
})

test('a terminal gets colours, a pipe and --json none', async (t) => {
  const { logsDir, logs } = await world(t)
  write(logsDir, TODAY, numbered(1))
  assert.ok((await logs('', { stdoutColumns: 80 })).out.includes('\u001b[32mINFO'))
  assert.ok(!(await logs('')).out.includes('\u001b'))
  assert.ok(!(await logs('--json', { stdoutColumns: 80 })).out.includes('\u001b'))
})

test('--follow shows what is written, over midnight, until a signal', async (t) => {
  const { logsDir, start } = await world(t)
  write(logsDir, TODAY, numbered(30))
  const { fake, code } = start('-f')
  const turn = async (): Promise<void> => {
    while (fake.clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await turn()
  assert.equal(fake.out.text().trimEnd().split('\n').length, 20)
  assert.match(fake.err.text(), /following the log of 2030-01-01; Ctrl-C ends\nthe last 20 of 30 records/)
  writeFileSync(join(logsDir, `enso-${TODAY}.jsonl`), lineOf({ message: 'late' }), { flag: 'a' })
  fake.clock.advance(250)
  await turn()
  assert.match(fake.out.text(), /late\n$/)
  write(logsDir, '2030-01-02', [{ message: 'next day' }])
  fake.clock.advance(12 * 3_600_000)
  await turn()
  assert.match(fake.out.text(), /next day\n$/)
  assert.match(fake.err.text(), /a new day: 2030-01-02/)
  assert.ok(fake.signal('SIGINT'))
  assert.equal(await code, 130)
})

test('a reader that has gone ends a follow and a long listing quietly', async (t) => {
  const { logsDir, start } = await world(t)
  write(logsDir, TODAY, numbered(10))
  const { fake, code } = start('-f')
  while (fake.clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  fake.io.stdout.destroy()
  assert.equal(await code, 0)
})

test('logs stats counts a day, for a person and as JSON', async (t) => {
  const { logsDir, logs } = await world(t)
  const run = { threadId: 't-1', generation: 1 }
  write(logsDir, TODAY, [
    { message: ENSO_LOG_EVENTS.loggingConfigured, properties: { pid: 7, file: 'info' } },
    { message: ENSO_LOG_EVENTS.runAcquired, properties: run },
    {
      message: ENSO_LOG_EVENTS.messageUsage,
      properties: { ...run, input: 1200, output: 30, cacheRead: 5, cacheWrite: 6, totalCost: 0.25, model: 'm-1' },
    },
    {
      message: ENSO_LOG_EVENTS.observation,
      properties: { ...run, kind: 'tool-call', toolCallId: 'c', toolName: 'bash' },
    },
    {
      message: ENSO_LOG_EVENTS.toolDenied,
      properties: { ...run, toolName: 'read', reason: 'no', rule: 'secret-path' },
    },
    {
      message: ENSO_LOG_EVENTS.observation,
      properties: { ...run, kind: 'provider-refused', provider: 'p', status: 429 },
    },
  ])
  const json = JSON.parse((await logs('stats --json')).out) as EnsoDayStats
  assert.ok(Value.Check(EnsoDayStats, json))
  assert.equal(json.day, TODAY)
  assert.equal(json.totals.cost, 0.25)
  const { out } = await logs('stats')
  for (const part of [
    /1 run, 1 message, 1\.2k tokens in, 30 out/,
    /m-1 +1 +1\.2k +30 +\$0\.2500/,
    /secret-path +1/,
    /p +429 +1/,
    /cli +7/,
  ]) {
    assert.match(out, part)
  }
  assert.equal((await logs('stats --day 2020-01-01')).code, 2)
})

test('logs bundle writes one private file that logs reads back', async (t) => {
  const { folder, logsDir, logs } = await world(t)
  write(logsDir, '2029-12-31', [{ message: 'before', properties: { threadId: 'abc' } }])
  write(logsDir, TODAY, [
    {
      message: 'mine',
      level: 'WARN',
      properties: { threadId: 'abc', apiKey: '[REDACTED]', note: 'late-secret-value-1' },
    },
    { message: 'other', properties: { threadId: 'xyz' } },
  ])
  const env = { LATE_TOKEN: 'late-secret-value-1' }
  const { code, out, err } = await logs('bundle --thread abc -o bundle.md', { env })
  assert.equal(code, 0, err)
  assert.equal(out, `${join(folder, 'bundle.md')}\n`)
  assert.match(err, /2 of 2 records; read the file before you send it/)
  const text = readFileSync(join(folder, 'bundle.md'), 'utf8')
  assert.ok(isLogBundle(text))
  assert.equal(statSync(join(folder, 'bundle.md')).mode & 0o777, 0o600)
  assert.ok(!text.includes('late-secret-value-1'))
  assert.match(text, /\| apiKey \| 1 \|\n\| values \| 1 \|/)
  assert.match(text, /selection: 2029-12-31, 2030-01-01; threads abc…/)
  const back = await logs('--file bundle.md --json')
  assert.deepEqual(
    back.out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message),
    ['before', 'mine'],
  )
  writeFileSync(join(folder, 'half.md'), text.slice(0, text.lastIndexOf('"message":"mine"')))
  const half = await logs('--file half.md')
  assert.match(half.out, /before/)
  assert.match(half.err, /1 line was no record/)
  const piped = await logs('bundle -o -', { env })
  assert.ok(isLogBundle(piped.out))
})

test('a bundle of nothing is refused and leaves no file', async (t) => {
  const { folder, logsDir, logs } = await world(t)
  write(logsDir, TODAY, numbered(1))
  const { code, err } = await logs('bundle --thread nobody')
  assert.equal(code, 2)
  assert.match(err, /no record answers this selection/)
  assert.deepEqual(readdirSync(folder), ['logs'])
})

test('that nothing answers is said, and where was looked', async (t) => {
  const { logs, logsDir } = await world(t)
  write(logsDir, TODAY, numbered(2))
  const { code, out, err } = await logs('--level error')
  assert.deepEqual([code, out, err], [0, '', `no record of ${TODAY} answers this\n`])
})

test('a property is left out behind the message only where it is named in it', async (t) => {
  const { logs, logsDir } = await world(t)
  write(logsDir, TODAY, [{ message: 'run {generation} acquired', properties: { generation: 1, seq: 1 } }])
  assert.match((await logs('')).out, /run 1 acquired {2}seq=1\n/)
})
