import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allowTools,
  assertEnded,
  createWorld,
  extension,
  LOCAL,
  observationsOf,
  checkedLines,
  waitForQuestion,
} from '../support/e2e.js'
import { jsonLines, startEnso } from '../support/run-enso.js'

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const
const isToolCall = ({ observation }: { observation?: { kind?: string } }): boolean => observation?.kind === 'tool-call'

test('a signal during a tool ends the run in order: the exit code says which, the last record too', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  for (const [signal, code] of SIGNALS) {
    server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'sleep 60' } }] })
    const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
    await run.waitForJson(isToolCall)
    run.kill(signal)
    const end = await run.ended
    assertEnded(end, 'aborted', code)
    assert.equal(end.stderr, '')
  }
})

test('a signal in text mode has the same exit code and prints no stack', async (t) => {
  const { server, place } = await createWorld(t)
  for (const [signal, code] of SIGNALS) {
    server.enqueue({ hang: true })
    const requests = server.requests.length
    const run = startEnso(t, place, [...LOCAL, 'hello'], { boundMs: 20_000 })
    await server.waitForRequest(requests + 1)
    run.kill(signal)
    const end = await run.ended
    assert.equal(end.exitCode, code)
    assert.match(end.stderr, new RegExp(`stopped by ${signal}`))
    assert.equal(/\n\s+at /.test(end.stderr), false)
  }
})

test('a signal while the provider hangs, before or within its answer, ends the run', async (t) => {
  const { server, place } = await createWorld(t)
  for (const reply of [{ hang: 'no-headers' }, { hang: true }, { text: 'half', hang: 'mid' }] as const) {
    server.enqueue(reply)
    const requests = server.requests.length
    const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
    const request = await server.waitForRequest(requests + 1)
    if ('text' in reply)
      await run.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'text-delta')
    run.kill('SIGTERM')
    const result = assertEnded(await run.ended, 'aborted', 143)
    if ('text' in reply) assert.equal(result.text, 'half')
    await request.closed
  }
})

test('a signal during a tool that listens to nobody still ends the run, in bounded time', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'never_ends', args: {} }] })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('stubborn'), 'hello'], { boundMs: 25_000 })
  await run.waitForJson(isToolCall)
  run.kill('SIGTERM')
  assertEnded(await run.ended, 'aborted', 143)
})

test('a second signal ends a stubborn run at once, with its last record', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'never_ends', args: {} }] })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('stubborn'), 'hello'], { boundMs: 10_000 })
  await run.waitForJson(isToolCall)
  // Two of a kind could arrive as one, and which of two kinds is taken first is nobody's promise.
  run.kill('SIGINT')
  run.kill('SIGTERM')
  const end = await run.ended
  assertEnded(end, 'aborted', end.exitCode === 143 ? 143 : 130)
})

test('a handler of an extension that never resolves does not hold a signal up for ever', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('fails'), 'hello'], {
    env: { ENSO_TEST_FAIL: 'hang' },
    boundMs: 25_000,
  })
  await run.waitForJson(({ type, requestId }) => type === 'reply' && requestId === 'argv')
  run.kill('SIGTERM')
  assertEnded(await run.ended, 'aborted', 143)
})

test('a shutdown handler that never resolves does not keep the process', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('fails'), 'hello'], {
    env: { ENSO_TEST_FAIL: 'shutdown-hang' },
    boundMs: 20_000,
  })
  assertEnded(await run.ended, 'done', 0)
})

test('a signal during a question settles it as aborted', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm', 'select'] } }] })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('asks'), 'hello'], {
    stdin: 'open',
    boundMs: 20_000,
  })
  await waitForQuestion(run, 'confirm')
  run.kill('SIGINT')
  const end = await run.ended
  const result = assertEnded(end, 'aborted', 130)
  assert.deepEqual(
    observationsOf(checkedLines(end.stdout), 'dialog-settled').map(({ outcome }) => outcome)[0],
    'aborted',
  )
  assert.ok(result.dialogs.aborted >= 1)
})

test('prompts that wait when the run is stopped are handed back', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'half', hang: 'mid' })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'one'], { stdin: 'open', boundMs: 20_000 })
  await run.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'text-delta')
  run.send({ type: 'prompt', message: 'and then two', requestId: 'two' })
  await run.waitForJson(({ requestId }) => requestId === 'two')
  run.kill('SIGINT')
  assert.deepEqual(assertEnded(await run.ended, 'aborted', 130).restored, ['and then two'])
})

test('a signal before anything has begun still gets its one record', async (t) => {
  const { place } = await createWorld(t)
  for (const delay of [120, 160, 200, 240]) {
    const run = startEnso(t, place, ['--json', ...LOCAL, '-'], { stdin: 'open', boundMs: 10_000 })
    await new Promise((resolve) => setTimeout(resolve, delay))
    run.kill('SIGTERM')
    const end = await run.ended
    // Before the program has taken the signal over, the kernel's own end is all there is.
    if (end.signal === null) assertEnded(end, 'aborted', 143)
    else assert.deepEqual(jsonLines(end.stdout), [])
  }
})
