import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_REFUSAL_CODES, EnsoRefusal, type EnsoRefusalCode, lazyValidator, refusal } from '../../src/core/index.js'

test('each refusal code has its one HTTP status', () => {
  assert.deepEqual(ENSO_REFUSAL_CODES, {
    malformed: 400,
    unauthorized: 401,
    'forbidden-origin': 403,
    'not-found': 404,
    'unknown-dialog': 404,
    busy: 409,
    'too-large': 413,
    'unsupported-media-type': 415,
    refused: 422,
    'too-many-requests': 429,
  })
})

test('a refusal has a code of the list and a sentence', () => {
  const validator = lazyValidator(EnsoRefusal)
  for (const code of Object.keys(ENSO_REFUSAL_CODES) as EnsoRefusalCode[])
    assert.ok(validator.check(refusal(code, 'why')))
  for (const value of [
    { code: 'teapot', reason: 'x' },
    { code: 'busy' },
    { code: 'busy', reason: '' },
    { code: 'busy', reason: 'x', at: 1 },
  ]) {
    assert.equal(validator.check(value), false)
  }
})
