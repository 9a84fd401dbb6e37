import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { main } from '../../src/cli/main.js'
import {
  EnsoContextRequestDetail,
  EnsoSpendingStats,
  ENSO_LOG_EVENTS,
  EnsoThreadContext,
  EnsoThreadEvents,
  EnsoThreadStats,
  EnsoThreadTimeline,
  lazyValidator,
} from '../../src/core/index.js'
import { createSessionStore } from '../../src/host/session/session-store.js'
import { ensoHome } from '../../src/system/home.js'
import { projectIdOf } from '../../src/system/project-id.js'
import { fakeIo, type FakeIoOptions } from '../support/cli-io.js'
import { partsWith } from '../support/cli-parts.js'
import { testFolder } from '../support/fake-cli.js'
import { assertGolden } from '../support/golden.js'
import { sessionLines, sessionStart, workedThread } from '../support/session-lines.js'

const NOON = Date.parse('2030-01-02T12:00:00.000Z')
const PLANTED = 'sk-planted-4f9a81c2d7e60b35'

interface World {
  readonly folder: string
  readonly threadsDir: string
  readonly logsDir: string
  run(args: string, more?: FakeIoOptions): Promise<{ code: number; out: string; err: string }>
  enso(args: readonly string[], more?: FakeIoOptions): Promise<{ code: number; out: string; err: string }>
}

/** A home with real files: a store over them, and logs. Nothing of it needs the agent library. */
async function world(t: TestContext): Promise<World> {
  const folder = await testFolder(t)
  const home = ensoHome({ ENSO_HOME: folder })
  for (const dir of [home.threadsDir, home.logsDir]) mkdirSync(dir, { recursive: true })
  const store = createSessionStore({ threadsDir: home.threadsDir })
  const enso: World['enso'] = async (argv, more = {}) => {
    const { io, out, err, clock } = fakeIo({ cwd: folder, argv, env: { TZ: 'UTC' }, ...more })
    clock.advance(NOON - clock.now())
    const code = await main(io, partsWith({ home, store: async () => store }))
    return { code, out: out.text(), err: err.text() }
  }
  const run: World['run'] = (args, more) => enso(['threads', ...args.split(' ').filter((word) => word !== '')], more)
  return { folder, threadsDir: home.threadsDir, logsDir: home.logsDir, run, enso }
}

/** A log of the worked thread's first run, two of another thread, and a run that went past midnight. */
function writeLogs(logsDir: string): void {
  const line = (ms: number, message: string, properties: object, level = 'INFO'): string => {
    const stamp = new Date(sessionStart + ms).toISOString()
    const own = { threadId: 'worked-1', generation: 1, process: 'cli', pid: 7, ...properties }
    return `${JSON.stringify({ '@timestamp': stamp, level, message, logger: 'enso.server.run', properties: own })}\n`
  }
  const observed = (ms: number, kind: string, properties: object = {}, level = 'INFO'): string =>
    line(ms, ENSO_LOG_EVENTS.observation, { kind, ...properties }, level)
  const hour = 3_600_000
  writeFileSync(
    join(logsDir, 'enso-2030-01-02.jsonl'),
    [
      line(4900, ENSO_LOG_EVENTS.runAcquired, {}),
      line(4900, ENSO_LOG_EVENTS.promptAdmitted, { messageId: 'm1', admission: 'opened' }),
      line(5200, ENSO_LOG_EVENTS.runFirstDelta, { firstDeltaMs: 300 }),
      observed(5200, 'text-delta', { contentIndex: 0, pieces: 4, chars: 8 }, 'DEBUG'),
      observed(6000, 'tool-call', { toolCallId: 'c1', toolName: 'read' }),
      observed(6000, 'tool-call', { toolCallId: 'c2', toolName: 'grep' }),
      observed(6040, 'tool-result', { toolCallId: 'c1', toolName: 'read', isError: false, complete: true }),
      observed(6500, 'tool-result', { toolCallId: 'c2', toolName: 'grep', isError: false, complete: true }),
      observed(13_000, 'settled'),
      line(13_000, ENSO_LOG_EVENTS.runReleased, { idleTimeoutMs: 0 }),
      line(14_000, ENSO_LOG_EVENTS.runAcquired, { threadId: 'worked-12' }),
      line(13.9 * hour, ENSO_LOG_EVENTS.runAcquired, { generation: 2 }),
      line(13.9 * hour, ENSO_LOG_EVENTS.promptAdmitted, { messageId: 'm2', generation: 2, admission: 'opened' }),
    ].join(''),
  )
  writeFileSync(
    join(logsDir, 'enso-2030-01-03.jsonl'),
    [
      observed(14.1 * hour, 'settled', { generation: 2 }),
      line(14.1 * hour, ENSO_LOG_EVENTS.runReleased, { generation: 2, idleTimeoutMs: 0 }),
      'no record\n',
    ].join(''),
  )
}

async function workedWorld(t: TestContext): Promise<World> {
  const made = await world(t)
  workedThread().writeTo(made.threadsDir, projectIdOf('/work'))
  writeLogs(made.logsDir)
  return made
}

const TERMINAL: FakeIoOptions = { stdoutColumns: 72, env: { NO_COLOR: '1' } }

test('each command has the text that a person was shown before', async (t) => {
  const { run } = await workedWorld(t)
  for (const [name, args] of [
    ['show', 'show worked-1'],
    ['stats', 'stats worked-1'],
    ['context', 'context worked-1'],
    ['context-request', 'context worked-1 6'],
    ['context-next', 'context worked-1 next'],
    ['events', 'events worked-1'],
    ['timeline', 'timeline worked-1'],
  ] as const) {
    const { code, out } = await run(args)
    assert.equal(code, 0, name)
    assertGolden(`threads/${name}.txt`, out)
    const narrow = await run(args, TERMINAL)
    assertGolden(`threads/${name}-72.txt`, narrow.out)
  }
})

test('each command has the JSON that its schema says, as before', async (t) => {
  const { run } = await workedWorld(t)
  const commands: readonly (readonly [name: string, args: string, schema: TSchema | undefined])[] = [
    ['show', 'show worked-1', undefined],
    ['stats', 'stats worked-1', EnsoThreadStats],
    ['context', 'context worked-1', EnsoThreadContext],
    ['context-request', 'context worked-1 6', EnsoContextRequestDetail],
    ['context-next', 'context worked-1 next', EnsoContextRequestDetail],
    ['events', 'events worked-1', EnsoThreadEvents],
    ['timeline', 'timeline worked-1', EnsoThreadTimeline],
  ]
  for (const [name, args, schema] of commands) {
    const { code, out } = await run(`${args} --json`)
    assert.equal(code, 0, name)
    assert.equal(out.split('\n').length, 2, `${name} is one line`)
    const value: unknown = JSON.parse(out)
    if (schema !== undefined) assert.ok(lazyValidator(schema).check(value), name)
    assertGolden(`threads/${name}.json`, `${JSON.stringify(value, undefined, 2)}\n`)
  }
})

test('a thread without records of its prompt and tools says unknown, and no error is made up', async (t) => {
  const { run, threadsDir } = await world(t)
  const lines = sessionLines('bare', '/work')
  lines.prompt('hello')
  lines.reply([{ type: 'text', text: 'hi' }], { input: 3000, output: 2, cost: 0 })
  lines.writeTo(threadsDir, 'p')
  assertGolden('threads/context-unknown-72.txt', (await run('context bare', TERMINAL)).out)
  const { out } = await run('context bare 1 --json')
  const { elements } = JSON.parse(out) as EnsoContextRequestDetail
  assert.deepEqual(
    elements.map(({ key, tokens }) => [key, tokens]),
    [
      ['unknown:system', 0],
      ['unknown:tools', 0],
      ['e0000001', 2],
    ],
  )
})

test('no line of a table is wider than the terminal, and nothing of a thread reaches it raw', async (t) => {
  const { run } = await workedWorld(t)
  for (const args of ['stats worked-1', 'context worked-1', 'events worked-1', 'timeline worked-1']) {
    for (const columns of [40, 72, 200]) {
      const { out } = await run(args, { ...TERMINAL, stdoutColumns: columns })
      const wide = out.split('\n').filter((line) => line.length >= columns)
      assert.deepEqual(wide, [], `${args} at ${columns}`)
    }
  }
  for (const args of ['show', 'stats', 'context', 'timeline', 'events']) {
    const { out } = await run(`${args} worked-1`)
    // oxlint-disable-next-line no-control-regex
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/.test(out), args)
  }
})

test('colour is for terminals, and for whoever asks', async (t) => {
  const { run } = await workedWorld(t)
  assert.ok(!(await run('stats worked-1')).out.includes('\u001b['))
  assert.ok((await run('stats worked-1 --color always')).out.includes('\u001b['))
  assert.ok((await run('stats worked-1', { stdoutColumns: 72, env: { TERM: 'xterm' } })).out.includes('\u001b['))
})

test('the beginning of an id is enough where it is one thread’s, and every match is named where it isn’t', async (t) => {
  const { run, threadsDir } = await workedWorld(t)
  sessionLines('worked-12', '/work').writeTo(threadsDir, 'p')
  sessionLines('other', '/work').writeTo(threadsDir, 'p')
  assert.equal((await run('stats o')).code, 0)
  assert.match((await run('stats worked-1')).out, /^worked-1\n/)
  const several = await run('stats work')
  assert.equal(several.code, 2)
  assert.match(
    several.err,
    /work fits several threads\n {2}worked-1, worked-12|work fits several threads\n {2}worked-12, worked-1/,
  )
  assert.equal((await run('stats nobody')).code, 6)
  for (const name of ['../x', '-', 'a_b', 'é']) assert.equal((await run(`stats -- ${name}`)).code, 2, name)
})

test('a word too many, too few or unknown, and a flag that means nothing here, are refused', async (t) => {
  const { run } = await workedWorld(t)
  for (const args of ['stats', 'stats a b', 'context', 'context a b c', 'context worked-1 0', 'context worked-1 x']) {
    assert.equal((await run(args)).code, 2, args)
  }
  assert.equal((await run('stats worked-1 --html')).code, 2)
  assert.equal((await run('unheard-of worked-1')).code, 2)
  const none = await run('context worked-1 99')
  assert.equal(none.code, 2)
  assert.match(none.err, /no request 99\n {2}it has 6/)
})

test('an export is one private file without secrets, and says so', async (t) => {
  const { run, folder, threadsDir } = await workedWorld(t)
  const lines = workedThread('leaky', '/work')
  lines.prompt(`the key is ${PLANTED} <script>alert(1)</script>`)
  lines.reply([{ type: 'text', text: '![x](http://evil.example/p.png) <img src=x>' }], { input: 1, output: 1, cost: 0 })
  lines.writeTo(threadsDir, 'p')
  for (const form of ['html', 'md', 'json']) {
    const { code, out, err } = await run(`export leaky --${form}`)
    assert.deepEqual(
      [code, out, err],
      [0, `${join(folder, `enso-leaky.${form}`)}\n`, 'read the file before you send it\n'],
    )
    const text = readFileSync(join(folder, `enso-leaky.${form}`), 'utf8')
    assert.equal(statSync(join(folder, `enso-leaky.${form}`)).mode & 0o777, 0o600)
    assert.ok(!text.includes(PLANTED) && text.includes('[REDACTED:value]'), form)
    const kept = await run(`export leaky --${form} --no-redact -o -`)
    assert.ok(kept.out.includes(PLANTED), form)
  }
  const html = readFileSync(join(folder, 'enso-leaky.html'), 'utf8')
  assert.ok(!/<script|<img src=x|<b>read/.test(html))
  assert.deepEqual(
    [...html.matchAll(/(?:src|href)="([^"]{0,24})/g)].map(([, target]) => target),
    ['data:image/png;base64,iV'],
  )
  const markdown = readFileSync(join(folder, 'enso-leaky.md'), 'utf8')
  assert.ok(markdown.includes('!\\[x](http://evil.example/p.png) &lt;img src=x>'))
})

test('the exports of a thread are what they were before', async (t) => {
  const { run, folder } = await workedWorld(t)
  for (const form of ['html', 'md', 'json']) {
    await run(`export worked-1 --${form} -o out.${form}`)
    const text = readFileSync(join(folder, `out.${form}`), 'utf8')
    assertGolden(
      `threads/export.${form}`,
      form === 'json' ? `${JSON.stringify(JSON.parse(text), undefined, 2)}\n` : text,
    )
  }
  assert.equal((await run('export worked-1')).code, 2)
  assert.equal((await run('export worked-1 --html --md')).code, 2)
  assert.equal((await run('export worked-1 --html -o out.md/x.html')).code, 1)
})

test('enso stats sums every thread by model, project and day, a fork’s copies once', async (t) => {
  const { enso, threadsDir } = await workedWorld(t)
  const fork = workedThread('worked-fork', '/work')
  fork.reply([{ type: 'text', text: 'only here' }], { input: 5, output: 5, cost: 0.5 })
  fork.writeTo(threadsDir, projectIdOf('/work'))
  const other = sessionLines('elsewhere', '/shop')
  other.prompt('hi')
  other.reply([{ type: 'text', text: 'hello' }], { input: 10, output: 2, cost: 0.25 })
  other.writeTo(threadsDir, 'shop')
  writeFileSync(join(threadsDir, 'shop', '2030_broken.jsonl'), 'nothing\n')
  const { code, out, err } = await enso(['stats', '--json'])
  assert.equal(code, 0)
  assert.equal(err, '1 file is no thread: 2030_broken.jsonl\n')
  const stats = JSON.parse(out) as EnsoSpendingStats
  assert.ok(lazyValidator(EnsoSpendingStats).check(stats))
  assert.deepEqual([stats.threads, stats.totals.messages, stats.totals.input], [3, 9, 3215])
  assert.equal(stats.totals.cost.toFixed(6), '0.771700')
  for (const rows of [stats.models, stats.projects, stats.days]) {
    assert.equal(rows.reduce((sum, row) => sum + row.cost, 0).toFixed(6), '0.771700')
    assert.equal(
      rows.reduce((sum, row) => sum + row.messages, 0),
      9,
    )
  }
  const text = await enso(['stats'])
  assertGolden('threads/spending.txt', text.out)
  assertGolden('threads/spending-72.txt', (await enso(['stats'], TERMINAL)).out)
  assert.equal((await enso(['stats', '--since', '5m', '--json'])).out.includes('"threads":0'), true)
  assert.equal((await enso(['stats', '--since', 'soon'])).code, 2)
  assert.equal((await enso(['stats', 'worked-1'])).code, 2)
})

test('looking at a thread changes nothing of it', async (t) => {
  const { run, threadsDir } = await workedWorld(t)
  const file = workedThread('looked-at', '/work').writeTo(threadsDir, 'p')
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, -30))
  const before = readFileSync(file, 'utf8')
  for (const args of ['show', 'stats', 'context', 'events', 'timeline']) {
    assert.equal((await run(`${args} looked-at`)).code, 0, args)
  }
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.ok(existsSync(file))
})
