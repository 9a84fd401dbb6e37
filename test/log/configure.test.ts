import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseLogLine } from '../../src/core/log-parse.js'
import { ENSO_LOG_EVENTS } from '../../src/core/log-events.js'
import { type EnsoLogLine, ensoLogger } from '../../src/core/log.js'
import { configureLogging, type LoggingOptions, type LogHandle } from '../../src/log/configure.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { testFolder } from '../support/fake-cli.js'
import { createManualClock } from '../support/manual-clock.js'

const child = fileURLToPath(new URL('../support/log-child.js', import.meta.url))

interface Logging {
  readonly handle: LogHandle
  readonly logsDir: string
  readonly clock: ReturnType<typeof createManualClock>
  readonly said: string[]
  readonly lines: () => EnsoLogLine[]
}

async function logging(t: TestContext, given: Partial<LoggingOptions> = {}): Promise<Logging> {
  const logsDir = given.logsDir ?? join(await testFolder(t), 'logs')
  const clock = createManualClock(new Date(2030, 0, 1, 12).getTime())
  const said: string[] = []
  const handle = await configureLogging({
    logsDir,
    process: 'test',
    env: {},
    secrets: createKnownSecrets(),
    stderr: { write: (text) => said.push(text) },
    clock,
    ...given,
  })
  t.after(() => handle.close())
  return { handle, logsDir, clock, said, lines: () => linesIn(logsDir) }
}

function linesIn(logsDir: string): EnsoLogLine[] {
  return readdirSync(logsDir)
    .sort()
    .flatMap((name) => readFileSync(join(logsDir, name), 'utf8').split('\n'))
    .filter((text) => text !== '')
    .map((text) => {
      const line = parseLogLine(text)
      assert.ok(line, text)
      return line
    })
}

const messages = (lines: readonly EnsoLogLine[]): (string | undefined)[] => lines.map(({ message }) => message)

test('the first record says what a process runs at, and nothing is opened before the first batch', async (t) => {
  const { handle, logsDir, clock, lines, said } = await logging(t, { env: { ENSO_LOG_LEVEL: 'debug,host=trace' } })
  assert.throws(() => readdirSync(logsDir))
  clock.advance(100)
  const [first, ...rest] = lines()
  assert.deepEqual(rest, [])
  assert.equal(first?.message, ENSO_LOG_EVENTS.loggingConfigured)
  const { file, console, overrides, pid, process: name } = first?.properties ?? {}
  assert.deepEqual(
    { file, console, overrides, pid, name },
    {
      file: 'debug',
      console: 'off',
      overrides: ['enso.host=trace'],
      pid: process.pid,
      name: 'test',
    },
  )
  assert.ok(!Number.isNaN(Date.parse(String(first?.properties?.['startedAt']))))
  assert.deepEqual(said, [])
  assert.equal(handle.lost(), 0)
})

test('folder and file are the owner’s alone', async (t) => {
  const { handle, logsDir } = await logging(t)
  handle.flushSync()
  const [name = ''] = readdirSync(logsDir)
  assert.match(name, /^enso-2030-01-01\.jsonl$/)
  assert.equal(statSync(logsDir).mode & 0o777, 0o700)
  assert.equal(statSync(join(logsDir, name)).mode & 0o777, 0o600)
})

test('records wait for a tenth of a second together; a warning is written at once', async (t) => {
  const { handle, clock, lines } = await logging(t)
  handle.flushSync()
  ensoLogger('host').info('waits')
  assert.deepEqual(messages(lines()).slice(1), [])
  clock.advance(99)
  assert.deepEqual(messages(lines()).slice(1), [])
  clock.advance(1)
  assert.deepEqual(messages(lines()).slice(1), ['waits'])
  ensoLogger('host').info('with it')
  ensoLogger('host').warn('urgent')
  assert.deepEqual(messages(lines()).slice(1), ['waits', 'with it', 'urgent'])
})

test('tiers are by category: a child of an override takes it, the rest does not', async (t) => {
  const { handle, lines } = await logging(t, { env: { ENSO_LOG_LEVEL: 'info,host.feed=debug,server=error' } })
  ensoLogger('host', 'feed', 'deep').debug('1')
  ensoLogger('host', 'other').debug('no')
  ensoLogger('host', 'other').info('2')
  ensoLogger('server').warn('no')
  ensoLogger('server').error('3')
  handle.flushSync()
  assert.deepEqual(messages(lines()).slice(1), ['1', '2', '3'])
})

test('what ENSO_LOG_LEVEL says and nobody understands is named and counts as not said', async (t) => {
  const { handle, lines } = await logging(t, { env: { ENSO_LOG_LEVEL: 'constructor,host=loud,debug' } })
  handle.flushSync()
  assert.deepEqual(
    lines()
      .slice(1)
      .map(({ properties }) => properties?.['part']),
    ['constructor', 'host=loud'],
  )
  assert.equal(lines()[0]?.properties?.['file'], 'debug')
})

test('standard error says nothing unless a level is asked for, and then no control characters', async (t) => {
  const { handle, said, lines } = await logging(t, { level: 'debug', env: { SOME_TOKEN: 'a-secret-value-1' } })
  ensoLogger('host', 'x').debug('hello {name}', { name: 'a-secret-value-1\u001b[2J' })
  ensoLogger('host', 'x').trace('no')
  handle.flushSync()
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /DEBUG host\.x hello \[REDACTED:value\]\\u001b\[2J\n$/)
  assert.deepEqual(messages(lines()).slice(1), ['hello {name}'])
})

test('midnight puts a new file in place while the process runs, and a clock set back finds the old one again', async (t) => {
  const { handle, logsDir, clock } = await logging(t)
  clock.advance(new Date(2030, 0, 1, 23, 59, 59, 950).getTime() - clock.now())
  ensoLogger('host').info('before')
  clock.advance(90)
  ensoLogger('host').info('after')
  clock.advance(100)
  clock.advance(-1000)
  ensoLogger('host').info('set back')
  handle.flushSync()
  const days = readdirSync(logsDir).map((name) => {
    const texts = readFileSync(join(logsDir, name), 'utf8').trim().split('\n')
    return [name, messages(texts.map((text) => parseLogLine(text)!)).slice(-2)]
  })
  assert.deepEqual(days, [
    ['enso-2030-01-01.jsonl', ['before', 'set back']],
    ['enso-2030-01-02.jsonl', ['after']],
  ])
})

test('a folder that can’t be written stops nothing, is said once, and what was lost is told when it can be', async (t) => {
  const root = await testFolder(t)
  const logsDir = join(root, 'logs')
  writeFileSync(logsDir, 'a file where the folder should be')
  const { handle, said, lines } = await logging(t, { logsDir })
  for (let n = 0; n < 5; n++) ensoLogger('host').warn('lost')
  assert.equal(handle.lost(), 6)
  assert.equal(said.length, 1)
  assert.match(said[0] ?? '', /the log can't be written, the run goes on/)
  rmSync(logsDir)
  ensoLogger('host').warn('kept')
  assert.deepEqual(messages(lines()), ['kept', '{lost} log records could not be written: {reason}'])
  assert.equal(lines()[1]?.properties?.['lost'], 6)
  assert.equal(said.length, 1)
})

test('credentials of a file are known as soon as they are in it, and one that can’t be read is said once', async (t) => {
  const root = await testFolder(t)
  const auth = join(root, 'auth.json')
  const odd = join(root, 'odd.json')
  mkdirSync(odd)
  const { handle, lines } = await logging(t, { credentialFiles: [auth, odd] })
  handle.flushSync()
  writeFileSync(auth, JSON.stringify({ anthropic: { type: 'api_key', key: 'stored-credential-1' } }))
  ensoLogger('host').info('uses stored-credential-1')
  handle.flushSync()
  ensoLogger('host').info('{name}', { name: 'stored-credential-1' })
  handle.flushSync()
  const texts = lines().map((line) => JSON.stringify(line))
  assert.ok(!texts.join('').includes('stored-credential-1'))
  assert.equal(texts.filter((text) => text.includes('credentials in {file}')).length, 1)
})

test('a record that can’t be read is named, and the others are written', async (t) => {
  const { handle, lines } = await logging(t)
  const trap = {
    get x(): never {
      throw new Error('no reading here')
    },
  }
  ensoLogger('host').info('trapped {a}', { a: trap })
  ensoLogger('host').info('fine')
  handle.flushSync()
  const [, trapped, fine] = lines()
  assert.equal(trapped?.properties?.['template'], 'trapped {a}')
  assert.equal(fine?.message, 'fine')
})

test('days past the kept ones go when a new day begins, and nothing else does', async (t) => {
  const root = await testFolder(t)
  const names = [
    'enso-2029-12-29.jsonl',
    'enso-2029-12-30.jsonl',
    'enso-2029-12-31.jsonl',
    'enso-2029-13-01.jsonl',
    'notes.txt',
  ]
  for (const name of names) writeFileSync(join(root, name), '')
  const clock = createManualClock(new Date(2030, 0, 1, 12).getTime())
  const { handle } = await logging(t, { logsDir: root, clock, retentionDays: 2 })
  handle.flushSync()
  assert.deepEqual(readdirSync(root).sort(), [
    'enso-2029-12-31.jsonl',
    'enso-2029-13-01.jsonl',
    'enso-2030-01-01.jsonl',
    'notes.txt',
  ])
})

async function runChild(logsDir: string, how: string, count: number): Promise<{ code: number | null; stderr: string }> {
  const process_ = spawn(process.execPath, [child, logsDir, how, String(count)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  process_.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
  if (how === 'kill') {
    await once(process_.stdout, 'data')
    process_.kill('SIGKILL')
  }
  const [code] = (await once(process_, 'close')) as [number | null]
  return { code, stderr }
}

test('several processes append whole lines to one file, and all of them', async (t) => {
  const logsDir = join(await testFolder(t), 'logs')
  await Promise.all(Array.from({ length: 4 }, () => runChild(logsDir, 'return', 2000)))
  const lines = linesIn(logsDir)
  const byPid = new Map<unknown, number[]>()
  for (const { properties } of lines) {
    const { pid, n } = properties ?? {}
    if (typeof n === 'number') byPid.set(pid, [...(byPid.get(pid) ?? []), n])
  }
  assert.equal(byPid.size, 4)
  for (const numbers of byPid.values())
    assert.deepEqual(
      numbers,
      Array.from({ length: 2000 }, (_, n) => n),
    )
})

test('every way out writes what is waiting: an end, an exit, a throw', async (t) => {
  for (const [how, code] of [
    ['return', 0],
    ['close', 0],
    ['exit', 3],
    ['throw', 1],
  ] as const) {
    const logsDir = join(await testFolder(t), how)
    const end = await runChild(logsDir, how, 10)
    assert.equal(end.code, code, how)
    assert.equal(linesIn(logsDir).length, 11, how)
  }
})

test('a process that is killed loses no more than its last batch, and leaves whole lines', async (t) => {
  const logsDir = join(await testFolder(t), 'logs')
  await runChild(logsDir, 'kill', 1000)
  const kept = linesIn(logsDir).length
  assert.ok(kept >= 1001 - 256, `${kept} records`)
})

test('a process whose log can’t be written ends as it would have', async (t) => {
  const root = await testFolder(t)
  writeFileSync(join(root, 'logs'), 'a file where the folder should be')
  const end = await runChild(join(root, 'logs'), 'exit', 1000)
  assert.equal(end.code, 3)
  assert.equal(end.stderr.split('\n').filter((line) => line.includes("the log can't be written")).length, 1)
})

test('a full disk stops nothing and is said once', async (t) => {
  const logsDir = join(await testFolder(t), 'logs')
  // A bound on file sizes fails a write in the middle of a line, as a full disk does.
  const shell = spawn(
    '/bin/bash',
    ['-c', `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`, process.execPath, child, logsDir, 'return', '200'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let stderr = ''
  shell.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
  const [code] = (await once(shell, 'close')) as [number | null]
  assert.equal(code, 0, stderr)
  assert.equal(stderr.split('\n').filter((line) => line.includes("the log can't be written")).length, 1)
  const [name = ''] = readdirSync(logsDir)
  const text = readFileSync(join(logsDir, name), 'utf8')
  assert.ok(text.length <= 8 * 1024)
  // The next process begins on a line of its own.
  await runChild(logsDir, 'return', 1)
  const after = readFileSync(join(logsDir, name), 'utf8')
    .slice(text.length)
    .split('\n')
    .filter((line) => line !== '')
  assert.equal(after.filter((line) => parseLogLine(line) !== undefined).length, 2)
})
