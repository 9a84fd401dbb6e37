import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { jsonLine } from '../../src/core/index.js'

const LINE_ENDS = /[\n\r\u2028\u2029\u0085]/
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

test('a JSON line has no separator that a reader could split it at, and no lone surrogate', () => {
  assert.equal(jsonLine('a\u2028b\u2029c'), String.raw`"a\u2028b\u2029c"`)
  assert.equal(jsonLine({ text: 'one\r\ntwo' }), String.raw`{"text":"one\r\ntwo"}`)
  assert.equal(jsonLine('\uD800x\uDC00'), String.raw`"\ud800x\udc00"`)
  assert.equal(jsonLine('😀'), '"😀"')
})

test('keys are escaped as values are', () => {
  assert.equal(jsonLine({ 'k\u2028': 1 }), String.raw`{"k\u2028":1}`)
})

test('what JSON can not say is null', () => {
  assert.equal(jsonLine(undefined), 'null')
  assert.equal(
    jsonLine(() => 1),
    'null',
  )
})

test('any value survives the line unchanged', () => {
  const units = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit))
  const text = fc.oneof(fc.string({ unit: units }), fc.constantFrom('\u2028', '\u2029', '\n', '\uD83D'))
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('any')),
      fc.dictionary(text, tie('any')),
    ),
  })).any
  fc.assert(
    fc.property(value, (input) => {
      const line = jsonLine(input)
      assert.ok(!/[\n\r\u2028\u2029]/.test(line))
      assert.ok(!LONE_SURROGATE.test(line))
      assert.deepEqual(JSON.parse(line), JSON.parse(JSON.stringify(input)))
    }),
  )
  assert.ok(LINE_ENDS.test('\u2028'))
})

test('a line holds no control character that a terminal obeys', () => {
  const line = jsonLine({ '\u009bk': 'a\u009b2Jb\u009d0;t\u0007c\u007f\u001b[31m' })
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f]/)
  assert.deepEqual(JSON.parse(line), { '\u009bk': 'a\u009b2Jb\u009d0;t\u0007c\u007f\u001b[31m' })
})
