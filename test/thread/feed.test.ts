import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoFollowFrame, EnsoObservation } from '../../src/core/index.js'
import { createFeed, type Feed } from '../../src/thread/feed.js'
import type { FollowSink } from '../../src/thread/follower.js'
import { BATCH_WAIT_MS, type FrameBatch } from '../../src/thread/frame-batches.js'
import { createRecordingFollower } from '../support/fake-threads.js'
import { createManualClock } from '../support/manual-clock.js'

const text = (delta: string): EnsoObservation => ({ kind: 'text-delta', contentIndex: 0, delta })
const status: EnsoFollowFrame = { type: 'status', generation: 1, busy: true, live: true }

function setUp() {
  const clock = createManualClock()
  const turns = createManualClock()
  const framesBefore: EnsoFollowFrame[] = []
  const feed = createFeed({ clock, turns, onFrame: (frame) => void framesBefore.push(frame) })
  return { clock, turns, feed, framesBefore }
}

function followed(feed: Feed, sink: FollowSink) {
  return feed.follow(sink, () => ({ ...status, generation: feed.seq() }))
}

function batchesOf(feed: Feed, keepsUp: () => boolean = () => true) {
  const batches: FrameBatch[] = []
  const ended: string[] = []
  const handle = feed.followBatched(
    {
      batch: (batch) => {
        batches.push(batch)
        return keepsUp()
      },
      end: (reason) => void ended.push(reason),
    },
    () => ({ ...status, generation: feed.seq() }),
  )
  const seqs = (): number[] =>
    batches.flatMap(({ frames }) => frames.map(({ frame }) => (frame.type === 'observation' ? frame.seq : 0)))
  return { batches, ended, handle, seqs }
}

test('seq is given after joining, without a gap', () => {
  const { feed } = setUp()
  const follower = createRecordingFollower()
  followed(feed, follower)
  for (const piece of ['a', 'b', 'c']) feed.observe(text(piece))
  feed.observe({ kind: 'turn-end', toolResults: 0 })
  assert.deepEqual(follower.frames.slice(1), [
    { type: 'observation', seq: 1, observation: text('a') },
    { type: 'observation', seq: 2, observation: text('bc') },
    { type: 'observation', seq: 3, observation: { kind: 'turn-end', toolResults: 0 } },
  ])
})

test('nothing overtakes a delta: an observation, a tool’s text and a status each send it first', () => {
  const { clock, feed } = setUp()
  const follower = createRecordingFollower()
  followed(feed, follower)
  const partial = { kind: 'tool-result' as const, toolCallId: 't', toolName: 'bash', isError: false, complete: false }
  feed.observe(text('a'))
  feed.observe(text('b'))
  feed.observe({ ...partial, text: 'out' })
  feed.observe({ ...partial, text: 'out+' })
  feed.observe(text('c'))
  feed.status({ type: 'status', generation: 2, busy: false, live: true })
  clock.advance(1000)
  assert.deepEqual(follower.kinds().slice(1), [
    'text-delta',
    'text-delta',
    'tool-result',
    'text-delta',
    'status',
    'tool-result',
  ])
})

test('a frame is turned into a line once, however many follow', () => {
  const { feed } = setUp()
  const followers = [1, 2, 3].map(() => createRecordingFollower())
  for (const follower of followers) followed(feed, follower)
  let asked = 0
  const observation: EnsoObservation = {
    kind: 'custom-entry',
    customType: 'x',
    data: { toJSON: () => ++asked },
  }
  feed.observe(observation)
  assert.equal(asked, 1)
  assert.ok(followers.every(({ lines }) => lines.at(-1)?.includes('"data":1')))
})

test('a follower that acts while it is told gets what follows after it, and so does everybody else', () => {
  const { feed } = setUp()
  const seen: string[][] = [[], []]
  const sink = (at: number): FollowSink => ({
    frame: (frame) => {
      if (frame.type !== 'observation') return true
      seen[at]?.push(frame.observation.kind)
      if (at === 0 && frame.observation.kind === 'turn-start') feed.observe({ kind: 'settled' })
      return true
    },
    end: () => undefined,
  })
  followed(feed, sink(0))
  followed(feed, sink(1))
  feed.observe({ kind: 'turn-start' })
  assert.deepEqual(seen, [
    ['turn-start', 'settled'],
    ['turn-start', 'settled'],
  ])
})

test('a follower that joins while a frame is handed out sees only what comes after its snapshot', () => {
  const { feed } = setUp()
  const late = createRecordingFollower()
  followed(feed, {
    frame: (frame) => {
      if (frame.type === 'observation' && frame.seq === 1) followed(feed, late)
      return true
    },
    end: () => undefined,
  })
  feed.observe({ kind: 'turn-start' })
  feed.observe({ kind: 'settled' })
  assert.deepEqual(late.kinds(), ['status', 'settled'])
  assert.deepEqual(late.frames[0], { ...status, generation: 1 })
})

test('a follower that throws is ended and the others go on', () => {
  const { feed } = setUp()
  const good = createRecordingFollower()
  let ended = ''
  followed(feed, {
    frame: (frame) => {
      if (frame.type === 'observation') throw new Error('broken')
      return true
    },
    end: (reason) => {
      ended = reason
    },
  })
  followed(feed, good)
  feed.observe({ kind: 'turn-start' })
  feed.observe({ kind: 'settled' })
  assert.deepEqual(good.kinds(), ['status', 'turn-start', 'settled'])
  assert.equal(ended, 'dropped')
  assert.equal(feed.followerCount(), 1)
})

test('a large result is cut before it goes out, and the text of running tools ends with its result', () => {
  const { clock, feed } = setUp()
  const follower = createRecordingFollower()
  followed(feed, follower)
  const result = { kind: 'tool-result' as const, toolCallId: 't', toolName: 'bash', isError: false }
  feed.observe({ ...result, complete: false, text: 'ab' })
  feed.observe({ ...result, complete: false, text: 'abc' })
  feed.observe({ ...result, complete: true, text: 'x'.repeat(1_000_000) })
  clock.advance(5000)
  assert.deepEqual(follower.kinds(), ['status', 'tool-result', 'tool-result'])
  assert.ok((follower.lines.at(-1)?.length ?? 0) < 300_000)
})

test('20,000 deltas of a fast stream cost at most three times their text, and none is lost', () => {
  const { clock, feed } = setUp()
  const follower = createRecordingFollower()
  followed(feed, follower)
  const usage = { input: 100, output: 1, cacheRead: 0, cacheWrite: 0, totalCost: 0.001 }
  let content = ''
  feed.observe({ kind: 'message-start', role: 'assistant' })
  for (let n = 0; n < 20_000; n++) {
    const delta = `word${n} `
    content += delta
    feed.observe({ kind: 'text-delta', contentIndex: 0, delta, usage: { ...usage, output: n } })
    if (n % 20 === 0) clock.advance(1)
  }
  feed.observe({ kind: 'message-end', role: 'assistant', usage })
  const bytes = follower.lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  const deltas = follower.observations().filter((seen) => seen.kind === 'text-delta')
  assert.equal(deltas.map(({ delta }) => delta).join(''), content)
  assert.deepEqual(
    deltas.filter((delta) => delta.usage !== undefined).map(({ usage: last }) => last),
    [usage],
  )
  assert.ok(bytes <= 3 * Buffer.byteLength(content), `${bytes} bytes for ${content.length}`)
})

test('closing sends what waits, then ends every follow once', () => {
  const { feed } = setUp()
  const follower = createRecordingFollower()
  followed(feed, follower)
  feed.observe(text('a'))
  feed.observe(text('b'))
  feed.close()
  feed.close()
  assert.deepEqual(follower.observations(), [text('a'), text('b')])
  assert.deepEqual(follower.ended, ['closed'])
})

test('followers that take batches are handed the same ones, also after they were behind', () => {
  const { turns, feed } = setUp()
  let keepsUp = false
  const quick = batchesOf(feed)
  const slow = batchesOf(feed, () => keepsUp)
  for (let n = 0; n < 6; n++) {
    feed.observe({ kind: 'turn-start' })
    turns.advance(BATCH_WAIT_MS / 2)
  }
  turns.advance(BATCH_WAIT_MS)
  assert.equal(slow.batches.length, 1)
  keepsUp = true
  slow.handle.resume()
  assert.deepEqual(slow.seqs(), [0, 1, 2, 3, 4, 5, 6])
  assert.ok(quick.batches.length < 7)
  assert.deepEqual(
    slow.batches.slice(1).map((batch) => quick.batches.indexOf(batch)),
    quick.batches.slice(1).map((_, at) => at + 1),
  )
})

test('a follower that joins while a batch is gathered is handed nothing that its snapshot has', () => {
  const { turns, feed } = setUp()
  const early = batchesOf(feed)
  feed.observe({ kind: 'turn-start' })
  const late = batchesOf(feed)
  feed.observe({ kind: 'settled' })
  turns.advance(BATCH_WAIT_MS)
  assert.deepEqual(early.seqs(), [0, 1, 2])
  assert.deepEqual(late.seqs(), [0, 2])
  assert.deepEqual(late.batches[0]?.frames[0]?.frame, { ...status, generation: 1 })
  assert.deepEqual(
    late.batches.map(({ after }) => after),
    [1, 1],
  )
})

test('those who join in one turn open with the same batch, until something is said', () => {
  const { turns, feed } = setUp()
  const openings = [batchesOf(feed), batchesOf(feed)].map(({ batches }) => batches[0])
  assert.equal(openings[0], openings[1])
  feed.observe({ kind: 'turn-start' })
  const [later] = batchesOf(feed).batches
  assert.notEqual(later, openings[0])
  assert.equal(later?.after, 1)
  turns.advance(0)
  assert.notEqual(batchesOf(feed).batches[0], later)
})

test('closing hands over the batch that is being gathered', () => {
  const { feed } = setUp()
  const { seqs, ended } = batchesOf(feed)
  feed.observe(text('a'))
  feed.observe(text('b'))
  feed.close()
  assert.deepEqual(seqs(), [0, 1, 2])
  assert.deepEqual(ended, ['closed'])
})

test('a frame waits for nobody’s batch when its follower takes frames one at a time', () => {
  const { feed } = setUp()
  batchesOf(feed)
  const follower = createRecordingFollower()
  followed(feed, follower)
  feed.observe({ kind: 'turn-start' })
  feed.observe({ kind: 'settled' })
  assert.deepEqual(follower.kinds(), ['status', 'turn-start', 'settled'])
})
