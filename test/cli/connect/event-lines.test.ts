import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEventLines } from '../../../src/cli/connect/event-lines.js'

function read(...pieces: string[]): string[] {
  const events: string[] = []
  const take = createEventLines((data) => events.push(data))
  for (const piece of pieces) take(piece)
  return events
}

test('each event’s data comes whole, comments and ids are passed over', () => {
  assert.deepEqual(read(': hi\n\nid: 1\ndata: {"a":1}\n\n:\n\ndata:x\n\n'), ['{"a":1}', 'x'])
  assert.deepEqual(read('data: one\ndata: two\n\n'), ['one\ntwo'])
  assert.deepEqual(read('data: \u2028\r\n\r\n'), ['\u2028'])
  assert.deepEqual(read('data: not over\n'), [])
})

test('where the pieces are cut changes nothing', () => {
  const text = 'id: 1\ndata: {"text":"ä𝄞"}\n\n: beat\n\nid: 2\ndata: second\n\n'
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      assert.deepEqual(read(...pieces), ['{"text":"ä𝄞"}', 'second'])
    }),
  )
})
