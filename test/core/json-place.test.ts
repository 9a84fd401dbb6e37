import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonPlace } from '../../src/core/json-place.js'

const TEXT = `{
  "a": { "b": [1, { "c": "}" }, 3] },
  "d\\"": [
    "x,y", [], {}, null
  ], "e": true }`

test('a member is at its key, an element at itself', () => {
  assert.deepEqual(jsonPlace(TEXT, []), { line: 1, column: 1 })
  assert.deepEqual(jsonPlace(TEXT, ['a']), { line: 2, column: 3 })
  assert.deepEqual(jsonPlace(TEXT, ['a', 'b', '1', 'c']), { line: 2, column: 21 })
  assert.deepEqual(jsonPlace(TEXT, ['a', 'b', '2']), { line: 2, column: 33 })
  assert.deepEqual(jsonPlace(TEXT, ['d"', '3']), { line: 4, column: 20 })
  assert.deepEqual(jsonPlace(TEXT, ['e']), { line: 5, column: 6 })
})

test('keys that lead nowhere end at the last place they reach', () => {
  assert.deepEqual(jsonPlace(TEXT, ['a', 'missing']), { line: 2, column: 3 })
  assert.deepEqual(jsonPlace(TEXT, ['e', '0']), { line: 5, column: 6 })
  assert.deepEqual(jsonPlace('', ['e']), { line: 1, column: 1 })
})

test('every member of any JSON text is found where it is written', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value, null, 2)
      for (const key of Object.keys(JSON.parse(text) as object)) {
        const { line, column } = jsonPlace(text, [key])
        assert.ok((text.split('\n')[line - 1] ?? '').slice(column - 1).startsWith(JSON.stringify(key)), text)
      }
    }),
  )
})
