import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTimeWatch } from '../../../src/cli/run/limits.js'
import type { LimitHit } from '../../../src/core/index.js'
import { createManualClock } from '../../support/manual-clock.js'

function watched(timeoutMs: number | undefined, idleMs: number | undefined) {
  const clock = createManualClock()
  const hits: LimitHit[] = []
  return { clock, hits, watch: createTimeWatch({ timeoutMs, idleMs }, clock, (hit) => hits.push(hit)) }
}

test('a run that takes too long is told once', () => {
  const { clock, hits, watch } = watched(1000, undefined)
  watch.begin()
  clock.advance(999)
  watch.begin()
  watch.stirred(false)
  assert.deepEqual(hits, [])
  clock.advance(5000)
  assert.deepEqual(hits, [{ name: 'time', value: 1000, used: 1000 }])
})

test('time is counted for each run by itself, and not between them', () => {
  const { clock, hits, watch } = watched(1000, 500)
  watch.begin()
  clock.advance(400)
  watch.end()
  clock.advance(10_000)
  watch.begin()
  clock.advance(450)
  assert.deepEqual(hits, [])
  assert.equal(clock.waiting(), 2)
  watch.end()
  assert.equal(clock.waiting(), 0)
})

test('idle is counted from the last observation', () => {
  const { clock, hits, watch } = watched(undefined, 500)
  watch.begin()
  for (let step = 0; step < 10; step++) {
    clock.advance(400)
    watch.stirred(false)
  }
  assert.deepEqual(hits, [])
  clock.advance(500)
  assert.deepEqual(hits, [{ name: 'idle', value: 500, used: 500 }])
})

test('a question that waits pauses idle, and its end begins it anew', () => {
  const { clock, hits, watch } = watched(undefined, 500)
  watch.begin()
  watch.stirred(true)
  clock.advance(60_000)
  assert.deepEqual(hits, [])
  watch.stirred(false)
  clock.advance(499)
  assert.deepEqual(hits, [])
  clock.advance(1)
  assert.deepEqual(
    hits.map(({ name }) => name),
    ['idle'],
  )
})

test('what a run is opened with is no idleness, but part of its time', () => {
  const { clock, hits, watch } = watched(1000, 300)
  watch.asked()
  clock.advance(900)
  assert.deepEqual(hits, [])
  watch.begin()
  clock.advance(100)
  assert.deepEqual(hits, [{ name: 'time', value: 1000, used: 1000 }])
})
