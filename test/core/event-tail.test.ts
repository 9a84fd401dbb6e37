import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventTail, EVENT_TAIL_MAX } from '../../src/core/event-tail.js'

test('neighbours of one shape are one record; what differs in name is another', () => {
  const tail = createEventTail(() => 0)
  const result = { kind: 'tool-result' as const, toolCallId: 't', text: '', isError: false, complete: false }
  for (const toolName of ['bash', 'bash', 'read']) {
    tail.record({ ...result, toolName }, 'sent')
  }
  const at = '1970-01-01T00:00:00.000Z'
  assert.deepEqual(tail.events(), [
    { sequence: 1, at, type: 'tool-result', name: 'bash', provenance: 'sent', count: 2 },
    { sequence: 2, at, type: 'tool-result', name: 'read', provenance: 'sent', count: 1 },
  ])
})

test('what was delivered in another way is another record', () => {
  const tail = createEventTail(() => 0)
  tail.record({ kind: 'settled' }, 'held')
  tail.record({ kind: 'settled' }, 'replayed')
  tail.record({ kind: 'status' }, 'sent')
  assert.deepEqual(
    tail.events().map(({ type, provenance }) => [type, provenance]),
    [
      ['settled', 'held'],
      ['settled', 'replayed'],
      ['status', 'sent'],
    ],
  )
})

test('a tail is bounded, and its numbers go on', () => {
  const tail = createEventTail(() => 0)
  for (let n = 0; n < EVENT_TAIL_MAX + 10; n++) {
    tail.record({ kind: n % 2 === 0 ? 'turn-start' : 'settled' }, 'sent')
  }
  assert.equal(tail.events().length, EVENT_TAIL_MAX)
  assert.equal(tail.events()[0]?.sequence, 11)
})
