import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoObservation, EnsoToolResultObservation, EnsoTranscriptEntry } from '../../src/core/index.js'
import { createInFlight, IN_FLIGHT_ID } from '../../src/thread/in-flight.js'
import { messageEntry } from '../support/fake-hosted-thread.js'

const call = { kind: 'tool-call' as const, toolCallId: 't1', toolName: 'bash', args: { command: 'ls' } }
const result = (over: Partial<EnsoToolResultObservation>): EnsoToolResultObservation => ({
  kind: 'tool-result',
  toolCallId: 't1',
  toolName: 'bash',
  text: 'out',
  isError: false,
  complete: true,
  ...over,
})

function setUp(stored: EnsoTranscriptEntry[] = []) {
  const inFlight = createInFlight(() => stored)
  const observe = (...seen: EnsoObservation[]): void => seen.forEach((one) => inFlight.observe(one))
  return { stored, inFlight, observe }
}

test('without a message in flight the stored entries are all there is', () => {
  const { inFlight, stored } = setUp([messageEntry('1', 'user', 'hi')])
  assert.deepEqual(inFlight.complete(stored), stored)
})

test('what was streamed of a reply follows what is stored, block by block in the order they began', () => {
  const { inFlight, observe, stored } = setUp([messageEntry('1', 'user', 'hi')])
  observe(
    { kind: 'message-start', role: 'assistant' },
    { kind: 'thinking-delta', contentIndex: 0, delta: 'hm' },
    { kind: 'thinking-delta', contentIndex: 0, delta: 'm' },
    { kind: 'text-delta', contentIndex: 1, delta: 'he' },
    { kind: 'text-delta', contentIndex: 1, delta: 'llo' },
  )
  assert.deepEqual(inFlight.complete(stored).at(-1), {
    kind: 'message',
    id: IN_FLIGHT_ID,
    role: 'assistant',
    parts: [
      { type: 'thinking', thinking: 'hmm' },
      { type: 'text', text: 'hello' },
    ],
  })
})

test('a message is told once: from its entry as soon as that is stored', () => {
  const { inFlight, observe, stored } = setUp([messageEntry('1', 'assistant', 'before')])
  observe({ kind: 'message-start', role: 'user', text: 'again' }, { kind: 'message-end', role: 'user' })
  assert.equal(inFlight.complete(stored).length, 2)
  stored.push(messageEntry('2', 'user', 'again'))
  assert.deepEqual(inFlight.complete(stored), stored)
})

test('a prompt that says the same as an earlier one is told apart from it', () => {
  const { inFlight, observe, stored } = setUp([messageEntry('1', 'user', 'go on')])
  observe({ kind: 'message-start', role: 'user', text: 'go on' })
  assert.equal(inFlight.complete(stored).length, 2)
})

test('a tool’s result that is not stored yet follows its stored call', () => {
  const { inFlight, observe, stored } = setUp()
  observe({ kind: 'message-start', role: 'assistant' }, { kind: 'message-end', role: 'assistant' })
  stored.push({ kind: 'message', id: '1', role: 'assistant', parts: [{ type: 'tool-call', ...call }] } as never)
  observe(call, result({ descriptor: { kind: 'x', props: {} } }))
  assert.deepEqual(inFlight.complete(stored).at(-1), {
    kind: 'tool-result',
    id: `${IN_FLIGHT_ID}-t1`,
    toolCallId: 't1',
    toolName: 'bash',
    text: 'out',
    isError: false,
    descriptor: { kind: 'x', props: {} },
  })
  stored.push({ kind: 'tool-result', id: '2', toolCallId: 't1', toolName: 'bash', text: 'out', isError: false })
  assert.deepEqual(inFlight.complete(stored), stored)
})

test('a call whose reply is not stored yet is a part of it', () => {
  const { inFlight, observe } = setUp()
  observe({ kind: 'message-start', role: 'assistant' }, call)
  const [message] = inFlight.complete([])
  assert.deepEqual(message?.kind === 'message' && message.parts, [
    { type: 'tool-call', toolCallId: 't1', toolName: 'bash', args: { command: 'ls' } },
  ])
})

test('running tools are told by what they have said last, until their result', () => {
  const { inFlight, observe } = setUp()
  observe({ kind: 'message-start', role: 'assistant' }, call)
  observe(result({ complete: false, text: 'a' }), result({ complete: false, text: 'ab' }))
  assert.deepEqual(
    inFlight.running().map(({ text }) => text),
    ['ab'],
  )
  observe(result({}))
  assert.deepEqual(inFlight.running(), [])
})

test('the end of a run leaves nothing in flight', () => {
  const { inFlight, observe } = setUp()
  observe({ kind: 'message-start', role: 'assistant' }, { kind: 'text-delta', contentIndex: 0, delta: 'cut' })
  observe(call, result({ complete: false }), { kind: 'settled' })
  assert.deepEqual(inFlight.complete([]), [])
  assert.deepEqual(inFlight.running(), [])
})
