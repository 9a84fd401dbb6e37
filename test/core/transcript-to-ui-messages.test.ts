import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENSO_GUARD_DENIAL_ENTRY,
  ENSO_GUARD_DENIAL_KEY,
  ENSO_PERMISSION_DENIAL_ENTRY,
  ENSO_PERMISSION_DENIAL_KEY,
  ENSO_PROVIDER_REFUSAL_KEY,
  ENSO_TOOL_RESULT_KEY,
  type EnsoTranscriptEntry,
  EnsoUiMessage,
  lazyValidator,
  transcriptToUiMessages,
} from '../../src/core/index.js'

const call = (toolCallId: string, args: unknown = {}) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName: 'bash',
  args,
})
const assistant = (
  id: string,
  ...parts: Extract<EnsoTranscriptEntry, { kind: 'message' }>['parts']
): EnsoTranscriptEntry => ({
  kind: 'message',
  id,
  role: 'assistant',
  parts,
})
const result = (toolCallId: string, text: string, isError = false): EnsoTranscriptEntry => ({
  kind: 'tool-result',
  id: `r-${toolCallId}`,
  toolCallId,
  toolName: 'bash',
  text,
  isError,
})

test('prompts and replies become messages, part by part, with their time', () => {
  const messages = transcriptToUiMessages([
    {
      kind: 'message',
      id: 'u1',
      at: '2026-09-22T10:00:00.000Z',
      role: 'user',
      parts: [
        { type: 'text', text: 'look' },
        { type: 'image', data: 'QUJD', mimeType: 'image/png' },
      ],
    },
    assistant(
      'a1',
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'I see.' },
      { type: 'other', kind: 'audio' },
    ),
  ])
  assert.deepEqual(messages, [
    {
      id: 'u1',
      role: 'user',
      parts: [
        { type: 'text', content: 'look' },
        { type: 'image', source: { type: 'data', value: 'QUJD', mimeType: 'image/png' } },
      ],
      metadata: { tanstack: { createdAt: '2026-09-22T10:00:00.000Z' } },
    },
    {
      id: 'a1',
      role: 'assistant',
      parts: [
        { type: 'thinking', content: 'hm' },
        { type: 'text', content: 'I see.' },
      ],
    },
  ])
})

test('a result joins the reply that called it, and settles the call', () => {
  const descriptor = { kind: 'command', props: { exitCode: 0 } }
  const [message, ...rest] = transcriptToUiMessages([
    assistant('a1', call('1', { command: 'ls' }), call('2'), call('3')),
    { ...(result('1', 'a.ts') as Extract<EnsoTranscriptEntry, { kind: 'tool-result' }>), descriptor },
    result('2', 'boom', true),
  ])
  assert.deepEqual(rest, [])
  assert.deepEqual(message!.parts, [
    { type: 'tool-call', id: '1', name: 'bash', arguments: '{"command":"ls"}', state: 'complete' },
    { type: 'tool-call', id: '2', name: 'bash', arguments: '{}', state: 'error' },
    { type: 'tool-call', id: '3', name: 'bash', arguments: '{}', state: 'input-complete' },
    {
      type: 'tool-result',
      toolCallId: '1',
      name: 'bash',
      content: 'a.ts',
      state: 'complete',
      metadata: { [ENSO_TOOL_RESULT_KEY]: descriptor },
    },
    { type: 'tool-result', toolCallId: '2', name: 'bash', content: 'boom', state: 'error' },
  ])
})

test('a denied call says by which rule, though the entry stands before its result', () => {
  const denial = { toolCallId: '1', rule: 'secret-read' }
  const [message] = transcriptToUiMessages([
    assistant('a1', call('1')),
    { kind: 'custom', id: 'x', customType: ENSO_GUARD_DENIAL_ENTRY, data: denial },
    { kind: 'custom', id: 'y', customType: 'someone-else', data: { toolCallId: '1', rule: 'x' } },
    result('1', 'denied', true),
  ])
  assert.deepEqual(message!.parts[1], {
    type: 'tool-result',
    toolCallId: '1',
    name: 'bash',
    content: 'denied',
    state: 'error',
    metadata: { [ENSO_GUARD_DENIAL_KEY]: denial },
  })
})

test('a call that the permissions did not let through says who said no', () => {
  const denial = { toolCallId: '1', mode: 'default', by: 'person' }
  const [message] = transcriptToUiMessages([
    assistant('a1', call('1'), call('2')),
    { kind: 'custom', id: 'x', customType: ENSO_PERMISSION_DENIAL_ENTRY, data: denial },
    { kind: 'custom', id: 'y', customType: ENSO_PERMISSION_DENIAL_ENTRY, data: { toolCallId: '2', by: 'nobody' } },
    result('1', 'denied', true),
    result('2', 'done', false),
  ])
  assert.deepEqual(
    message!.parts.slice(2).map((part) => (part.type === 'tool-result' ? part.metadata : part)),
    [{ [ENSO_PERMISSION_DENIAL_KEY]: denial }, undefined],
  )
})

test('a refused reply is kept with its refusal; a reply with nothing in it is left out', () => {
  const refusal = { message: '429 slow down', status: 429 }
  const messages = transcriptToUiMessages([
    { kind: 'message', id: 'a1', role: 'assistant', parts: [], refusal },
    assistant('a2'),
    assistant('a3', { type: 'other', kind: 'audio' }),
  ])
  assert.deepEqual(messages, [
    { id: 'a1', role: 'assistant', parts: [], metadata: { [ENSO_PROVIDER_REFUSAL_KEY]: refusal } },
  ])
})

test('a result whose call is not on the branch is kept: with the reply before it, or alone', () => {
  assert.deepEqual(
    transcriptToUiMessages([assistant('a1', { type: 'text', text: 'x' }), result('9', 'late')]).map(
      ({ parts }) => parts.length,
    ),
    [2],
  )
  assert.deepEqual(transcriptToUiMessages([result('9', 'late')])[0]?.role, 'assistant')
})

test('a second result of one call replaces the first', () => {
  const [message] = transcriptToUiMessages([assistant('a1', call('1')), result('1', 'first'), result('1', 'second')])
  assert.equal(message!.parts.length, 2)
  assert.equal(message!.parts[1]!.type === 'tool-result' && message!.parts[1]!.content, 'second')
})

test('whatever comes out is of the message shape, and the entries are left as they were', () => {
  const entries: EnsoTranscriptEntry[] = [
    { kind: 'message', id: 'u', role: 'user', parts: [] },
    { kind: 'other', id: 'o', type: 'compaction' },
    assistant('a', call('1', { a: '\u2028' }), { type: 'text', text: 't' }),
    result('1', 'r'),
  ]
  const before = structuredClone(entries)
  const validator = lazyValidator(EnsoUiMessage)
  for (const message of transcriptToUiMessages(entries)) assert.ok(validator.check(message))
  assert.deepEqual(entries, before)
})

test('a long thread is converted in time that grows with its length', () => {
  const entries: EnsoTranscriptEntry[] = []
  for (let turn = 0; turn < 20_000; turn++)
    entries.push(assistant(`a${turn}`, call(`${turn}`)), result(`${turn}`, 'ok'))
  const started = performance.now()
  assert.equal(transcriptToUiMessages(entries).length, 20_000)
  assert.ok(performance.now() - started < 2000)
})
