import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { EnsoSpendingStats, EnsoThreadContext, EnsoThreadEvents, EnsoThreadStats } from '../../src/core/index.js'
import { startModelServer, type ModelServer } from '../support/model-server.js'
import { createPlace, jsonLines, runEnso, startEnso, type Place } from '../support/run-enso.js'

const usage = (input: number, output: number) => ({ input, output })

async function placeWithServer(t: TestContext): Promise<{ place: Place; server: ModelServer }> {
  const server = await startModelServer()
  t.after(() => server.close())
  return { place: await createPlace(t, { server }), server }
}

/** A stored thread of two prompts, the first of which read a file. */
async function storedThread(t: TestContext, { place, server }: { place: Place; server: ModelServer }): Promise<void> {
  await place.write('work/a.txt', 'one\ntwo\n')
  server.enqueue(
    { text: 'Looking.', toolCalls: [{ name: 'read', args: { path: 'a.txt' } }], usage: usage(900, 20) },
    { text: 'Two lines.', usage: usage(1000, 5) },
    { text: 'Yes.', usage: usage(1100, 2) },
  )
  const first = await runEnso(t, place, ['-m', 'local/x', '--thread-id', 'demo-thread', 'how many lines?'])
  assert.equal(first.exitCode, 0, first.stderr)
  const second = await runEnso(t, place, ['-r', 'demo-thread', 'sure?'])
  assert.equal(second.exitCode, 0, second.stderr)
}

test('what a run spent is what its thread, all threads and its result line say', async (t) => {
  const world = await placeWithServer(t)
  const { place } = world
  await storedThread(t, world)
  const stats = JSON.parse((await runEnso(t, place, ['threads', 'stats', 'demo', '--json'])).stdout) as EnsoThreadStats
  assert.deepEqual([stats.usage.input, stats.usage.output], [3000, 27])
  assert.deepEqual(
    stats.promptStats.map(({ text, turnCount, toolCalls }) => [text, turnCount, toolCalls]),
    [
      ['how many lines?', 2, 1],
      ['sure?', 1, 0],
    ],
  )
  assert.equal(stats.latency.prompts.count, 2)
  assert.ok((stats.callStats[0]?.durationMs ?? -1) >= 0)
  assert.equal(stats.logDays.length, 1)
  const spent = JSON.parse((await runEnso(t, place, ['stats', '--json'])).stdout) as EnsoSpendingStats
  assert.deepEqual([spent.totals.input, spent.totals.output, spent.threads], [3000, 27, 1])
  assert.ok(Math.abs(spent.totals.cost - stats.branchCost) < 1e-12)
  const context = JSON.parse(
    (await runEnso(t, place, ['threads', 'context', 'demo', '--json'])).stdout,
  ) as EnsoThreadContext
  assert.equal(context.requests.length, 3)
  assert.ok(context.next.system > 100 && context.next.tools > 100)
  assert.ok(!context.events.some(({ key }) => key.startsWith('unknown')))
})

test('a live thread answers the same over JSON lines as its file does afterwards', async (t) => {
  const { place, server } = await placeWithServer(t)
  server.otherwise({ text: 'ok', usage: usage(700, 3) })
  const enso = startEnso(t, place, ['--json', '-m', 'local/x', '--thread-id', 'live-one'], { stdin: 'open' })
  enso.send({ type: 'prompt', requestId: 'p', message: 'hello' })
  await enso.waitForJson<{ type: string; observation?: { kind: string } }>(
    ({ type, observation }) => type === 'observation' && observation?.kind === 'settled',
  )
  const ask = async (type: string, more: object = {}): Promise<unknown> => {
    enso.send({ type, requestId: type, ...more })
    const { result } = await enso.waitForJson<{ type: string; requestId?: string; result: unknown }>(
      (line) => line.type === 'reply' && line.requestId === type,
    )
    return result
  }
  const stats = (await ask('stats')) as EnsoThreadStats
  const context = (await ask('context')) as EnsoThreadContext
  const detail = (await ask('context-request', { request: 1 })) as { elements: unknown[] }
  const timeline = (await ask('timeline')) as { entries: { source: string }[] }
  assert.equal(stats.live, true)
  assert.equal(stats.latency.prompts.count, 1)
  assert.ok(detail.elements.length > 3)
  assert.ok(new Set(timeline.entries.map(({ source }) => source)).size === 3)
  enso.endInput()
  assert.equal((await enso.ended).exitCode, 0)

  const stored = JSON.parse(
    (await runEnso(t, place, ['threads', 'stats', 'live-one', '--json'])).stdout,
  ) as EnsoThreadStats
  const { live: _live, usage: liveUsage, ...rest } = stats
  const { live: _stored, usage: storedUsage, ...storedRest } = stored
  assert.deepEqual(rest, storedRest)
  assert.deepEqual({ ...liveUsage, context: null }, storedUsage)
  const storedContext = JSON.parse(
    (await runEnso(t, place, ['threads', 'context', 'live-one', '--json'])).stdout,
  ) as EnsoThreadContext
  assert.deepEqual({ ...context, live: false, usage: null }, storedContext)
})

test('a server tells of its live threads what a file can’t: how each event was delivered', async (t) => {
  const { place, server } = await placeWithServer(t)
  server.otherwise({ text: 'ok', usage: usage(700, 3) })
  const serve = startEnso(t, place, ['serve', '-m', 'local/x'])
  const address = (await serve.waitForLine(/^listening /)).replace('listening ', '')
  const run = await runEnso(t, place, ['--connect', address, '--thread-id', 'served-thread', 'hello'])
  assert.equal(run.exitCode, 0, run.stderr)
  const ask = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runEnso(t, place, ['threads', ...args, '--connect', address])
    assert.equal(exitCode, 0, stderr)
    return stdout
  }
  const events = JSON.parse(await ask('events', 'served', '--json')) as EnsoThreadEvents
  assert.ok(events.emitted.length > 3 && events.sent.length > 3)
  assert.ok(events.emitted.some(({ provenance }) => provenance === 'live'))
  const stats = JSON.parse(await ask('stats', 'served', '--json')) as EnsoThreadStats
  assert.deepEqual([stats.live, stats.usage.input], [true, 700])
  assert.match(await ask('context', 'served', '1'), /^served-thread, request 1\n/)
  assert.match(await ask('timeline', 'served'), / live +message-start assistant/)
  const unknown = await runEnso(t, place, ['threads', 'stats', 'nobody', '--connect', address])
  assert.equal(unknown.exitCode, 6)
})

/** Words of the agent library's own prompt: whatever file holds them is the library. */
const LIBRARY_MARK = 'operating inside pi, a coding agent harness'

/** Runs the program and answers the files it loaded that are the agent library's. */
async function libraryFiles(t: TestContext, place: Place, args: readonly string[]): Promise<readonly string[]> {
  const list = join(place.tmp, 'loaded.txt')
  const note = `appendFileSync(${JSON.stringify(list)}, url + '\\n')`
  const hooks =
    `import { appendFileSync } from 'node:fs'\n` +
    `export async function load(url, context, next) { ${note}; return next(url, context) }\n`
  // A chunk may also be read as a text and run as a script.
  const register =
    `import fs, { appendFileSync } from 'node:fs'\n` +
    `import { register, syncBuiltinESMExports } from 'node:module'\n` +
    `import { pathToFileURL } from 'node:url'\n` +
    `register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})\n` +
    `const read = fs.readFileSync\n` +
    `fs.readFileSync = (path, ...rest) => {\n` +
    `  if (/\\.c?js$/.test(String(path))) { const url = path instanceof URL ? path.href : pathToFileURL(path).href; ${note} }\n` +
    `  return read(path, ...rest)\n` +
    `}\n` +
    `syncBuiltinESMExports()\n`
  const file = await place.write('register.mjs', register)
  await writeFile(list, '')
  const { exitCode, stderr } = await runEnso(t, place, args, { env: { NODE_OPTIONS: `--import ${file}` } })
  assert.equal(exitCode, 0, stderr)
  const urls = (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'))
  assert.ok(urls.length > 2, 'nothing was loaded')
  const texts = await Promise.all(urls.map(async (url) => [url, await readFile(new URL(url), 'utf8')] as const))
  return texts.filter(([, text]) => text.includes(LIBRARY_MARK)).map(([url]) => url)
}

test('no look at stored threads loads the agent library', async (t) => {
  const world = await placeWithServer(t)
  const { place } = world
  await storedThread(t, world)
  assert.ok((await libraryFiles(t, place, ['models'])).length > 0, 'the library is not told from the rest')
  for (const args of [
    'list',
    'show demo',
    'stats demo',
    'context demo',
    'context demo 2',
    'events demo',
    'timeline demo',
    'export demo --md',
  ]) {
    assert.deepEqual(await libraryFiles(t, place, ['threads', ...args.split(' ')]), [], args)
  }
  assert.deepEqual(await libraryFiles(t, place, ['stats']), [])
})

test('a thread is exported whole without the agent’s own secrets', async (t) => {
  const world = await placeWithServer(t)
  const { place } = world
  await storedThread(t, world)
  const { exitCode, stdout } = await runEnso(t, place, ['threads', 'export', 'demo', '--html', '-o', 'out.html'])
  assert.deepEqual([exitCode, stdout], [0, `${join(place.cwd, 'out.html')}\n`])
  const html = await readFile(join(place.cwd, 'out.html'), 'utf8')
  assert.match(html, /<title>how many lines\?<\/title>/)
  assert.ok(!/https?:/.test(html))
  const lines = jsonLines<{ threadId: string }>((await runEnso(t, place, ['threads', '--json'])).stdout)
  assert.deepEqual(
    lines.map(({ threadId }) => threadId),
    ['demo-thread'],
  )
})
