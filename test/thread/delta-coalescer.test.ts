import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDeltaCoalescer, type StreamDelta } from '../../src/thread/delta-coalescer.js'
import { createManualClock } from '../support/manual-clock.js'

const text = (delta: string, contentIndex = 0): StreamDelta => ({ kind: 'text-delta', contentIndex, delta })
const thinking = (delta: string): StreamDelta => ({ kind: 'thinking-delta', contentIndex: 0, delta })
const usage = { input: 3, output: 4, cacheRead: 0, cacheWrite: 0 }

function setUp() {
  const clock = createManualClock()
  const sent: StreamDelta[] = []
  return { clock, sent, deltas: createDeltaCoalescer(clock, (delta) => void sent.push(delta)) }
}

test('the first delta goes out at once, the next ones together after 40 ms', () => {
  const { clock, sent, deltas } = setUp()
  for (const piece of ['a', 'b', 'c']) deltas.push(text(piece))
  assert.deepEqual(sent, [text('a')])
  clock.advance(39)
  assert.equal(sent.length, 1)
  clock.advance(1)
  assert.deepEqual(sent, [text('a'), text('bc')])
})

test('a slow stream is not held up: after 40 ms of silence a delta goes out at once', () => {
  const { clock, sent, deltas } = setUp()
  for (const piece of ['a', 'b', 'c']) {
    deltas.push(text(piece))
    clock.advance(50)
  }
  assert.deepEqual(sent, [text('a'), text('b'), text('c')])
  assert.equal(clock.waiting(), 0)
})

test('512 waiting bytes go out without waiting longer, counted as UTF-8', () => {
  const { sent, deltas } = setUp()
  deltas.push(text('a'))
  deltas.push(text('é'.repeat(255)))
  assert.equal(sent.length, 1)
  deltas.push(text('é'))
  assert.deepEqual(sent[1], text('é'.repeat(256)))
})

test('another content block or kind ends the one before it and begins at once', () => {
  const { sent, deltas } = setUp()
  deltas.push(thinking('t'))
  deltas.push(thinking('u'))
  deltas.push(text('a'))
  deltas.push(text('b'))
  deltas.push(text('c', 1))
  assert.deepEqual(sent, [thinking('t'), thinking('u'), text('a'), text('b'), text('c', 1)])
})

test('usage is on the last delta of a message only', () => {
  const { sent, deltas } = setUp()
  for (const piece of ['a', 'b', 'c']) deltas.push({ ...text(piece), usage })
  deltas.endMessage({ ...usage, output: 9 })
  assert.deepEqual(sent, [text('a'), { ...text('bc'), usage: { ...usage, output: 9 } }])
})

test('a message whose last delta had gone out says its usage with an empty one', () => {
  const { sent, deltas } = setUp()
  deltas.push({ ...text('only'), usage })
  deltas.endMessage(undefined)
  assert.deepEqual(sent, [text('only'), { ...text(''), usage }])
})

test('a message without deltas or without usage ends with nothing', () => {
  const { sent, deltas } = setUp()
  deltas.endMessage(usage)
  deltas.push(text('a'))
  deltas.endMessage(undefined)
  assert.deepEqual(sent, [text('a')])
})

test('a message begins anew: its first delta goes out at once', () => {
  const { sent, deltas } = setUp()
  deltas.push(text('a'))
  deltas.endMessage(undefined)
  deltas.push(text('b'))
  assert.deepEqual(sent, [text('a'), text('b')])
})
