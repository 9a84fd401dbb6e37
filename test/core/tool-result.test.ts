import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_TOOL_RESULT_KEY, isEnsoToolResultDescriptor, readEnsoToolResultDescriptor } from '../../src/core/index.js'

const descriptor = { kind: 'diff', props: { path: 'a.ts' }, truncated: { shown: 3, total: 9, unit: 'lines' } }

test('a descriptor of any kind is one, if its shape is right', () => {
  assert.ok(isEnsoToolResultDescriptor(descriptor))
  assert.ok(isEnsoToolResultDescriptor({ kind: 'something-new', props: {} }))
  for (const value of [
    null,
    {},
    { kind: 'diff' },
    { kind: 1, props: {} },
    { kind: 'diff', props: [] },
    { ...descriptor, truncated: { shown: 1, total: 2, unit: 'pages' } },
    { ...descriptor, truncated: { shown: 1.5, total: 2, unit: 'lines' } },
  ]) {
    assert.equal(isEnsoToolResultDescriptor(value), false, JSON.stringify(value))
  }
})

test('a descriptor is read from a metadata bag only when it is one', () => {
  assert.equal(ENSO_TOOL_RESULT_KEY.includes('.'), false)
  assert.deepEqual(readEnsoToolResultDescriptor({ [ENSO_TOOL_RESULT_KEY]: descriptor, other: 1 }), descriptor)
  assert.equal(readEnsoToolResultDescriptor({ [ENSO_TOOL_RESULT_KEY]: { kind: 'diff' } }), undefined)
  assert.equal(readEnsoToolResultDescriptor({ other: 1 }), undefined)
  assert.equal(readEnsoToolResultDescriptor(undefined), undefined)
})
