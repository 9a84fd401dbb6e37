import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { EnsoDayStats, EnsoLogTailFrame } from '../../src/core/index.js'
import { configureLogging } from '../../src/log/configure.js'
import { localDayOf } from '../../src/log/day.js'
import { dayFilePath } from '../../src/log/log-days.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { createManualClock } from '../support/manual-clock.js'
import { readEvents, servedApp, type ServedApp, TEST_TOKEN } from '../support/served-app.js'

const line = (at: number, level: string, message: string, properties: object = {}): string =>
  `${JSON.stringify({ '@timestamp': new Date(at).toISOString(), level, message, logger: 'enso.server.x', properties })}\n`

function withLog(t: TestContext): ServedApp & { readonly file: string; readonly day: string } {
  const served = servedApp(t)
  mkdirSync(join(served.dir, 'logs'))
  const day = localDayOf(served.clock.now())
  return { ...served, day, file: dayFilePath(join(served.dir, 'logs'), day) }
}

/** Logging into the app's folder for as long as a test lasts. */
async function logging(t: TestContext, dir: string) {
  const secrets = createKnownSecrets()
  secrets.add(TEST_TOKEN)
  const handle = await configureLogging({
    logsDir: join(dir, 'logs'),
    process: 'server',
    env: {},
    secrets,
    clock: createManualClock(),
  })
  t.after(() => handle.close())
  return () => {
    handle.flushSync()
    const file = dayFilePath(join(dir, 'logs'), localDayOf(Date.UTC(2030, 0, 1)))
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(
        (text) =>
          JSON.parse(text) as { level: string; logger: string; message: string; properties: Record<string, unknown> },
      )
  }
}

test('a day’s records are read by level, thread and text, the newest first to stay', async (t) => {
  const { ask, file, day, clock } = withLog(t)
  const at = clock.now()
  appendFileSync(
    file,
    line(at, 'INFO', 'one', { threadId: 'abc' }) + line(at, 'WARN', 'two') + line(at, 'ERROR', 'three') + 'torn',
  )
  const read = async (query: string) => {
    const frame = (await (await ask(`/api/logs${query}`)).json()) as EnsoLogTailFrame
    return [frame.type, frame.day, frame.lines.map(({ message }) => message), frame.matched, frame.malformed]
  }
  assert.deepEqual(await read(''), ['backlog', day, ['one', 'two', 'three'], 3, 0])
  assert.deepEqual(await read('?level=warn'), ['backlog', day, ['two', 'three'], 2, 0])
  assert.deepEqual(await read('?thread=ab'), ['backlog', day, ['one'], 1, 0])
  assert.deepEqual(await read('?grep=hre'), ['backlog', day, ['three'], 1, 0])
  assert.deepEqual(await read('?limit=1'), ['backlog', day, ['three'], 3, 0])
  assert.deepEqual(await read('?day=2001-01-01'), ['backlog', '2001-01-01', [], 0, 0])
})

test('a question that can’t be meant is refused', async (t) => {
  const { ask } = withLog(t)
  const queries = [
    'level=constructor',
    'level=__proto__',
    'since=soon',
    'day=2030-02-30',
    'day=../../etc',
    'limit=-1',
    'level=info&level=info',
    'more=1',
  ]
  for (const query of queries) assert.equal((await ask(`/api/logs?${query}`)).status, 400, query)
  for (const query of ['day=x', 'level=info']) assert.equal((await ask(`/api/logs/stats?${query}`)).status, 400, query)
  for (const query of ['from=x', 'level=constructor'])
    assert.equal((await ask(`/api/logs/tail?${query}`)).status, 400, query)
})

test('a tail begins with what there is, goes on with what comes, and is taken up again where it was', async (t) => {
  const { ask, file, day, clock } = withLog(t)
  appendFileSync(file, line(clock.now(), 'INFO', 'one') + line(clock.now(), 'WARN', 'two'))
  const events = readEvents(await ask('/api/logs/tail?level=warning'))
  const first = await events.next()
  const backlog = first.data as EnsoLogTailFrame
  assert.deepEqual([backlog.type, backlog.lines.map(({ message }) => message)], ['backlog', ['two']])
  assert.equal(first.id, `${day}:${backlog.offset}`)
  appendFileSync(file, line(clock.now(), 'ERROR', 'three'))
  const [second] = await Promise.all([events.next(), advanceUntilHeard(clock)])
  const records = second.data as EnsoLogTailFrame
  assert.deepEqual([records.type, records.lines.map(({ message }) => message)], ['records', ['three']])
  await events.cancel()
  const again = readEvents(await ask(`/api/logs/tail?day=${day}&from=${backlog.offset}`))
  const third = (await again.next()).data as EnsoLogTailFrame
  assert.deepEqual([third.type, third.lines.map(({ message }) => message)], ['records', ['three']])
  await again.cancel()
})

/** Moves time on turn by turn: a tail looks now and then. */
async function advanceUntilHeard(clock: ServedApp['clock']): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    clock.advance(100)
  }
}

test('a day’s statistics are folded from its file; a day without one is empty', async (t) => {
  const { ask, file, day, clock } = withLog(t)
  appendFileSync(file, line(clock.now(), 'INFO', 'one', { process: 'server' }))
  const stats = (await (await ask('/api/logs/stats')).json()) as EnsoDayStats
  assert.deepEqual([stats.day, stats.records], [day, 1])
  const empty = (await (await ask('/api/logs/stats?day=2001-01-01')).json()) as EnsoDayStats
  assert.deepEqual([empty.day, empty.records], ['2001-01-01', 0])
})

test('a page’s records are written down as the browser’s, under its own name', async (t) => {
  const { ask, dir } = servedApp(t)
  const records = await logging(t, dir)
  const record = {
    at: '2030-01-01T00:00:00.000Z',
    level: 'warning',
    logger: 'enso.browser.follow',
    message: 'lost {what}',
    properties: { what: 'x', apiKey: 'k', process: 'server' },
  }
  const response = await ask('/api/logs', { method: 'POST', body: { page: 'tab-1', records: [record] } })
  assert.equal(response.status, 204)
  const written = records().find(({ logger }) => logger === 'enso.browser.follow')
  assert.ok(written)
  assert.deepEqual([written.level, written.message], ['WARN', 'lost {what}'])
  const { what, apiKey, process, page } = written.properties
  assert.deepEqual([what, apiKey, process, page], ['x', '[REDACTED]', 'browser', 'tab-1'])
})

test('a page can’t log as somebody else, too much, or too large', async (t) => {
  const { ask, clock } = servedApp(t, { limits: { browserRecordsBurst: 3, browserRecordsPerSecond: 1 } })
  const post = async (logger: string, count = 1, level = 'info') => {
    const record = { at: '', level, logger, message: '', properties: {} }
    const body = { page: 'p', records: Array.from({ length: count }, () => record) }
    return (await ask('/api/logs', { method: 'POST', body })).status
  }
  for (const logger of [
    'enso.server',
    'enso.browserx',
    'enso.browser.',
    'enso.browser.a.b.c.d',
    'enso.browser.__proto__',
    '',
  ]) {
    assert.equal(await post(logger), 422, logger)
  }
  assert.equal(await post('enso.browser', 1, 'debug'), 400)
  assert.equal(await post('enso.browser', 2), 204)
  assert.equal(await post('enso.browser', 2), 429)
  clock.advance(1000)
  assert.equal(await post('enso.browser', 2), 204)
  const large = { page: 'x'.repeat(70_000), records: [] }
  assert.equal((await ask('/api/logs', { method: 'POST', body: large })).status, 413)
})

test('the access log names routes, and holds no address, token or body', async (t) => {
  const { ask, dir } = servedApp(t)
  const records = await logging(t, dir)
  await ask('/api/threads/my-thread/history')
  await ask(`/api/threads?token=${TEST_TOKEN}`, { headers: { authorization: null } })
  await ask('/api/threads/my-thread/prompt', { method: 'POST', body: { message: 'my-words' } })
  await ask('/my-path')
  const access = records().filter(({ logger }) => logger === 'enso.server.access')
  assert.deepEqual(
    access.map(({ properties: { method, route, status } }) => `${String(method)} ${String(route)} ${String(status)}`),
    [
      'GET /api/threads/:threadId/history 200',
      'GET /api/threads 401',
      'POST /api/threads/:threadId/prompt 202',
      'GET (none) 404',
    ],
  )
  assert.doesNotMatch(JSON.stringify(access), new RegExp(`${TEST_TOKEN}|my-thread|my-words|my-path`))
})

test('who asks for a mode is written down', async (t) => {
  const { ask, dir } = servedApp(t)
  const records = await logging(t, dir)
  await ask('/api/threads/t1/mode', { method: 'POST', body: { mode: 'plan' } })
  await ask('/api/threads/t1/mode', { method: 'POST', body: { mode: 'bypassPermissions' } })
  const asked = records().filter(({ logger }) => logger === 'enso.server.operations')
  assert.deepEqual(
    asked.map(({ properties: { mode, origin, outcome } }) => [mode, origin, outcome]),
    [
      ['plan', 'a program', 'taken'],
      ['bypassPermissions', 'a program', 'refused'],
    ],
  )
})

test('a thread’s bundle holds its records and nobody else’s', async (t) => {
  const { ask, file, clock } = withLog(t)
  appendFileSync(
    file,
    line(clock.now(), 'INFO', 'mine', { threadId: 't1' }) + line(clock.now(), 'INFO', 'foreign', { threadId: 't2' }),
  )
  const response = await ask('/api/threads/t1/bundle')
  assert.match(response.headers.get('content-type') ?? '', /^text\/markdown/)
  const text = await response.text()
  assert.match(text, /mine/)
  assert.doesNotMatch(text, /foreign/)
})
