import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { BATCH_FULL_BYTES, BATCH_WAIT_MS, createFrameBatches, type FrameBatch } from '../../src/thread/frame-batches.js'
import { shareFrame } from '../../src/thread/shared-frame.js'
import { createManualClock } from '../support/manual-clock.js'

function setUp() {
  const clock = createManualClock()
  const batches: FrameBatch[] = []
  const gathering = createFrameBatches(clock, (batch) => void batches.push(batch))
  let seq = 0
  const say = (error = ''): void => {
    const observation = { kind: 'extension-error' as const, extensionPath: '', event: '', error }
    gathering.push(shareFrame({ type: 'observation', seq: ++seq, observation }), seq - 1)
  }
  const seqs = (): number[][] =>
    batches.map(({ frames }) => frames.map(({ frame }) => (frame.type === 'observation' ? frame.seq : 0)))
  return { clock, batches, gathering, say, seqs, said: () => seq }
}

test('a frame after a silence goes out at the end of its turn, with what else that turn brings', () => {
  const { clock, say, seqs } = setUp()
  say()
  say()
  assert.deepEqual(seqs(), [])
  clock.advance(0)
  assert.deepEqual(seqs(), [[1, 2]])
  clock.advance(BATCH_WAIT_MS)
  say()
  clock.advance(0)
  assert.deepEqual(seqs(), [[1, 2], [3]])
})

test('frames in quick succession go out together, each a few milliseconds late at most', () => {
  const { clock, say, seqs } = setUp()
  say()
  clock.advance(0)
  for (let n = 0; n < BATCH_WAIT_MS; n++) {
    say()
    clock.advance(1)
  }
  assert.deepEqual(seqs(), [[1], Array.from({ length: BATCH_WAIT_MS }, (_, n) => n + 2)])
  assert.equal(clock.waiting(), 0)
})

test('a batch that is full waits for nothing', () => {
  const { clock, say, seqs } = setUp()
  say()
  say('x'.repeat(BATCH_FULL_BYTES))
  assert.deepEqual(seqs(), [[1, 2]])
  assert.equal(clock.waiting(), 0)
})

test('every frame goes out once and in order, and a batch knows the number before it', () => {
  const step = fc.oneof(
    fc.record({ say: fc.constantFrom(1, 100, BATCH_FULL_BYTES / 3) }),
    fc.record({ wait: fc.integer({ min: 0, max: 2 * BATCH_WAIT_MS }) }),
    fc.constant('flush' as const),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { clock, batches, gathering, say, seqs, said } = setUp()
      for (const next of steps) {
        if (next === 'flush') gathering.flush()
        else if ('wait' in next) clock.advance(next.wait)
        else say('x'.repeat(next.say))
      }
      clock.advance(BATCH_WAIT_MS)
      assert.deepEqual(
        seqs().flat(),
        Array.from({ length: said() }, (_, n) => n + 1),
      )
      assert.deepEqual(
        batches.map(({ after }) => after + 1),
        seqs().map(([first]) => first),
      )
      for (const { frames, bytes } of batches) {
        assert.equal(
          bytes,
          frames.reduce((sum, { line }) => sum + line().length, 0),
        )
      }
    }),
  )
})
