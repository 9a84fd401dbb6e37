import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

test('settings are applied in the order model, thinking, mode under one lease', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const outcome = await threads.operate('configure', 'one', {
    mode: 'plan',
    thinking: 'high',
    model: 'local/large',
  })
  assert.deepEqual(outcome, { ok: true, status: 204, result: null })
  const changes = host.thread('one').calls.filter(({ method }) => /^(run|set)/.test(method))
  assert.deepEqual(
    changes.map(({ args }) => args[0]),
    [{ name: 'model', value: 'local/large' }, { name: 'thinking', value: 'high' }, 'plan'],
  )
  assert.deepEqual(follower.kinds().slice(2), ['status', 'model', 'model', 'permission-mode', 'settled', 'status'])
})

test('what is so already is left alone', async () => {
  const { threads, host } = createFakeThreads()
  await threads.operate('configure', 'one', { model: 'local/small', thinking: 'off', mode: 'default' })
  assert.deepEqual(
    host.thread('one').calls.filter(({ method }) => /^(run|set)/.test(method)),
    [],
  )
})

test('the step that is refused is named; the one before it stays, the one after it does not run', async () => {
  const { threads, host } = createFakeThreads({
    runtime: (parts) => ({
      runHostCommand: async ({ name }) => {
        if (name === 'thinking') throw new Error('this model does not think')
        parts.state.model = { ...parts.state.model, model: { provider: 'local', id: 'large', name: 'Large' } }
      },
    }),
  })
  const outcome = await threads.operate('configure', 'one', { model: 'local/large', thinking: 'high', mode: 'plan' })
  assert.deepEqual(outcome, {
    ok: false,
    refusal: { code: 'refused', reason: 'thinking: this model does not think' },
    body: { step: 'thinking', reason: 'this model does not think' },
  })
  const { state } = host.thread('one')
  assert.deepEqual([state.model.model?.id, state.mode.mode], ['large', 'default'])
})

test('a mode that is not offered is refused, and the lease is given back', async () => {
  const { threads } = createFakeThreads()
  const outcome = await threads.operate('configure', 'one', { mode: 'bypassPermissions' })
  assert.ok(!outcome.ok)
  assert.match(outcome.refusal.reason, /^mode: .*bypassPermissions.* not offered/)
  assert.equal((await threads.operate('prompt', 'one', { message: 'hi' })).ok, true)
})

test('a busy thread is not configured, and a thread that is being configured takes no prompt', async () => {
  let apply: () => void = () => undefined
  const { threads } = createFakeThreads({
    runtime: () => ({ runHostCommand: () => new Promise((resolve) => void (apply = resolve)) }),
  })
  const configuring = threads.operate('configure', 'one', { model: 'local/large' })
  await settleTicks()
  const prompted = await threads.operate('prompt', 'one', { message: 'hi' })
  assert.deepEqual(!prompted.ok && prompted.refusal.code, 'busy')
  apply()
  assert.equal((await configuring).ok, true)
  assert.equal((await threads.operate('prompt', 'one', { message: 'hi' })).ok, true)
  const again = await threads.operate('configure', 'one', { model: 'local/large' })
  assert.deepEqual(!again.ok && again.refusal.code, 'busy')
})
