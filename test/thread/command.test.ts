import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperationOutcome } from '../../src/thread/operation.js'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

const codeOf = (outcome: OperationOutcome): string | number => (outcome.ok ? outcome.status : outcome.refusal.code)

test('a select or level is applied before it is answered', async () => {
  const { threads, host } = createFakeThreads()
  assert.equal(codeOf(await threads.operate('command', 'one', { name: 'model', value: 'local/large' })), 204)
  assert.equal(host.thread('one').state.model.model?.id, 'large')
})

test('what the runtime refuses is refused with its reason', async () => {
  const { threads } = createFakeThreads({
    runtime: () => ({ runHostCommand: () => Promise.reject(new Error('no API key for local/large')) }),
  })
  const outcome = await threads.operate('command', 'one', { name: 'model', value: 'local/large' })
  assert.deepEqual(outcome, { ok: false, refusal: { code: 'refused', reason: 'no API key for local/large' } })
})

test('a view, an unknown name, an extension’s command and a missing value are refused', async () => {
  const { threads } = createFakeThreads()
  for (const body of [
    { name: 'context' },
    { name: 'nope' },
    { name: 'review' },
    { name: 'model' },
    { name: 'login' },
  ]) {
    assert.equal(codeOf(await threads.operate('command', 'one', body)), 'refused', JSON.stringify(body))
  }
  assert.equal(codeOf(await threads.operate('command', 'one', { name: '' })), 'malformed')
})

test('a flow is answered when it has begun, and the thread is free while it goes on', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const starting = threads.operate('command', 'one', { name: 'login', value: 'local/api_key' })
  await settleTicks()
  const [flow] = host.thread('one').flows
  flow?.outcome.onAccepted()
  assert.equal(codeOf(await starting), 202)
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: false, live: true })
  assert.equal(codeOf(await threads.operate('prompt', 'one', { message: 'hi' })), 202)
  flow?.outcome.onSettled()
  assert.equal(follower.kinds().filter((kind) => kind === 'settled').length, 1)
})

test('an action keeps the thread busy until it is over: no prompt, no setting', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const starting = threads.operate('command', 'one', { name: 'compact' })
  await settleTicks()
  const [flow] = host.thread('one').flows
  flow?.outcome.onAccepted()
  assert.equal(codeOf(await starting), 202)
  assert.equal(codeOf(await threads.operate('prompt', 'one', { message: 'hi' })), 'busy')
  assert.equal(codeOf(await threads.operate('mode', 'one', { mode: 'plan' })), 'busy')
  assert.equal(codeOf(await threads.operate('command', 'one', { name: 'compact' })), 'busy')
  flow?.outcome.onSettled()
  flow?.outcome.onSettled()
  assert.deepEqual(follower.kinds().slice(-2), ['settled', 'status'])
  assert.equal(codeOf(await threads.operate('prompt', 'one', { message: 'hi' })), 202)
})

test('a flow or action that can’t begin is refused and leaves the thread free', async () => {
  const { threads, host } = createFakeThreads()
  for (const body of [{ name: 'login', value: 'x' }, { name: 'compact' }]) {
    const starting = threads.operate('command', 'one', body)
    await settleTicks()
    host.thread('one').flows.at(-1)?.outcome.onRejected('nothing to do')
    assert.deepEqual(await starting, { ok: false, refusal: { code: 'refused', reason: 'nothing to do' } })
  }
  assert.equal(codeOf(await threads.operate('prompt', 'one', { message: 'hi' })), 202)
})

test('a runtime that throws on a flow has refused it', async () => {
  const { threads } = createFakeThreads({
    runtime: () => ({
      startHostFlow: () => {
        throw new Error('broken')
      },
    }),
  })
  assert.equal(codeOf(await threads.operate('command', 'one', { name: 'compact' })), 'refused')
  assert.equal(codeOf(await threads.operate('prompt', 'one', { message: 'hi' })), 202)
})
