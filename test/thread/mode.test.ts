import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

test('a mode change is answered when it has begun; the change arrives on the follow', async () => {
  const { threads } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  assert.deepEqual(await threads.operate('mode', 'one', { mode: 'plan' }), { ok: true, status: 202, result: null })
  await settleTicks()
  assert.deepEqual(follower.kinds().slice(2), ['status', 'permission-mode', 'settled', 'status'])
})

test('a mode that is not offered is refused', async () => {
  const { threads } = createFakeThreads()
  const outcome = await threads.operate('mode', 'one', { mode: 'yolo' })
  assert.deepEqual(!outcome.ok && outcome.refusal.code, 'refused')
})

test('a switch that fails after it was accepted is said on the follow', async () => {
  const { threads } = createFakeThreads({
    runtime: () => ({ setPermissionMode: (_mode, outcome) => outcome.onRejected('it broke') }),
  })
  const { follower } = await followRecorded(threads, 'one')
  assert.equal((await threads.operate('mode', 'one', { mode: 'plan' })).ok, true)
  await settleTicks()
  assert.deepEqual(follower.observations(), [
    { kind: 'permission-mode-rejected', mode: 'plan', reason: 'it broke' },
    { kind: 'settled' },
  ])
})

test('a busy thread’s mode is not changed', async () => {
  const { threads } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'go' })
  const outcome = await threads.operate('mode', 'one', { mode: 'plan' })
  assert.deepEqual(!outcome.ok && outcome.refusal.code, 'busy')
})
