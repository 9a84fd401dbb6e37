import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLogLine } from '../../src/core/log-parse.js'
import {
  ENSO_LOG_LEVEL_NAMES,
  ENSO_LOG_LEVEL_RANK,
  type EnsoLogFilter,
  logLineMatches,
  logLineMessageParts,
  logLineText,
  parseLogSince,
} from '../../src/core/log-tail.js'
import type { EnsoLogLine } from '../../src/core/log.js'

const line = (more: Partial<EnsoLogLine> = {}): EnsoLogLine => ({
  '@timestamp': '2030-01-01T10:00:00.000Z',
  level: 'INFO',
  logger: 'enso.host',
  message: 'run {generation} acquired',
  properties: { generation: 1, threadId: 'abc-1', process: 'cli' },
  ...more,
})
const all: EnsoLogFilter = { levelRank: 0, thread: undefined, process: undefined, notBefore: 0 }

test('tiers rank from trace to fatal, and warn is warning', () => {
  assert.deepEqual(
    ENSO_LOG_LEVEL_NAMES.map((name) => ENSO_LOG_LEVEL_RANK[name]),
    [0, 1, 2, 3, 4, 5],
  )
  assert.equal(ENSO_LOG_LEVEL_RANK['warn'], 3)
})

test('a word that is no tier has no rank, whatever objects have by that name', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'verbose', '']) {
    assert.equal(ENSO_LOG_LEVEL_RANK[name], undefined, name)
  }
})

test('a filter is a floor of tiers, a beginning of a thread, an exact process, an instant', () => {
  assert.ok(logLineMatches(all, line()))
  assert.ok(logLineMatches({ ...all, levelRank: 2 }, line()))
  assert.ok(!logLineMatches({ ...all, levelRank: 3 }, line()))
  assert.ok(logLineMatches({ ...all, levelRank: 3 }, line({ level: 'WARN' })))
  assert.ok(logLineMatches({ ...all, thread: 'ab' }, line()))
  assert.ok(!logLineMatches({ ...all, thread: 'b' }, line()))
  assert.ok(!logLineMatches({ ...all, thread: 'a' }, line({ properties: {} })))
  assert.ok(logLineMatches({ ...all, process: 'cli' }, line()))
  assert.ok(!logLineMatches({ ...all, process: 'cl' }, line()))
  const ten = Date.parse('2030-01-01T10:00:00.000Z')
  assert.ok(logLineMatches({ ...all, notBefore: ten }, line()))
  assert.ok(!logLineMatches({ ...all, notBefore: ten + 1 }, line()))
})

test('a line whose time can’t be read is kept', () => {
  assert.ok(logLineMatches({ ...all, notBefore: 1 }, line({ '@timestamp': 'yesterday' })))
})

test('durations are a number and s, m, h or d', () => {
  assert.deepEqual(['30s', '10m', '2h', '1d', '0s'].map(parseLogSince), [30_000, 600_000, 7_200_000, 86_400_000, 0])
  for (const raw of ['', '30', 's', '1w', '-1h', '1.5h', '1h2m', 'constructor'])
    assert.equal(parseLogSince(raw), undefined, raw)
})

test('a message is text and values in turn, and a placeholder without its value stays', () => {
  assert.deepEqual(logLineMessageParts(line()), ['run ', 1, ' acquired'])
  assert.deepEqual(logLineMessageParts(line({ message: 'no values' })), ['no values'])
  assert.deepEqual(logLineMessageParts(line({ message: '{missing} {constructor} {generation}' })), [
    '{missing} {constructor} ',
    1,
    '',
  ])
  assert.deepEqual(logLineMessageParts(line({ message: 'a {{brace}} {generation' })), ['a {brace} {generation'])
  const { message: _message, ...without } = line()
  assert.deepEqual(logLineMessageParts(without), [''])
})

test('a value that is no text is shown as JSON', () => {
  const shown = line({ message: '{a} {b} {c}', properties: { a: { b: [1] }, b: null, c: 'text' } })
  assert.equal(logLineText(shown), '{"b":[1]} null text')
})

test('a line that is no record is none', () => {
  assert.deepEqual(parseLogLine(JSON.stringify(line())), line())
  const broken = [
    '',
    '{',
    'null',
    '[]',
    '\0\0\0',
    '"text"',
    JSON.stringify({ ...line(), level: 'constructor' }),
    JSON.stringify({ ...line(), logger: 1 }),
    JSON.stringify({ ...line(), properties: [] }),
    JSON.stringify({ ...line(), '@timestamp': undefined }),
    JSON.stringify({ time: 1, msg: 'another program' }),
  ]
  for (const text of broken) assert.equal(parseLogLine(text), undefined, text)
})
