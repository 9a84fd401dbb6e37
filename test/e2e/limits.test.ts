import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowTools, assertEnded, createWorld, extension, LOCAL, waitForQuestion } from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'

const loop = { toolCalls: [{ name: 'ls', args: { path: '.' } }] }

test('a loop is stopped at exactly the turns allowed: the limit is named with its value and what was used', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise(loop)
  for (const turns of [1, 3]) {
    const before = server.requests.length
    const end = await runEnso(t, place, ['--json', '--max-turns', String(turns), ...LOCAL, 'hello'], {
      boundMs: 20_000,
    })
    const result = assertEnded(end, 'limit', 4)
    assert.deepEqual(result.limit, { name: 'turns', value: turns, used: turns })
    assert.equal(server.requests.length - before, turns)
    assert.equal(result.turns, turns)
  }
  const text = await runEnso(t, place, ['--max-turns', '2', ...LOCAL, 'hello'], { boundMs: 20_000 })
  assert.equal(text.exitCode, 4)
  assert.match(text.stderr, /turns limit of 2 turns was reached/)
})

test('a run that ends within its turns is no limit', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(loop, { text: 'done' })
  assertEnded(await runEnso(t, place, ['--json', '--max-turns', '2', ...LOCAL, 'hello']), 'done', 0)
})

test('--timeout ends a run that takes too long: in the model, in a tool that listens to nobody, in a shell command', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  for (const reply of [
    { hang: 'no-headers' },
    { toolCalls: [{ name: 'never_ends', args: {} }] },
    { toolCalls: [{ name: 'bash', args: { command: 'sleep 600' } }] },
  ] as const) {
    server.enqueue(reply)
    const args = ['--json', '--timeout', '1500ms', ...LOCAL, ...extension('stubborn'), 'hello']
    const end = await runEnso(t, place, args, { boundMs: 25_000 })
    const { limit } = assertEnded(end, 'limit', 4)
    assert.deepEqual([limit?.name, limit?.value], ['time', 1500])
  }
})

test('--idle-timeout ends a silent provider; a stream that moves is not idle', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ hang: true })
  const silent = await runEnso(t, place, ['--json', '--idle-timeout', '700ms', ...LOCAL, 'hello'], { boundMs: 20_000 })
  const { limit } = assertEnded(silent, 'limit', 4)
  assert.deepEqual([limit?.name, limit?.value], ['idle', 700])

  // Each word is sent when the one before it has been seen, for longer than silence is allowed.
  async function* untilLate(): AsyncGenerator<string> {
    const begun = Date.now()
    for (let n = 0; Date.now() - begun < 2500; n++) {
      yield `word ${n}. `
      await moving.waitForLine((line) => line.includes(`word ${n}. `))
    }
  }
  server.enqueue({ deltas: untilLate() })
  const moving = startEnso(t, place, ['--json', '--idle-timeout', '2s', ...LOCAL, 'hello'])
  assertEnded(await moving.ended, 'done', 0)
})

test('a question that waits is not idleness', async (t) => {
  const { server, place } = await createWorld(t)
  // The question waits for longer than a run may be idle, until its own time is over.
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'], timeout: 3000 } }] }, { text: 'ok' })
  const args = ['--json', '--idle-timeout', '2s', ...LOCAL, ...extension('asks'), 'hello']
  const run = startEnso(t, place, args, { stdin: 'open', boundMs: 30_000 })
  await waitForQuestion(run, 'confirm')
  assert.equal(assertEnded(await run.ended, 'blocked', 3).dialogs.timedOut, 1)
})

test('0 is no limit', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const args = ['--json', '--timeout', '0', '--idle-timeout', '0', '--dialog-timeout', '0', ...LOCAL, 'hello']
  assertEnded(await runEnso(t, place, args), 'done', 0)
})

test('money and tokens are limits too: named with their value and what was used', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ ...loop, usage: { input: 100_000, output: 50_000 } })
  const cost = await runEnso(t, place, ['--json', '--max-cost', '0.5', ...LOCAL, 'hello'], { boundMs: 20_000 })
  const paid = assertEnded(cost, 'limit', 4)
  assert.deepEqual(paid.limit, { name: 'cost', value: 0.5, used: 0.6 })
  assert.deepEqual([paid.cost, paid.turns], [0.6, 3])
  const tokens = await runEnso(t, place, ['--max-tokens', '200000', ...LOCAL, 'hello'], { boundMs: 20_000 })
  assert.equal(tokens.exitCode, 4)
  assert.match(tokens.stderr, /the tokens limit of 200000 tokens was reached \(300000 tokens used\)/)
})

test('what it takes to open a run is no idleness of it', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  // Loading the program takes longer than this on any machine.
  const slow = await place.write('slow.ts', 'await new Promise((r) => setTimeout(r, 2500))\nexport default () => {}\n')
  const args = ['--json', '--idle-timeout', '1500ms', '-e', slow, ...LOCAL, 'hello']
  assertEnded(await runEnso(t, place, args, { boundMs: 30_000 }), 'done', 0)
})
