import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { jsonFaultText, readJson } from '../../src/core/index.js'

function fault(text: string): string {
  const reading = readJson(text)
  assert.ok(!reading.ok, `${JSON.stringify(text)} is JSON`)
  return jsonFaultText(reading.fault)
}

test('JSON is read as JSON', () => {
  assert.deepEqual(readJson(' { "a": [1, {}, [], null, "\\u00e9"] } '), {
    ok: true,
    value: { a: [1, {}, [], null, 'é'] },
  })
})

test('a fault is named with its line, its column and what is expected there', () => {
  for (const [text, expected] of [
    ['', 'line 1, column 1: the text ends where a value is expected'],
    ['{', 'line 1, column 2: the text ends where a key in double quotes is expected'],
    ['{\n  "a": 1,\n}', 'line 3, column 1: a key in double quotes is expected'],
    ['{\n  a: 1\n}', 'line 2, column 3: a key in double quotes is expected'],
    ["{'a': 1}", 'line 1, column 2: a key in double quotes is expected'],
    ['{"a" 1}', 'line 1, column 6: a colon is expected'],
    ['{"a": }', 'line 1, column 7: a value is expected'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: a comma or } is expected'],
    ['[1 2]', 'line 1, column 4: a comma or ] is expected'],
    ['[1, ]', 'line 1, column 5: a value is expected'],
    ['[{}, {"a": [}]', 'line 1, column 13: a value is expected'],
    ['{} x', 'line 1, column 4: the end is expected'],
    ['"a\nb"', 'line 1, column 3: a closing quote is expected'],
    [String.raw`"a\q"`, 'line 1, column 3: a known escape is expected'],
    ['01', 'line 1, column 2: the end is expected'],
    ['nul', 'line 1, column 1: a value is expected'],
    ['[1, // two\n2]', 'line 1, column 5: a value is expected'],
  ] as const) {
    assert.equal(fault(text), expected, text)
  }
})

test('a deep or long text is gone through without running out of stack', () => {
  assert.match(fault('['.repeat(200_000)), /column 200001: the text ends/)
  assert.match(fault(`"${'x'.repeat(5_000_000)}`), /the text ends where a closing quote/)
})

test('a fault is found in whatever is no JSON, inside the text or at its end', () => {
  const token = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    'true',
    ' ',
    '\n',
    '\\',
    '\u0001',
    '0',
    'e',
    '.',
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join('')
      const reading = readJson(text)
      if (reading.ok) return
      const lines = text.split('\n')
      assert.ok(reading.fault.line >= 1 && reading.fault.line <= lines.length)
      assert.ok(reading.fault.column >= 1 && reading.fault.column <= lines[reading.fault.line - 1]!.length + 1)
    }),
    { numRuns: 3000 },
  )
})
