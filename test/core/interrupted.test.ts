import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EnsoTranscriptEntry, interruptedTailOf } from '../../src/core/index.js'

const prompt: EnsoTranscriptEntry = { kind: 'message', id: 'u', role: 'user', parts: [{ type: 'text', text: 'do it' }] }
const reply: EnsoTranscriptEntry = {
  kind: 'message',
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'text', text: 'done' }],
}
const calls = (...ids: string[]): EnsoTranscriptEntry => ({
  kind: 'message',
  id: 'c',
  role: 'assistant',
  parts: ids.map((toolCallId) => ({ type: 'tool-call' as const, toolCallId, toolName: 'bash', args: {} })),
})
const result = (toolCallId: string): EnsoTranscriptEntry => ({
  kind: 'tool-result',
  id: `r-${toolCallId}`,
  toolCallId,
  toolName: 'bash',
  text: 'ok',
  isError: false,
})
const other: EnsoTranscriptEntry = { kind: 'other', id: 'o', type: 'model_change' }
const custom: EnsoTranscriptEntry = { kind: 'custom', id: 'x', customType: 'enso-permission-mode', data: {} }

test('a settled branch, and an empty one, is not interrupted', () => {
  for (const entries of [
    [],
    [custom, other],
    [prompt, reply],
    [prompt, calls('1', '2'), result('2'), result('1'), reply, custom],
  ]) {
    assert.equal(interruptedTailOf(entries), undefined)
  }
})

test('a last prompt without a reply is unanswered, whatever else was stored after it', () => {
  assert.equal(interruptedTailOf([prompt]), 'unanswered-prompt')
  assert.equal(interruptedTailOf([prompt, reply, prompt, other, custom]), 'unanswered-prompt')
  assert.equal(interruptedTailOf([prompt, calls('1'), prompt]), 'unanswered-prompt')
})

test('a last reply with a call that has no result is torn', () => {
  assert.equal(interruptedTailOf([prompt, calls('1')]), 'tool-call-without-result')
  assert.equal(interruptedTailOf([prompt, calls('1', '2'), result('1'), custom]), 'tool-call-without-result')
})

test('a torn turn that a later one has left behind does not count', () => {
  assert.equal(interruptedTailOf([prompt, calls('1'), prompt, reply]), undefined)
})

test('a reply the provider refused is settled', () => {
  const refused: EnsoTranscriptEntry = {
    kind: 'message',
    id: 'a',
    role: 'assistant',
    parts: [],
    refusal: { message: '429' },
  }
  assert.equal(interruptedTailOf([prompt, refused]), undefined)
})
