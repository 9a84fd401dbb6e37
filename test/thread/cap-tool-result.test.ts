import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoToolResultObservation } from '../../src/core/index.js'
import {
  capEntry,
  capToolResult,
  RESULT_TEXT_MAX_BYTES,
  RUNNING_TEXT_MAX_BYTES,
} from '../../src/thread/cap-tool-result.js'

const result = (over: Partial<EnsoToolResultObservation>): EnsoToolResultObservation => ({
  kind: 'tool-result',
  toolCallId: 't1',
  toolName: 'bash',
  text: 'ok',
  isError: false,
  complete: true,
  ...over,
})

test('a result that fits goes out as it is', () => {
  const small = result({ descriptor: { kind: 'diff', props: { diff: '+a' } } })
  assert.equal(capToolResult(small), small)
})

test('a finished tool shows the start of its text, and what was cut is data', () => {
  const capped = capToolResult(result({ text: `begin${'x'.repeat(RESULT_TEXT_MAX_BYTES)}` }))
  assert.ok(capped.text.startsWith('begin'))
  assert.equal(Buffer.byteLength(capped.text), RESULT_TEXT_MAX_BYTES)
  assert.deepEqual(capped.descriptor, {
    kind: 'text',
    props: {},
    truncated: { shown: RESULT_TEXT_MAX_BYTES, total: RESULT_TEXT_MAX_BYTES + 5, unit: 'bytes' },
  })
})

test('a running tool shows the end of its text', () => {
  const capped = capToolResult(result({ complete: false, text: `${'x'.repeat(RUNNING_TEXT_MAX_BYTES)}end` }))
  assert.ok(capped.text.endsWith('end'))
  assert.equal(capped.descriptor?.truncated?.shown, RUNNING_TEXT_MAX_BYTES)
})

test('a descriptor keeps its kind and properties when only the text is cut', () => {
  const descriptor = {
    kind: 'search',
    props: { query: 'a' },
    truncated: { shown: 1, total: 2, unit: 'items' as const },
  }
  const capped = capToolResult(result({ text: 'y'.repeat(RESULT_TEXT_MAX_BYTES + 1), descriptor }))
  assert.equal(capped.descriptor?.kind, 'search')
  assert.deepEqual(capped.descriptor?.props, { query: 'a' })
  assert.equal(capped.descriptor?.truncated?.unit, 'bytes')
})

test('an oversized descriptor is left out, so that the text is shown', () => {
  const capped = capToolResult(result({ descriptor: { kind: 'diff', props: { diff: 'z'.repeat(300_000) } } }))
  assert.equal(capped.descriptor, undefined)
  assert.equal(capped.text, 'ok')
})

test('a stored result is bounded for a snapshot as it is on the feed; other entries are left alone', () => {
  const entry = { kind: 'tool-result' as const, id: '1', toolCallId: 't1', toolName: 'bash', isError: false }
  const capped = capEntry({ ...entry, text: 'x'.repeat(RESULT_TEXT_MAX_BYTES * 2) })
  assert.ok(capped.kind === 'tool-result' && capped.text.length === RESULT_TEXT_MAX_BYTES)
  assert.equal(capped.descriptor?.truncated?.total, RESULT_TEXT_MAX_BYTES * 2)
  const dropped = capEntry({ ...entry, text: 'ok', descriptor: { kind: 'd', props: { d: 'z'.repeat(300_000) } } })
  assert.deepEqual(dropped, { ...entry, text: 'ok' })
  const small = { ...entry, text: 'ok' }
  assert.equal(capEntry(small), small)
})
