import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoToolResultObservation } from '../../src/core/index.js'
import { createRunningTools } from '../../src/thread/running-tools.js'
import { createManualClock } from '../support/manual-clock.js'

const partial = (text: string, toolCallId = 't1'): EnsoToolResultObservation => ({
  kind: 'tool-result',
  toolCallId,
  toolName: 'bash',
  text,
  isError: false,
  complete: false,
})

function setUp() {
  const clock = createManualClock()
  const sent: string[] = []
  return { clock, sent, tools: createRunningTools(clock, ({ text }) => void sent.push(text)) }
}

test('text goes out when it has doubled', () => {
  const { sent, tools } = setUp()
  for (let length = 1; length <= 1000; length++) tools.push(partial('x'.repeat(length)))
  assert.deepEqual(
    sent.map(({ length }) => length),
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  )
})

test('text that grows slowly goes out each second, the newest of it', () => {
  const { clock, sent, tools } = setUp()
  tools.push(partial('x'.repeat(100)))
  for (let tick = 1; tick <= 20; tick++) {
    clock.advance(100)
    tools.push(partial('x'.repeat(100 + tick)))
  }
  assert.deepEqual(
    sent.map(({ length }) => length),
    [100, 109, 119],
  )
})

test('what waits goes out by itself after a second of silence', () => {
  const { clock, sent, tools } = setUp()
  tools.push(partial('ab'))
  tools.push(partial('abc'))
  clock.advance(1000)
  assert.deepEqual(sent, ['ab', 'abc'])
  assert.equal(clock.waiting(), 0)
})

test('nothing is sent before there is text, nor twice', () => {
  const { clock, sent, tools } = setUp()
  tools.push(partial(''))
  clock.advance(1500)
  tools.push(partial('a'))
  tools.push(partial('a'))
  clock.advance(3000)
  assert.deepEqual(sent, ['a'])
})

test('the result ends it: what waited is not sent after it', () => {
  const { clock, sent, tools } = setUp()
  tools.push(partial('ab'))
  tools.push(partial('abc'))
  tools.done('t1')
  clock.advance(5000)
  assert.deepEqual(sent, ['ab'])
})

test('tools that run side by side are thinned out apart', () => {
  const { sent, tools } = setUp()
  tools.push(partial('aaaa', 't1'))
  tools.push(partial('b', 't2'))
  tools.push(partial('aaaaa', 't1'))
  tools.push(partial('bb', 't2'))
  assert.deepEqual(sent, ['aaaa', 'b', 'bb'])
})
