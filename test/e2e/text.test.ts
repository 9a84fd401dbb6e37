import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer } from '../support/model-server.js'
import { createPlace, runEnso, startEnso } from '../support/run-enso.js'

async function served(t: Parameters<typeof createPlace>[0]) {
  const server = await startModelServer()
  t.after(() => server.close())
  return { server, place: await createPlace(t, { server }) }
}

const MODEL = ['-m', 'local/x']

test('the reply streams to standard output as it comes, and nothing else does', async (t) => {
  const { server, place } = await served(t)
  let goOn: () => void = () => undefined
  const delayUntil = new Promise<void>((resolve) => {
    goOn = resolve
  })
  server.enqueue({ deltas: ['Hello\n', 'world'], delayUntil })
  const enso = startEnso(t, place, [...MODEL, 'hello'])
  await enso.waitForLine(/^Hello$/)
  goOn()
  const end = await enso.ended
  assert.deepEqual([end.exitCode, end.stdout], [0, 'Hello\nworld\n'])
  assert.match(end.stderr, /10 in · 5 out · .*1 turn · .* · thread [0-9a-f-]+\n$/)
})

test('tool calls, results and an edit are on standard error', async (t) => {
  const { server, place } = await served(t)
  await place.write('work/a.txt', 'one\ntwo\nthree\n')
  server.enqueue(
    { text: 'I look.', toolCalls: [{ name: 'read', args: { path: 'a.txt' } }] },
    { toolCalls: [{ name: 'edit', args: { path: 'a.txt', edits: [{ oldText: 'two', newText: 'TWO' }] } }] },
    { text: 'Done.' },
  )
  const end = await runEnso(t, place, [...MODEL, '--permission-mode', 'acceptEdits', 'edit', 'it'])
  assert.equal(end.exitCode, 0, end.stderr)
  assert.equal(end.stdout, 'I look.\n\nDone.\n')
  assert.match(end.stderr, /● read a\.txt\n {2}⎿ one\n {4}two\n {4}three\n/)
  assert.match(end.stderr, /● edit a\.txt\n[^●]*- ?(\d+ )?two\n[^●]*\+ ?(\d+ )?TWO/)
})

test('escape sequences of the model and of a tool are gone, piped as well', async (t) => {
  const { server, place } = await served(t)
  server.enqueue({ deltas: ['a\u001b]52;c;', 'aGVsbG8=\u0007b\u001b[3', '1mred'] })
  const end = await runEnso(t, place, [...MODEL, 'hello'])
  assert.equal(end.stdout, 'abred\n')
})

test('a refused login is exit 5 with its class and reason, and an empty standard output', async (t) => {
  const { server, place } = await served(t)
  server.enqueue({ status: 401, body: { error: { message: 'no such key' } } })
  const end = await runEnso(t, place, [...MODEL, 'hello'])
  assert.deepEqual([end.exitCode, end.stdout], [5, ''])
  assert.match(end.stderr, /✗ local: not logged in \(401\): no such key\n/)
  assert.match(end.stderr, /✗ provider: [^\n]*no such key/)
})

test('quiet leaves the reply', async (t) => {
  const { server, place } = await served(t)
  server.enqueue({ toolCalls: [{ name: 'read', args: { path: '.' } }] }, { text: 'Done.' })
  const end = await runEnso(t, place, [...MODEL, '-q', 'hello'])
  assert.deepEqual([end.exitCode, end.stdout, end.stderr], [0, 'Done.\n', ''])
})

test('colour is asked for each stream', async (t) => {
  const { server, place } = await served(t)
  server.otherwise({ text: 'Done.' })
  // oxlint-disable-next-line no-control-regex
  const coloured = /\u001b\[/
  assert.doesNotMatch((await runEnso(t, place, [...MODEL, 'hello'])).stderr, coloured)
  assert.match((await runEnso(t, place, [...MODEL, '--color', 'always', 'hello'])).stderr, coloured)
  const forced = await runEnso(t, place, [...MODEL, 'hello'], { env: { FORCE_COLOR: '1' } })
  assert.match(forced.stderr, coloured)
  assert.equal(forced.stdout, 'Done.\n')
})

test('an unknown model is exit 2 and says which there are', async (t) => {
  const { place } = await served(t)
  const end = await runEnso(t, place, ['-m', 'local/y', 'hello'])
  assert.deepEqual([end.exitCode, end.stdout], [2, ''])
  assert.match(end.stderr, /local\/y/)
})

test('a configuration that can not be read ends the run, named with line and column', async (t) => {
  const { place } = await served(t)
  await place.write('home/.enso/config.json', '{\n  "defaultModel": 5,\n}')
  const end = await runEnso(t, place, [...MODEL, 'hello'])
  assert.deepEqual([end.exitCode, end.stdout], [2, ''])
  assert.match(end.stderr, /config\.json: not JSON: line \d+, column \d+/)
})

test('the person configured a model', async (t) => {
  const { server, place } = await served(t)
  server.enqueue({ text: 'From the default.' })
  await place.write('home/.enso/config.json', JSON.stringify({ defaultModel: 'local/x' }))
  const end = await runEnso(t, place, ['hello'])
  assert.deepEqual([end.exitCode, end.stdout], [0, 'From the default.\n'])
})

test('threads are listed, shown and removed', async (t) => {
  const { server, place } = await served(t)
  server.enqueue({ text: 'Hello there.' })
  assert.equal((await runEnso(t, place, [...MODEL, '--thread-id', 'my-thread', 'say', 'hello'])).exitCode, 0)
  const list = await runEnso(t, place, ['threads'])
  assert.match(list.stdout, /^my-thread {2}\d{4}-\d\d-\d\d \d\d:\d\d .* say hello\n$/)
  const shown = await runEnso(t, place, ['threads', 'show', 'my-thread'])
  assert.match(shown.stdout, /> say hello\n\nHello there\.\n$/)
  assert.equal((await runEnso(t, place, ['threads', 'rm', 'my-thread'])).exitCode, 0)
  const gone = await runEnso(t, place, ['threads', 'show', 'my-thread'])
  assert.deepEqual([gone.exitCode, gone.stdout], [6, ''])
})

test('models lists what could run, with a search', async (t) => {
  const { place } = await served(t)
  const end = await runEnso(t, place, ['models'])
  assert.equal(end.exitCode, 0, end.stderr)
  assert.match(end.stdout, /^local\/x /m)
  assert.doesNotMatch(end.stdout, /anthropic/)
  const searched = await runEnso(t, place, ['models', 'think'])
  assert.deepEqual(
    searched.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['local/think'],
  )
})
