import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostFlowOutcome } from '../../src/core/index.js'
import { bench, gate } from './host-bench.js'
import type { BenchThread } from './host-bench.js'

const SETTINGS = { retry: { baseDelayMs: 10, maxRetries: 1 }, compaction: { keepRecentTokens: 1 } }

const unmapped = (thread: BenchThread): { type: string; aborted?: boolean }[] =>
  thread.all('unmapped').map((one) => one.event as { type: string })

type Body = { tools?: unknown[] }

/** A request without tools is one for a summary; a compaction may make two. `hold` keeps them waiting. */
const summaries =
  (reply: string, hold: Promise<void> = Promise.resolve()) =>
  async (body: Body): Promise<{ text: string }> => {
    if (body.tools !== undefined) return { text: reply }
    await hold
    return { text: 'a summary' }
  }

/** Starts `/compact` and resolves with how it was admitted; `settled` resolves when it has ended. */
function compact(thread: BenchThread): { admitted: Promise<string>; settled: Promise<void> } {
  const done = gate()
  const admitted = new Promise<string>((resolve) => {
    const outcome: HostFlowOutcome = {
      onAccepted: () => resolve('accepted'),
      onRejected: (reason) => resolve(reason),
      onSettled: done.open,
    }
    thread.hosted.runtime.startHostFlow({ name: 'compact' }, outcome)
  })
  return { admitted, settled: done.opened }
}

test('/compact rewrites the branch, keeps what was spent, and says the token count', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  server.enqueue({ text: 'a', usage: { input: 900, output: 50 } }, { text: 'b', usage: { input: 950, output: 60 } })
  server.otherwise(summaries('c'))
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  const before = thread.hosted.runtime.sessionUsage()
  const settledBefore = thread.all('settled').length
  const { admitted, settled } = compact(thread)
  assert.equal(await admitted, 'accepted')
  assert.equal(thread.hosted.isBusy(), true)
  await settled
  const notice = thread.all('extension-ui-request').at(-1)
  assert.match(notice?.message ?? '', /compacted: \d+ of 32000 tokens/)
  const after = thread.hosted.runtime.sessionUsage()
  assert.deepEqual({ ...after, context: null }, { ...before, context: null })
  assert.deepEqual(after.context, { tokens: null, window: 32000, percent: null })
  assert.deepEqual(
    unmapped(thread).map((one) => one.type),
    ['compaction_start', 'compaction_end'],
  )
  assert.equal(thread.all('settled').length, settledBefore)
  await thread.run('three')
  const sent = JSON.stringify(server.requests.at(-1)?.body)
  assert.match(sent, /a summary/)
  assert.equal(thread.replies().at(-1), 'c')
})

test('/compact with nothing to compact says so and changes nothing', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ text: 'a' })
  const thread = await open()
  await compact(thread).settled
  assert.equal(server.requests.length, 0)
  await thread.run('one')
  await compact(thread).settled
  assert.equal(server.requests.length, 1)
  const notice = thread.all('extension-ui-request').at(-1)
  assert.match(notice?.message ?? '', /nothing to compact/)
  assert.equal(notice?.notifyType, 'error')
})

test('/compact is refused while a run is under way', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  assert.match(await compact(thread).admitted, /busy/)
  await thread.hosted.runtime.abort()
})

test('a prompt sent during /compact waits for its end and is answered and stored', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  const held = gate()
  server.enqueue({ text: 'a' }, { text: 'b' })
  server.otherwise(summaries('c', held.opened))
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  const { settled } = compact(thread)
  await server.waitForRequest(3)
  const admission = thread.prompt('three')
  assert.deepEqual(await admission, { accepted: true })
  held.open()
  await settled
  await thread.nth('settled', 3)
  assert.equal(thread.replies().at(-1), 'c')
  const texts = JSON.stringify(thread.hosted.entries())
  assert.ok(texts.includes('three') && texts.includes('"c"'))
})

test('Stop reaches a compaction', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  server.enqueue({ text: 'a' }, { text: 'b' })
  server.otherwise({ hang: 'no-headers' })
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  const { settled } = compact(thread)
  await server.waitForRequest(3)
  await thread.hosted.runtime.abort()
  await settled
  assert.equal(unmapped(thread).at(-1)?.aborted, true)
  assert.equal(thread.hosted.isBusy(), false)
})

test('a compaction that starts by itself at the end of a run is waited for, and a prompt meanwhile is not lost', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  const held = gate()
  server.enqueue({ text: 'a' }, { text: 'b', usage: { input: 31_000, output: 10 } })
  server.otherwise(summaries('c', held.opened))
  const thread = await open()
  await thread.run('one')
  await thread.prompt('two')
  await server.waitForRequest(3)
  assert.equal(thread.all('settled').length, 1)
  assert.equal(thread.hosted.isBusy(), true)
  assert.deepEqual(await thread.prompt('three'), { accepted: true })
  assert.deepEqual(thread.all('queue').at(-1)?.enqueued, ['three'])
  held.open()
  await thread.nth('settled', 2)
  assert.equal(thread.replies().at(-1), 'c')
  assert.equal(thread.all('settled').length, 2)
})

test('a context that overflows is compacted and the request made again, all before it settles', async (t) => {
  const { server, open } = await bench(t, { settings: SETTINGS })
  server.enqueue({ text: 'a' })
  server.enqueue({ status: 400, body: { error: { message: 'prompt is too long: 40000 tokens > 32000 maximum' } } })
  server.otherwise(summaries('b'))
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  assert.equal(thread.replies().at(-1), 'b')
  assert.deepEqual(
    thread.all('run-ended').map((one) => one.willRetry),
    [false, true, false],
  )
  assert.equal(thread.all('settled').length, 2)
})

test("an extension's compaction during a reply ends the reply first, and stores it", async (t) => {
  let run = (): void => undefined
  const { server, open } = await bench(t, {
    settings: SETTINGS,
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.on('message_update', (_event, ctx) => {
            run = () => ctx.compact()
          }),
      ],
    },
  })
  server.enqueue({ text: 'a' }, { deltas: ['half', ' more'], hang: 'mid' })
  server.otherwise(summaries('c'))
  const thread = await open()
  await thread.run('one')
  await thread.prompt('two')
  await thread.when('text-delta', (one) => one.delta === 'half')
  run()
  await thread.nth('settled', 2)
  const texts = JSON.stringify(thread.hosted.entries())
  assert.ok(texts.includes('half'))
  assert.ok(unmapped(thread).some((one) => one.type === 'compaction_end'))
  const ends = thread.all('turn-end').length
  assert.equal(ends, 2)
})
