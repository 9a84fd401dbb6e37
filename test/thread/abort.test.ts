import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoAbortReceipt, EnsoPromptReceipt } from '../../src/core/index.js'
import { SETTLE_AFTER_STOP_MS, STOP_ANSWER_MS } from '../../src/thread/abort.js'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

const restoredBy = (outcome: unknown): string[] => {
  const { ok, status, result } = outcome as { ok: boolean; status: number; result: EnsoAbortReceipt }
  assert.deepEqual([ok, status], [true, 200])
  return result.restored
}

test('a Stop hands back what waited, the interrupting ones first, and ends when the run has', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'go' })
  const fake = host.thread('one')
  fake.prompts[0]?.outcome.onAccepted()
  fake.queue.enqueued.push('later')
  fake.queue.interrupting.push('first')
  const outcome = await threads.operate('abort', 'one', undefined)
  assert.deepEqual(restoredBy(outcome), ['first', 'later'])
  assert.deepEqual(follower.kinds().slice(-2), ['settled', 'status'])
  assert.deepEqual(
    fake.calls.map(({ method }) => method).filter((method) => method === 'clearQueue' || method === 'abort'),
    ['clearQueue', 'abort'],
  )
})

test('a Stop takes back prompts that were never told to the runtime', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'go' })
  await threads.operate('prompt', 'one', { message: 'later' })
  await threads.operate('prompt', 'one', { message: 'first', admission: 'interrupt' })
  assert.deepEqual(restoredBy(await threads.operate('abort', 'one', {})), ['first', 'later'])
  assert.equal(host.thread('one').prompts.length, 1)
  assert.deepEqual(
    follower.observations().findLast(({ kind }) => kind === 'queue'),
    { kind: 'queue', interrupting: [], enqueued: [] },
  )
})

test('a Stop while nothing goes on restores nothing and is no refusal; the next prompt is a new run', async () => {
  const { threads, host } = createFakeThreads()
  await threads.ensure('one')
  assert.deepEqual(restoredBy(await threads.operate('abort', 'one', {})), [])
  await threads.operate('prompt', 'one', { message: 'go' })
  assert.equal(host.thread('one').prompts.length, 1)
})

test('a prompt that comes while a Stop is under way begins after it, as a run of its own', async () => {
  let stopped: () => void = () => undefined
  const { threads, host } = createFakeThreads({
    runtime: () => ({ abort: () => new Promise((resolve) => void (stopped = resolve)) }),
  })
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'go' })
  const fake = host.thread('one')
  fake.prompts[0]?.outcome.onAccepted()
  const stopping = threads.operate('abort', 'one', {})
  const outcome = await threads.operate('prompt', 'one', { message: 'after' })
  assert.deepEqual(outcome.ok && (outcome.result as EnsoPromptReceipt).queued, true)
  assert.equal(fake.prompts.length, 1)
  stopped()
  fake.emit({ kind: 'settled' })
  restoredBy(await stopping)
  assert.equal(fake.prompts[1]?.request.message, 'after')
  fake.prompts[1]?.outcome.onAccepted()
  fake.emit({ kind: 'settled' })
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 2, busy: false, live: true })
})

test('a Stop before the prompt was taken keeps later ones back until that run is over', async () => {
  const { threads, host } = createFakeThreads({ runtime: () => ({ abort: async () => undefined }) })
  await threads.operate('prompt', 'one', { message: 'go' })
  const fake = host.thread('one')
  const stopping = threads.operate('abort', 'one', {})
  await threads.operate('prompt', 'one', { message: 'after' })
  fake.prompts[0]?.outcome.onAccepted()
  assert.equal(fake.prompts.length, 1)
  fake.emit({ kind: 'settled' })
  await stopping
  assert.equal(fake.prompts[1]?.request.message, 'after')
})

test('a queue that can’t be cleared and a runtime that can’t be stopped do not make a Stop fail', async () => {
  const { threads, host } = createFakeThreads({
    runtime: () => ({
      clearQueue: () => {
        throw new Error('broken')
      },
      abort: () => Promise.reject(new Error('broken too')),
    }),
  })
  await threads.operate('prompt', 'one', { message: 'go' })
  const stopping = threads.operate('abort', 'one', {})
  await settleTicks()
  host.thread('one').emit({ kind: 'settled' })
  assert.deepEqual(restoredBy(await stopping), [])
})

test('a stopped run that never says its end is ended, so that the thread is not busy for ever', async () => {
  const { threads, host, clock } = createFakeThreads({ runtime: () => ({ abort: async () => undefined }) })
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'go' })
  const stopping = threads.operate('abort', 'one', {})
  await settleTicks()
  clock.advance(SETTLE_AFTER_STOP_MS)
  restoredBy(await stopping)
  assert.deepEqual(follower.kinds().slice(-2), ['settled', 'status'])
  host.thread('one').emit({ kind: 'settled' })
  assert.equal(follower.kinds().filter((kind) => kind === 'settled').length, 1)
})

test('a run that does not stop in time stays busy, and the Stop is answered all the same', async () => {
  const { threads, host, clock } = createFakeThreads({
    runtime: () => ({ abort: () => new Promise<void>(() => undefined) }),
  })
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'go' })
  host.thread('one').state.busy = true
  const stopping = threads.operate('abort', 'one', {})
  await settleTicks()
  clock.advance(STOP_ANSWER_MS)
  restoredBy(await stopping)
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: true, live: true })
})

test('a Stop reaches a compaction', async () => {
  const { threads, host } = createFakeThreads({
    runtime: (parts) => ({ abort: async () => parts.flows[0]?.outcome.onSettled() }),
  })
  const { follower } = await followRecorded(threads, 'one')
  await threads.ensure('one')
  const compacting = threads.operate('command', 'one', { name: 'compact' })
  await settleTicks()
  host.thread('one').flows[0]?.outcome.onAccepted()
  await compacting
  restoredBy(await threads.operate('abort', 'one', {}))
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: false, live: true })
})

test('a Stop while the thread is being built for a prompt stops that prompt', async () => {
  const { threads, host } = createFakeThreads()
  const [prompted, stopped] = await Promise.all([
    threads.operate('prompt', 'one', { message: 'go' }),
    threads.operate('abort', 'one', {}),
  ])
  assert.equal(prompted.ok, true)
  assert.deepEqual(restoredBy(stopped), [])
  assert.ok(host.thread('one').calls.some(({ method }) => method === 'abort'))
  assert.equal(threads.live()[0]?.busy, false)
})

test('a thread that is not live can’t be stopped', async () => {
  const { threads, host } = createFakeThreads()
  const outcome = await threads.operate('abort', 'one', {})
  assert.deepEqual(!outcome.ok && outcome.refusal.code, 'not-found')
  assert.equal(host.opened.length, 0)
})

test('what is asked in one breath happens in its order: prompts before a Stop are taken back, one behind it runs', async () => {
  const { threads, host } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'go' })
  const fake = host.thread('one')
  fake.prompts[0]?.outcome.onAccepted()
  fake.queue.enqueued.push('told before')
  const [before, stop] = await Promise.all([
    threads.operate('prompt', 'one', { message: 'before' }),
    threads.operate('abort', 'one', undefined),
    threads.operate('prompt', 'one', { message: 'behind' }),
  ])
  assert.ok(before.ok)
  assert.deepEqual(restoredBy(stop), ['told before'])
  // The first was told to the runtime before its queue was cleared; the last waited until the Stop was over.
  const order = fake.calls.map(({ method }) => method).filter((method) => /^(prompt|clearQueue)$/.test(method))
  assert.deepEqual(order, ['prompt', 'prompt', 'clearQueue', 'prompt'])
  assert.deepEqual(
    fake.prompts.map(({ request }) => request.message),
    ['go', 'before', 'behind'],
  )
})
