import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfterMs } from '../../../src/host/models/retry-after.js'

const NOW = Date.parse('2026-02-03T04:05:06Z')

test('a wait is read in milliseconds, seconds or as a date; what is none is no wait', () => {
  const read = (after: string): number | undefined => retryAfterMs({ 'retry-after': after }, NOW)
  assert.equal(retryAfterMs({ 'retry-after-ms': '250', 'retry-after': '9' }, NOW), 250)
  assert.deepEqual([read('3'), read(' 1.5 '), read('0')], [3000, 1500, 0])
  assert.equal(read('Tue, 03 Feb 2026 04:05:16 GMT'), 10_000)
  assert.equal(read('Tue, 03 Feb 2026 04:00:00 GMT'), 0)
  assert.deepEqual([read('soon'), read(''), retryAfterMs({}, NOW)], [undefined, undefined, undefined])
})
