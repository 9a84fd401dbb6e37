import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeTranscriptEntry } from '../../src/core/index.js'

test('each kind of entry is one row', () => {
  assert.equal(
    describeTranscriptEntry({
      kind: 'message',
      id: '1',
      role: 'assistant',
      parts: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Two\nlines' },
        { type: 'image', data: 'QUJD', mimeType: 'image/png' },
        { type: 'tool-call', toolCallId: 't', toolName: 'bash', args: { command: 'ls' } },
        { type: 'other', kind: 'audio' },
      ],
    }),
    'assistant: (thinking) Hm. · Two lines · [image image/png] · bash ls · [audio]',
  )
  assert.equal(
    describeTranscriptEntry({
      kind: 'tool-result',
      id: '2',
      toolCallId: 't',
      toolName: 'bash',
      text: 'a\nb',
      isError: false,
    }),
    'tool result bash: a b',
  )
  assert.equal(
    describeTranscriptEntry({
      kind: 'tool-result',
      id: '2',
      toolCallId: 't',
      toolName: 'bash',
      text: 'no',
      isError: true,
    }),
    'tool error bash: no',
  )
  assert.equal(describeTranscriptEntry({ kind: 'custom', id: '3', customType: 'modes', data: 1 }), 'custom modes')
  assert.equal(describeTranscriptEntry({ kind: 'other', id: '4', type: 'compaction' }), 'compaction')
})

test('an empty message and a refused one say so', () => {
  assert.equal(describeTranscriptEntry({ kind: 'message', id: '1', role: 'user', parts: [] }), 'user: (empty)')
  assert.equal(
    describeTranscriptEntry({
      kind: 'message',
      id: '1',
      role: 'assistant',
      parts: [],
      refusal: { message: '429 slow down', status: 429 },
    }),
    'assistant: refused (rate-limited): slow down',
  )
})

test('a row is at most 200 characters', () => {
  const row = describeTranscriptEntry({
    kind: 'message',
    id: '1',
    role: 'user',
    parts: [{ type: 'text', text: 'x'.repeat(1e6) }],
  })
  assert.equal(row.length, 200)
  assert.ok(row.endsWith('…'))
})
