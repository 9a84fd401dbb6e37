import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoObservation } from '../../src/core/index.js'
import { createStallWatch } from '../../src/server/stall-watch.js'
import { createFakeThreads, followRecorded } from '../support/fake-threads.js'
import { createFakeHost } from '../support/fake-hosted-thread.js'
import { createThreads } from '../../src/thread/threads.js'
import { createFakeStore, fakeOpenRequest } from '../support/fake-threads.js'
import { createManualClock } from '../support/manual-clock.js'

const MINUTE = 60_000

async function watched(cut = false) {
  const clock = createManualClock()
  const host = createFakeHost()
  const threads = createThreads({
    host: async () => host,
    store: createFakeStore([]),
    openRequest: async (threadId) => fakeOpenRequest(threadId),
    locks: undefined,
    clock,
    observed: (event) => watch.observed(event),
  })
  const watch = createStallWatch({
    afterMs: 1.5 * MINUTE,
    cut,
    clock,
    live: () => threads.live(),
    warn: (threadId, id, message) => threads.warn(threadId, id, message),
    stop: (threadId) => threads.operate('abort', threadId, undefined),
  })
  const { follower } = await followRecorded(threads, 't1')
  await threads.operate('prompt', 't1', { message: 'hello' })
  const thread = host.thread('t1')
  thread.prompts[0]!.outcome.onAccepted()
  thread.emit({ kind: 'turn-start' })
  const said = (): (string | undefined)[] =>
    follower
      .observations()
      .flatMap((seen) => (seen.kind === 'extension-ui-request' && seen.id === 'enso-stalled' ? [seen.message] : []))
  return { clock, thread, threads, said, emit: (observation: EnsoObservation) => thread.emit(observation) }
}

test('a run on which nothing comes is said once, and goes on', async () => {
  const { clock, said, threads } = await watched()
  clock.advance(1.4 * MINUTE)
  assert.deepEqual(said(), [])
  clock.advance(10 * MINUTE)
  assert.equal(said().length, 1)
  assert.match(said()[0] ?? '', /^nothing has come for \d+ s$/)
  assert.equal(threads.live()[0]?.busy, true)
})

test('a run that moves again is said again when it stops moving again', async () => {
  const { clock, said, emit } = await watched()
  clock.advance(2 * MINUTE)
  emit({ kind: 'text-delta', contentIndex: 0, delta: 'x' })
  clock.advance(MINUTE)
  assert.equal(said().length, 1)
  clock.advance(2 * MINUTE)
  assert.equal(said().length, 2)
})

test('nothing is stalled while a tool works, a person is asked, a retry waits, or nothing runs', async () => {
  const working = await watched()
  working.emit({ kind: 'tool-call', toolCallId: 'c', toolName: 'bash', args: {} })
  working.clock.advance(20 * MINUTE)
  assert.deepEqual(working.said(), [])
  working.emit({ kind: 'tool-result', toolCallId: 'c', toolName: 'bash', text: '', isError: false, complete: true })
  const id = working.thread.ask({ method: 'confirm', title: '?', message: '' })
  working.clock.advance(20 * MINUTE)
  assert.deepEqual(working.said(), [])
  working.thread.endDialog(id, 'cancelled')
  working.emit({ kind: 'provider-retry', attempt: 1, maxAttempts: 3, delayMs: 5 * MINUTE })
  working.clock.advance(6 * MINUTE)
  assert.deepEqual(working.said(), [])
  working.emit({ kind: 'settled' })
  working.clock.advance(20 * MINUTE)
  assert.deepEqual(working.said(), [])
})

test('a stalled run is stopped only where the server is told to', async () => {
  const { clock, said, threads, thread } = await watched(true)
  clock.advance(2 * MINUTE)
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.match(said()[0] ?? '', /the run is stopped$/)
  assert.equal(thread.calls.filter(({ method }) => method === 'abort').length, 1)
  assert.equal(threads.live()[0]?.busy, false)
})

test('a warning of ours goes to a live thread’s followers and nowhere else', async () => {
  const { threads } = createFakeThreads()
  const { follower } = await followRecorded(threads, 't1')
  threads.warn('t1', 'x', 'not live')
  assert.deepEqual(follower.kinds(), ['snapshot'])
})
