import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { capToEnd, capToStart } from '../../src/thread/cap-text.js'

test('a text that fits is not cut', () => {
  assert.equal(capToStart('four', 4), undefined)
  assert.equal(capToEnd('four', 4), undefined)
  assert.equal(capToEnd('', 0), undefined)
})

test('the start or the end of a text is kept, and both sizes are counted in bytes', () => {
  assert.deepEqual(capToStart('abcdef', 4), { text: 'abcd', shown: 4, total: 6 })
  assert.deepEqual(capToEnd('abcdef', 4), { text: 'cdef', shown: 4, total: 6 })
})

test('a character of several bytes is kept whole or left out whole', () => {
  assert.deepEqual(capToStart('a€b', 3), { text: 'a', shown: 1, total: 5 })
  assert.deepEqual(capToEnd('a€b', 3), { text: 'b', shown: 1, total: 5 })
  assert.deepEqual(capToStart('😀😀', 5), { text: '😀', shown: 4, total: 8 })
  assert.deepEqual(capToEnd('😀😀', 5), { text: '😀', shown: 4, total: 8 })
})

test('what is kept is a part of the text, within the limit and at most one character short of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
      for (const [cap, holds] of [
        [capToStart, (part: string) => text.startsWith(part)],
        [capToEnd, (part: string) => text.endsWith(part)],
      ] as const) {
        const capped = cap(text, max)
        if (capped === undefined) {
          assert.ok(Buffer.byteLength(text) <= max)
          continue
        }
        assert.ok(holds(capped.text), JSON.stringify(capped))
        assert.equal(capped.shown, Buffer.byteLength(capped.text))
        assert.equal(capped.total, Buffer.byteLength(text))
        assert.ok(capped.shown <= max && capped.shown > max - 4)
      }
    }),
  )
})
