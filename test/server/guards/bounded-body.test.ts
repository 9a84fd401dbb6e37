import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBodyBudget, readBoundedBody } from '../../../src/server/guards/bounded-body.js'
import { isDeeperThan, JSON_MAX_DEPTH } from '../../../src/server/guards/json-depth.js'
import { createRateLimit } from '../../../src/server/guards/rate-limit.js'
import { readClosedQuery } from '../../../src/server/guards/closed-query.js'

const posted = (
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
): Request => new Request('http://127.0.0.1/', { method: 'POST', body, headers, duplex: 'half' })

test('a body is read whole up to its bound and not beyond', async () => {
  const budget = createBodyBudget(100)
  assert.deepEqual(await readBoundedBody(posted('x'.repeat(10)), 10, budget), { ok: true, text: 'x'.repeat(10) })
  for (const request of [posted('x'.repeat(11)), posted('x', { 'content-length': '11' })]) {
    const reading = await readBoundedBody(request, 10, budget)
    assert.equal(!reading.ok && reading.refusal.code, 'too-large')
  }
})

test('bytes that are no UTF-8, and a sender that leaves, are refused', async () => {
  const budget = createBodyBudget(100)
  const torn = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error('gone')) })
  for (const request of [posted(new Uint8Array([0xff, 0xfe])), posted(torn)]) {
    const reading = await readBoundedBody(request, 10, budget)
    assert.equal(!reading.ok && reading.refusal.code, 'malformed')
  }
})

test('all bodies on their way share a bound, and give back what they took', async () => {
  const budget = createBodyBudget(15)
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const slow = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) })
  const first = readBoundedBody(posted(slow), 20, budget)
  feed?.enqueue(Buffer.from('x'.repeat(10)))
  await new Promise((resolve) => setImmediate(resolve))
  const second = await readBoundedBody(posted('y'.repeat(10)), 20, budget)
  assert.equal(!second.ok && second.refusal.code, 'too-many-requests')
  feed?.close()
  assert.equal((await first).ok, true)
  assert.equal((await readBoundedBody(posted('y'.repeat(15)), 20, budget)).ok, true)
})

test('depth is counted outside of texts only', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(isDeeperThan(nested(JSON_MAX_DEPTH)), false)
  assert.equal(isDeeperThan(nested(JSON_MAX_DEPTH + 1)), true)
  assert.equal(isDeeperThan(JSON.stringify({ text: '[{"\\"'.repeat(500) })), false)
  assert.equal(isDeeperThan(`{"a":"\\\\","b":${nested(70)}}`), true)
  assert.equal(isDeeperThan('[[["never closed'), false)
})

test('a rate fills again with time and never beyond its burst', () => {
  let now = 0
  const rate = createRateLimit(3, 1, () => now)
  assert.deepEqual([rate.take(3), rate.take()], [true, false])
  now = 1000
  assert.deepEqual([rate.take(), rate.take()], [true, false])
  now = 1_000_000
  assert.deepEqual([rate.take(4), rate.take(3)], [false, true])
})

test('a query takes the names a route has, each once', () => {
  assert.deepEqual(readClosedQuery(undefined, ''), { ok: true, query: Object.create(null) as object })
  for (const search of ['a=1', '__proto__=1', 'token=x', '='])
    assert.equal(readClosedQuery(undefined, search).ok, false, search)
})
