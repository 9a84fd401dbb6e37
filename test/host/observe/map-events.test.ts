import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentSessionEvent } from '@mariozechner/pi-coding-agent'
import { Value } from '@sinclair/typebox/value'
import { EnsoObservation } from '../../../src/core/index.js'
import { PARTIAL_TEXT_MAX, createEventMapper } from '../../../src/host/observe/map-events.js'
import { UNMAPPED_MAX } from '../../../src/host/observe/scalar-copy.js'

const usage = {
  input: 1,
  output: 2,
  cacheRead: 3,
  cacheWrite: 4,
  totalTokens: 10,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 },
}

/** Maps events as the library would hand them over; they need not be whole. */
function mapped(...events: object[]): EnsoObservation[] {
  const out: EnsoObservation[] = []
  const mapper = createEventMapper({
    emit: (observation) => void out.push(observation),
    asTyped: (texts) => texts.map((text) => `typed ${text}`),
    providerStopReason: () => undefined,
  })
  for (const event of events) mapper.map(event as AgentSessionEvent)
  mapper.flush()
  for (const one of out) assert.ok(Value.Check(EnsoObservation, one), JSON.stringify(one))
  return out
}

const update = (assistantMessageEvent: object): object => ({
  type: 'message_update',
  message: {},
  assistantMessageEvent,
})

test('deltas carry their index and the usage known so far; the pieces of a tool call are not carried', () => {
  assert.deepEqual(
    mapped(
      update({ type: 'text_delta', contentIndex: 1, delta: 'a', partial: { usage } }),
      update({
        type: 'thinking_delta',
        contentIndex: 0,
        delta: 'b',
        partial: { usage: { ...usage, totalTokens: 0, output: 0 } },
      }),
      update({ type: 'toolcall_delta', contentIndex: 2, delta: '{"a', partial: { usage } }),
      update({ type: 'text_end', contentIndex: 1, content: 'a', partial: { usage } }),
    ),
    [
      {
        kind: 'text-delta',
        contentIndex: 1,
        delta: 'a',
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalCost: 0.5 },
      },
      { kind: 'thinking-delta', contentIndex: 0, delta: 'b' },
    ],
  )
})

test('the text of a running tool is capped to its end, and an update without text is nothing', () => {
  const running = (text: string): object => ({
    type: 'tool_execution_update',
    toolCallId: 'c',
    toolName: 'bash',
    args: {},
    partialResult: { content: [{ type: 'text', text }], details: undefined },
  })
  const [first, ...rest] = mapped(running(''), running(`start${'x'.repeat(PARTIAL_TEXT_MAX)}end`))
  assert.deepEqual(rest, [])
  assert.ok(first?.kind === 'tool-result' && first.text.length === PARTIAL_TEXT_MAX && first.text.endsWith('end'))
})

test('a descriptor in the details of a result is carried, a malformed one is not', () => {
  const ended = (details: unknown): object => ({
    type: 'tool_execution_end',
    toolCallId: 'c',
    toolName: 't',
    result: { content: [{ type: 'text', text: 'x' }, { type: 'image' }], details },
    isError: false,
  })
  const descriptor = { kind: 'diff', props: { path: 'a' } }
  const results = mapped(
    ended({ 'enso:toolResult': descriptor }),
    ended({ 'enso:toolResult': { kind: 1 } }),
    ended(undefined),
  )
  assert.deepEqual(
    results.map((one) => one.kind === 'tool-result' && one.descriptor),
    [descriptor, undefined, undefined],
  )
})

test('whether a run will be retried is told by the event after its end', () => {
  const end = { type: 'agent_end', messages: [] }
  const retry = { type: 'auto_retry_start', attempt: 1, maxAttempts: 3, delayMs: 5, errorMessage: 'x' }
  const willRetry = (...events: object[]): boolean[] =>
    mapped({ type: 'agent_start' }, ...events).flatMap((one) => (one.kind === 'run-ended' ? [one.willRetry] : []))
  assert.deepEqual(willRetry(end), [false])
  assert.deepEqual(willRetry(end, retry), [true])
  assert.deepEqual(willRetry(end, { type: 'compaction_start', reason: 'threshold' }), [false])
  const overflow = { type: 'compaction_start', reason: 'overflow' }
  assert.deepEqual(willRetry(end, overflow, { type: 'compaction_end', reason: 'overflow', willRetry: true }), [true])
  assert.deepEqual(willRetry(end, overflow, { type: 'compaction_end', reason: 'overflow', willRetry: false }), [false])
})

test('queued texts are as they were typed', () => {
  assert.deepEqual(mapped({ type: 'queue_update', steering: ['a'], followUp: ['b'] }), [
    { kind: 'queue', interrupting: ['typed a'], enqueued: ['typed b'] },
  ])
})

test('an event that is not known is carried as its scalars, within 4 KiB', () => {
  const big = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, 'x'.repeat(500)]))
  const [one] = mapped({ type: 'brand_new', count: 3, message: { huge: true }, none: null, ...big })
  assert.ok(one?.kind === 'unmapped')
  const event = one.event as Record<string, unknown>
  assert.equal(event['type'], 'brand_new')
  assert.equal(event['count'], 3)
  assert.equal('message' in event, false)
  assert.ok(Number(event['omitted']) > 0)
  assert.ok(JSON.stringify(event).length <= UNMAPPED_MAX)
})

test('an event of any shape never makes the mapper throw', () => {
  const poisoned = {
    type: 'message_end',
    get message(): never {
      throw new Error('poison')
    },
  }
  const out = mapped(
    poisoned,
    { type: 'message_update' },
    { type: 'turn_end' },
    { type: 'message_start', message: null },
  )
  assert.ok(out.some((one) => one.kind === 'unmapped'))
})
