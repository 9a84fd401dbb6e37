import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { EnsoFollowFrame } from '../../src/core/index.js'
import { listen } from '../../src/server/listen.js'
import type { SseChannel } from '../../src/server/sse/channel.js'
import { createEventStream } from '../../src/server/sse/event-stream.js'
import { eventBytes } from '../../src/server/sse/event-text.js'
import { batchOf } from '../../src/thread/frame-batches.js'
import { shareFrame } from '../../src/thread/shared-frame.js'
import { settleTicks } from '../support/fake-threads.js'
import { readEvents, servedApp, TEST_HOST, TEST_TOKEN } from '../support/served-app.js'

/** A channel that a test reads by hand. */
function heldChannel() {
  const pieces: string[] = []
  const ready: (() => void)[] = []
  const held = {
    keepsUp: true,
    ready: () => ready.forEach((call) => call()),
    closed: () => undefined as void,
    over: '',
  }
  const channel: SseChannel = {
    write: (piece) => {
      pieces.push(Buffer.from(piece).toString())
      return held.keepsUp
    },
    onReady: (callback) => void ready.push(callback),
    onClosed: (callback) => void (held.closed = callback),
    end: () => void (held.over = 'ended'),
    destroy: () => void (held.over = 'destroyed'),
  }
  return { channel, pieces, held }
}

const observation = (seq: number): EnsoFollowFrame => ({
  type: 'observation',
  seq,
  observation: { kind: 'turn-end', toolResults: seq },
})

test('each event’s id is the number of the last observation in it or before it', () => {
  const status: EnsoFollowFrame = { type: 'status', generation: 1, busy: true, live: true }
  const frames = [status, observation(5), status, observation(6)].map(shareFrame)
  const text = Buffer.from(eventBytes({ frames, after: 4, bytes: 0 })).toString()
  assert.deepEqual(
    [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, id, data]) => [id, JSON.parse(data!)]),
    [
      ['4', status],
      ['5', observation(5)],
      ['5', status],
      ['6', observation(6)],
    ],
  )
})

test('a batch is made into bytes once, for however many it is written to', () => {
  const batch = batchOf(shareFrame(observation(1)), 0)
  assert.equal(eventBytes(batch), eventBytes(batch))
})

test('a reader that is behind is sent no heartbeat until it is ready, and one that is gone nothing', () => {
  const { channel, pieces, held } = heldChannel()
  const stream = createEventStream(channel)
  let ready = 0
  stream.onReady(() => ready++)
  stream.beat()
  held.keepsUp = false
  assert.equal(stream.write(Buffer.from('a')), false)
  stream.beat()
  assert.deepEqual(pieces, [':\n\n', 'a'])
  held.keepsUp = true
  held.ready()
  assert.equal(ready, 1)
  stream.beat()
  assert.deepEqual(pieces, [':\n\n', 'a', ':\n\n'])
  held.closed()
  assert.equal(stream.write(Buffer.from('b')), true)
  stream.end()
  assert.deepEqual([pieces.length, held.over], [3, ''])
})

/** The app behind a socket. */
async function serving(t: TestContext) {
  const served = servedApp(t)
  const server = await listen('127.0.0.1', 0, () => served.app)
  t.after(async () => {
    server.stop()
    await served.threads.close()
    await server.drain(0)
  })
  const headers = { host: TEST_HOST, authorization: `Bearer ${TEST_TOKEN}` }
  const follow = async () => {
    const asking = request({ port: server.port, path: '/api/threads/t1/follow', headers }).end()
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    return response
  }
  return { ...served, follow, server }
}

const big = (index: number): EnsoFollowFrame => ({
  type: 'observation',
  seq: index,
  observation: { kind: 'extension-error', extensionPath: '', event: '', error: 'x'.repeat(60_000) },
})

test('a reader that takes nothing is cut off, and the others lose nothing', { timeout: 30_000 }, async (t) => {
  const { ask, follow, host, server } = await serving(t)
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const stalled = connect(server.port, '127.0.0.1')
  stalled.on('error', () => undefined)
  const gone = once(stalled, 'close')
  await once(stalled, 'connect')
  stalled.write(
    `GET /api/threads/t1/follow HTTP/1.1\r\nHost: ${TEST_HOST}\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n\r\n`,
  )
  await once(stalled, 'data')
  stalled.pause()
  const response = await follow()
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const thread = host.thread('t1')
  const total = 400
  for (let index = 1; index <= total; index++) {
    const frame = big(index)
    if (frame.type === 'observation') thread.emit(frame.observation)
    await settleTicks()
  }
  while ((text.match(/^data: /gm)?.length ?? 0) < total + 1) await once(response, 'data')
  const seqs = [...text.matchAll(/^data: .*?"seq":(\d+)/gm)].map(([, seq]) => Number(seq))
  assert.deepEqual(
    seqs.slice(-total),
    Array.from({ length: total }, (_, index) => seqs.at(-1)! - total + 1 + index),
  )
  stalled.resume()
  await gone
  const again = readEvents(await ask('/api/threads/t1/follow'))
  assert.equal(((await again.next()).data as { asOfSeq: number }).asOfSeq, seqs.at(-1))
  await again.cancel()
})

test('a reader that comes back finds its thread as it left it', async (t) => {
  const { ask, follow, host } = await serving(t)
  const first = await follow()
  first.destroy()
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  host.thread('t1').reply('hi')
  const second = await follow()
  const [chunk] = (await once(second.setEncoding('utf8'), 'data')) as [string]
  const snapshot = JSON.parse(/data: (.*)/.exec(chunk)?.[1] ?? '') as { messages: { role: string }[] }
  assert.deepEqual(
    snapshot.messages.map(({ role }) => role),
    ['user', 'assistant'],
  )
  second.destroy()
})

test('an idle thread is let go and comes back from its file when it is prompted', async (t) => {
  const served = servedApp(t, { idleMs: 60_000 })
  const { ask, host, clock, threads } = served
  const events = readEvents(await ask('/api/threads/t1/follow'))
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  host.thread('t1').reply('hi')
  await events.until((frame) => frame.type === 'status' && !frame.busy && frame.generation === 1)
  clock.advance(61_000)
  const frames = await events.until((frame) => frame.type === 'status' && !frame.live)
  assert.equal(frames.length, 1)
  assert.deepEqual(threads.live(), [])
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'again' } })
  await events.until((frame) => frame.type === 'status' && frame.busy && frame.generation === 2)
  assert.equal(host.opened.length, 2)
  await events.cancel()
})
