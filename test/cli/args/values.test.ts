import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCount, parseDuration, parseModelName } from '../../../src/cli/args/values.js'

function duration(text: string): number | undefined {
  const parsed = parseDuration('timeout', text)
  return parsed.ok ? parsed.value : undefined
}

test('times are read with and without a unit', () => {
  assert.equal(duration('30'), 30_000)
  assert.equal(duration('30s'), 30_000)
  assert.equal(duration('500ms'), 500)
  assert.equal(duration('10m'), 600_000)
  assert.equal(duration('1.5h'), 5_400_000)
  assert.equal(duration('.5'), 500)
  assert.equal(duration('0'), 0)
})

test('what is no time, or longer than a timer can be, is refused', () => {
  for (const text of ['', 'soon', '-1', '10 min', '1e3', '25d', '9999999', 'Infinity']) {
    assert.equal(duration(text), undefined, text)
  }
})

test('counts are whole numbers from 1', () => {
  assert.deepEqual(parseCount('max-turns', '5'), { ok: true, value: 5 })
  for (const text of ['0', '-1', '1.5', 'x', '', '0x5', '99999999999999999999']) {
    assert.equal(parseCount('max-turns', text).ok, false, text)
  }
})

test('a model is provider/id, a bare id, either with a thinking level', () => {
  for (const text of ['a/b', 'claude-x', 'a/b:high', 'local/org/model:free']) {
    assert.equal(parseModelName('model', text).ok, true, text)
  }
  for (const text of ['a b', '/b', 'a/', 'a:', '', ':high']) assert.equal(parseModelName('model', text).ok, false, text)
})
