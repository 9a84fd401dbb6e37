import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { EnsoRefusal } from '../../src/core/index.js'
import { createOpenLimit } from '../../src/server/guards/follow-limit.js'
import { listen } from '../../src/server/listen.js'
import type { SseChannel } from '../../src/server/sse/channel.js'
import { followThread } from '../../src/server/sse/follow-thread.js'
import { createHeartbeats, HEARTBEAT_MS } from '../../src/server/sse/heartbeats.js'
import { createNodeChannel } from '../../src/server/sse/node-channel.js'
import { createFakeThreads } from '../support/fake-threads.js'
import { servedApp, TEST_HOST, TEST_TOKEN } from '../support/served-app.js'

const REQUEST = `GET /api/threads/t1/follow HTTP/1.1\r\nHost: ${TEST_HOST}\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n\r\n`
const SOME_BYTES = 60_000

/** A thread that runs, behind a socket. */
async function serving(t: TestContext) {
  const served = servedApp(t)
  const server = await listen('127.0.0.1', 0, () => served.app)
  let isClosed = false
  const close = async (graceMs: number): Promise<void> => {
    if (isClosed) return
    isClosed = true
    server.stop()
    await served.threads.close()
    await server.drain(graceMs)
  }
  t.after(() => close(0))
  await served.ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const thread = served.host.thread('t1')
  let said = 0
  /** Says something with its number; each time of the same size. */
  const say = (bytes = 0): number => {
    said++
    thread.emit({ kind: 'extension-error', extensionPath: '', event: `n${said}.`, error: 'x'.repeat(bytes) })
    return said
  }
  return {
    ...served,
    server,
    close,
    say,
    open: (options: { allowHalfOpen?: boolean } = {}) => open(server.port, options),
  }
}

function open(port: number, options: { allowHalfOpen?: boolean }): Socket {
  const socket = connect({ port, host: '127.0.0.1', ...options })
  socket.on('error', () => undefined)
  socket.write(REQUEST)
  return socket
}

/** Reads what was said, by its numbers, once each event is there whole. */
function reading(socket: Socket) {
  const numbers: number[] = []
  let pieces: string[] = []
  let told: (() => void) | undefined
  socket.setEncoding('latin1').on('data', (text: string) => {
    const end = text.lastIndexOf('\n')
    pieces.push(end === -1 ? text : text.slice(0, end))
    if (end === -1) return
    for (const line of pieces.join('').split('\n')) {
      const number = /"event":"n(\d+)\."/.exec(line.slice(0, 200))?.[1]
      if (number !== undefined) numbers.push(Number(number))
    }
    pieces = [text.slice(end + 1)]
    told?.()
  })
  return {
    numbers,
    until: async (number: number): Promise<void> => {
      while (numbers.at(-1) !== number) await new Promise<void>((resolve) => void (told = resolve))
    },
    opened: once(socket, 'data'),
    ended: once(socket, 'end'),
  }
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

test(
  'of many readers half take nothing: those are cut off, the others miss nothing',
  { timeout: 60_000 },
  async (t) => {
    const { open: openFollow, say } = await serving(t)
    const readers = upTo(10).map(() => reading(openFollow()))
    const stalled = upTo(10).map((n) => {
      const socket = openFollow()
      // Half of them don't even take the head of the answer.
      if (n % 2 === 0) socket.pause()
      else socket.once('data', () => socket.pause())
      return socket
    })
    await Promise.all(readers.map(({ opened }) => opened))
    let last = 0
    for (let round = 0; round < 120; round++) {
      last = say(SOME_BYTES)
      await Promise.all(readers.map(({ until }) => until(last)))
    }
    for (const { numbers } of readers) assert.deepEqual(numbers, upTo(last))
    const ends = stalled.map(async (socket) => {
      const { until, numbers } = reading(socket)
      const end = await Promise.race([until(last).then(() => 'there'), once(socket, 'close').then(() => 'cut')])
      const first = (numbers[0] ?? 1) - 1
      assert.deepEqual(numbers, upTo(last).slice(first, first + numbers.length))
      return end
    })
    for (const socket of stalled) socket.resume()
    // How much a connection holds is the system's choice: one may have held everything.
    assert.ok((await Promise.all(ends)).includes('cut'))
  },
)

test('a reader that comes and goes all the time disturbs nobody', { timeout: 60_000 }, async (t) => {
  const { open: openFollow, say } = await serving(t)
  const steady = reading(openFollow())
  await steady.opened
  let last = 0
  for (let round = 0; round < 100; round++) {
    const socket = openFollow()
    last = say(1000)
    // Some leave before they are answered, some in the middle, some with a reset.
    if (round % 4 > 0) await once(socket, 'data')
    last = say(1000)
    if (round % 3 === 0) socket.resetAndDestroy()
    else socket.destroy()
    last = say(1000)
  }
  await steady.until(last)
  assert.deepEqual(steady.numbers, upTo(last))
})

test('a reader that says it will send no more has its follow ended', async (t) => {
  const { open: openFollow, say } = await serving(t)
  const socket = openFollow({ allowHalfOpen: true })
  const { opened, ended } = reading(socket)
  await opened
  socket.end()
  await ended
  say()
  socket.destroy()
})

test(
  'a server closes while readers take nothing; those that read get everything and an end',
  { timeout: 30_000 },
  async (t) => {
    const { open: openFollow, say, close } = await serving(t)
    const reader = reading(openFollow())
    const stalled = openFollow()
    stalled.once('data', () => stalled.pause())
    await reader.opened
    let last = 0
    for (let round = 0; round < 70; round++) {
      last = say(SOME_BYTES)
      await reader.until(last)
    }
    last = say(SOME_BYTES)
    await close(100)
    await reader.ended
    assert.deepEqual(reader.numbers, upTo(last))
    const gone = once(stalled, 'close')
    stalled.resume()
    await gone
  },
)

test('a reader that takes nothing for long is cut off, though little waits for it', { timeout: 30_000 }, async (t) => {
  const server = createServer((_request, response) => {
    const channel = createNodeChannel(response, 50)
    const piece = Buffer.alloc(64 * 1024, 'x')
    while (channel.write(piece) || response.socket?.writableLength === 0);
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const cut = once(server, 'request').then(([, response]) => once(response, 'close'))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(REQUEST)
  await cut
  socket.destroy()
})

test('whoever leaves gives back its place, its heartbeat and its part in the feed', async () => {
  const { threads, clock } = createFakeThreads()
  const [limit, heartbeats] = [createOpenLimit(1), createHeartbeats(clock)]
  const follow = async (): Promise<{ refused: EnsoRefusal | undefined; pieces: () => number; leave: () => void }> => {
    const leaving: (() => void)[] = []
    let pieces = 0
    const channel: SseChannel = {
      write: () => ++pieces > 0,
      onReady: () => undefined,
      onClosed: (callback) => void leaving.push(callback),
      end: () => undefined,
      destroy: () => undefined,
    }
    const refused = await followThread('one', undefined, channel, { threads, heartbeats, limit })
    return { refused, pieces: () => pieces, leave: () => leaving.forEach((call) => call()) }
  }
  for (let round = 0; round < 3; round++) {
    const follower = await follow()
    assert.equal(follower.refused, undefined)
    assert.equal((await follow()).refused?.code, 'too-many-requests')
    clock.advance(HEARTBEAT_MS)
    assert.equal(follower.pieces(), 2)
    follower.leave()
    assert.equal(clock.waiting(), 0)
    await threads.operate('prompt', 'one', { message: 'hi' })
    assert.equal(follower.pieces(), 2)
  }
})
