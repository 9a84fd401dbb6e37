import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { EnsoObservation } from '../../src/core/index.js'
import { createBatchFollower, createFollower, type Follower } from '../../src/thread/follower.js'
import { batchOf } from '../../src/thread/frame-batches.js'
import { shareFrame } from '../../src/thread/shared-frame.js'
import { createRecordingFollower, type RecordingFollower } from '../support/fake-threads.js'

function setUp() {
  const sink = createRecordingFollower()
  let over = 0
  const follower = createFollower(sink, () => void over++)
  let seq = 0
  const say = (observation: EnsoObservation): void =>
    follower.send(shareFrame({ type: 'observation', seq: ++seq, observation }))
  return { sink, follower, say, over: () => over }
}

function setUpBatched(maxPendingBytes: number) {
  const sink = createRecordingFollower()
  let over = 0
  const follower = createBatchFollower(sink, () => void over++, maxPendingBytes)
  let seq = 0
  const say = (observation: EnsoObservation): void => {
    seq++
    follower.send(batchOf(shareFrame({ type: 'observation', seq, observation }), seq - 1))
  }
  return { sink, follower, say, over: () => over }
}

/** Takes one frame while behind, so that the next ones are kept. */
function fallBehind({ sink, say }: { sink: RecordingFollower; say: (observation: EnsoObservation) => void }): void {
  sink.keepsUp = false
  say({ kind: 'turn-start' })
}

function catchUp(sink: RecordingFollower, follower: Pick<Follower, 'resume'>): void {
  sink.keepsUp = true
  follower.resume()
}

const text = (delta: string): EnsoObservation => ({ kind: 'text-delta', contentIndex: 0, delta })
const running = (said: string, toolCallId = 't1'): EnsoObservation => ({
  kind: 'tool-result',
  toolCallId,
  toolName: 'bash',
  text: said,
  isError: false,
  complete: false,
})

test('a frame that is answered with “behind” was taken; the next ones wait', () => {
  const at = setUp()
  fallBehind(at)
  at.say({ kind: 'settled' })
  assert.deepEqual(at.sink.kinds(), ['turn-start'])
  catchUp(at.sink, at.follower)
  assert.deepEqual(at.sink.kinds(), ['turn-start', 'settled'])
})

test('neighbouring deltas are joined while they wait, and the frame has the last one’s seq', () => {
  const at = setUp()
  fallBehind(at)
  for (const piece of ['a', 'b', 'c']) at.say(text(piece))
  at.say({ kind: 'settled' })
  at.say(text('d'))
  catchUp(at.sink, at.follower)
  assert.deepEqual(at.sink.frames.slice(1), [
    { type: 'observation', seq: 4, observation: text('abc') },
    { type: 'observation', seq: 5, observation: { kind: 'settled' } },
    { type: 'observation', seq: 6, observation: text('d') },
  ])
})

test('a running tool’s text replaces the one that waits, and the result replaces both', () => {
  const at = setUp()
  fallBehind(at)
  at.say(running('a'))
  at.say(running('x', 't2'))
  at.say(running('ab'))
  at.say({ ...running('done'), complete: true } as EnsoObservation)
  catchUp(at.sink, at.follower)
  assert.deepEqual(
    at.sink.frames.slice(1).map((frame) => (frame.type === 'observation' ? frame.seq : 0)),
    [3, 5],
  )
})

test('a sink that falls behind again while it catches up is not pushed further', () => {
  const at = setUp()
  fallBehind(at)
  at.say({ kind: 'turn-start' })
  at.say({ kind: 'settled' })
  at.follower.resume()
  assert.equal(at.sink.frames.length, 2)
  at.follower.resume()
  assert.equal(at.sink.frames.length, 3)
})

test('a slow follower loses nothing, whatever the order of falling behind and catching up', () => {
  const step = fc.oneof(
    fc.record({ say: fc.string({ minLength: 1, maxLength: 3 }) }),
    fc.constant('end' as const),
    fc.constant('behind' as const),
    fc.constant('resume' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { sink, follower, say } = setUp()
      let said = ''
      for (const next of steps) {
        if (next === 'behind') sink.keepsUp = false
        else if (next === 'resume') catchUp(sink, follower)
        else if (next === 'end') {
          said += '|'
          say({ kind: 'settled' })
        } else {
          said += next.say
          say(text(next.say))
        }
      }
      catchUp(sink, follower)
      const heard = sink.observations().map((seen) => (seen.kind === 'text-delta' ? seen.delta : '|'))
      assert.equal(heard.join(''), said)
      const seqs = sink.frames.map((frame) => (frame.type === 'observation' ? frame.seq : 0))
      assert.ok(seqs.every((seq, at) => at === 0 || seq > (seqs[at - 1] ?? 0)))
    }),
  )
})

test('what waits for a follower that may be dropped is bounded; beyond that it is dropped once', () => {
  const at = setUpBatched(1000)
  fallBehind(at)
  for (let n = 0; n < 100; n++) at.say(text('x'.repeat(50)))
  assert.deepEqual(at.sink.ended, ['dropped'])
  assert.equal(at.over(), 1)
  catchUp(at.sink, at.follower)
  assert.equal(at.sink.frames.length, 1)
})

test('a follower that may be dropped but catches up in time misses no frame', () => {
  const at = setUpBatched(10_000)
  fallBehind(at)
  for (let n = 0; n < 20; n++) at.say(text('x'))
  catchUp(at.sink, at.follower)
  assert.equal(at.sink.frames.length, 21)
  assert.deepEqual(at.sink.ended, [])
})

test('what was handed over no longer counts as waiting', () => {
  const at = setUpBatched(1000)
  for (let n = 0; n < 100; n++) {
    fallBehind(at)
    at.say(text('x'.repeat(50)))
    catchUp(at.sink, at.follower)
  }
  assert.equal(at.sink.frames.length, 200)
  assert.deepEqual(at.sink.ended, [])
})

test('a reader of batches that is behind is owed nothing when the feed closes', () => {
  const at = setUpBatched(1000)
  fallBehind(at)
  at.say({ kind: 'settled' })
  at.follower.end('closed')
  assert.deepEqual(at.sink.kinds(), ['turn-start'])
  assert.deepEqual(at.sink.ended, ['closed'])
})

test('a follower that closes itself hears nothing more, its end included', () => {
  const at = setUp()
  fallBehind(at)
  at.say({ kind: 'settled' })
  at.follower.close()
  at.follower.close()
  catchUp(at.sink, at.follower)
  at.follower.end('closed')
  assert.deepEqual(at.sink.kinds(), ['turn-start'])
  assert.deepEqual(at.sink.ended, [])
  assert.equal(at.over(), 1)
})

test('when the feed closes, a follower that is behind gets what waited before its end', () => {
  const at = setUp()
  fallBehind(at)
  at.say(text('a'))
  at.say({ kind: 'settled' })
  at.follower.end('closed')
  assert.deepEqual(at.sink.kinds(), ['turn-start', 'text-delta', 'settled'])
  assert.deepEqual(at.sink.ended, ['closed'])
})

test('a sink that throws in its end harms nobody', () => {
  const follower = createFollower(
    {
      frame: () => true,
      end: () => {
        throw new Error('broken')
      },
    },
    () => undefined,
  )
  assert.doesNotThrow(() => follower.end('closed'))
})
