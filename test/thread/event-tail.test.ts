import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventTail, EVENT_TAIL_MAX } from '../../src/thread/event-tail.js'

test('neighbours of one shape are one record; what differs in name is another', () => {
  const tail = createEventTail(() => 0)
  const result = { kind: 'tool-result' as const, toolCallId: 't', text: '', isError: false, complete: false }
  for (const toolName of ['bash', 'bash', 'read']) {
    tail.record({ type: 'observation', seq: 1, observation: { ...result, toolName } })
  }
  const at = '1970-01-01T00:00:00.000Z'
  assert.deepEqual(tail.events(), [
    { sequence: 1, at, type: 'tool-result', name: 'bash', provenance: 'sent', count: 2 },
    { sequence: 2, at, type: 'tool-result', name: 'read', provenance: 'sent', count: 1 },
  ])
})

test('a tail is bounded, and its numbers go on', () => {
  const tail = createEventTail(() => 0)
  for (let n = 0; n < EVENT_TAIL_MAX + 10; n++) {
    tail.record({ type: 'observation', seq: n, observation: { kind: n % 2 === 0 ? 'turn-start' : 'settled' } })
  }
  assert.equal(tail.events().length, EVENT_TAIL_MAX)
  assert.equal(tail.events()[0]?.sequence, 11)
})
