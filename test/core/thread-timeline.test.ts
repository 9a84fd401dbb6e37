import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EnsoLogLine, type EnsoThreadEvent, threadTimeline, timelineJoinKeys } from '../../src/core/index.js'

const event = (sequence: number, at: string, type: string): EnsoThreadEvent => ({
  sequence,
  at,
  type,
  provenance: 'live',
  count: 1,
})
const line = (at: string, message: string, properties: Record<string, unknown> = {}): EnsoLogLine => ({
  '@timestamp': at,
  level: 'INFO',
  logger: 'enso.server',
  message,
  properties,
})
const at = (second: number) => `2026-09-22T12:00:0${second}.000Z`

test('both tails and the log are one list by time; rows of one instant stay emitted, sent, log', () => {
  const rows = threadTimeline(
    {
      threadId: 't',
      emitted: [event(1, at(1), 'turn-start'), event(2, at(3), 'settled')],
      sent: [event(1, at(1), 'observation'), event(2, at(3), 'observation')],
    },
    [line(at(0), 'first'), line(at(1), 'third'), line(at(4), 'last')],
  )
  assert.deepEqual(
    rows.map((row) => [row.source, row.at - Date.parse(at(0))]),
    [
      ['log', 0],
      ['emitted', 1000],
      ['sent', 1000],
      ['log', 1000],
      ['emitted', 3000],
      ['sent', 3000],
      ['log', 4000],
    ],
  )
})

test('without a live session the log is the timeline', () => {
  assert.deepEqual(
    threadTimeline(undefined, [line(at(2), 'b'), line(at(1), 'a')]).map(
      (row) => row.source === 'log' && row.line.message,
    ),
    ['a', 'b'],
  )
  assert.deepEqual(threadTimeline(undefined, []), [])
})

test('a stamp that is none stands first and stays visible', () => {
  const rows = threadTimeline(undefined, [line(at(1), 'a'), line('not a time', 'b')])
  assert.deepEqual(
    rows.map((row) => row.at),
    [0, Date.parse(at(1))],
  )
})

test('a record is joined by what it has of generation, seq, message and tool call', () => {
  const properties = {
    generation: 2,
    toolCallId: 't1',
    seq: 7,
    messageId: 'm',
    threadId: 'x',
    kind: 'settled',
    other: {},
  }
  assert.deepEqual(timelineJoinKeys(line(at(1), 'a', properties)), {
    generation: '2',
    seq: '7',
    messageId: 'm',
    toolCallId: 't1',
  })
  assert.deepEqual(timelineJoinKeys(line(at(1), 'a', { generation: null, toolCallId: {} })), {})
  assert.deepEqual(timelineJoinKeys({ '@timestamp': at(1), level: 'INFO', logger: 'enso' }), {})
})
