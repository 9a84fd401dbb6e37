import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { describeThreadEvent, isEnsoThreadId, threadEventColumns } from '../../src/core/index.js'

const alphanumeric = fc.constantFrom(...'abcXYZ019'.split(''))
const inner = fc.constantFrom(...'abcXYZ019-'.split(''))

test('a thread id is letters, digits and inner hyphens, 64 at most', () => {
  fc.assert(
    fc.property(alphanumeric, fc.string({ unit: inner, maxLength: 62 }), alphanumeric, (first, middle, last) => {
      assert.ok(isEnsoThreadId(first))
      assert.ok(isEnsoThreadId(first + middle + last))
    }),
  )
  assert.ok(isEnsoThreadId('a'.repeat(64)))
  assert.ok(!isEnsoThreadId('a'.repeat(65)))
})

test('nothing that could leave a folder or split a file name is a thread id', () => {
  for (const id of [
    '',
    '-a',
    'a-',
    'a_b',
    'a_b/../x',
    '..',
    '.',
    'a.b',
    'a/b',
    'a\\b',
    'a b',
    'a\n',
    'a\0',
    'é',
    '%2e',
    1,
    null,
    undefined,
    ['a'],
  ]) {
    assert.equal(isEnsoThreadId(id), false, String(id))
  }
  fc.assert(fc.property(fc.string(), (id) => !isEnsoThreadId(id) || /^[A-Za-z0-9-]{1,64}$/.test(id)))
})

test('an event is a row of time, delivery and subject', () => {
  const event = {
    sequence: 4,
    at: '2026-09-22T12:34:56.789Z',
    type: 'custom-entry',
    name: 'enso-permission-mode',
    provenance: 'held' as const,
    count: 3,
  }
  assert.deepEqual(threadEventColumns(event), {
    when: '12:34:56',
    provenance: 'held ×3',
    subject: 'custom-entry enso-permission-mode',
  })
  assert.equal(describeThreadEvent(event), '12:34:56 held ×3 custom-entry enso-permission-mode')
})

test('a single event without an inner name has no count and no name; a stamp that is none is shown as it is', () => {
  const event = { sequence: 1, at: 'yesterday', type: 'settled', provenance: 'live' as const, count: 1 }
  assert.equal(describeThreadEvent(event), 'yesterday live settled')
})
