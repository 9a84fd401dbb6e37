import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoUndoEntry } from '../../../src/core/undo.js'
import type { ThreadRecord } from '../../../src/core/thread-record.js'
import { planUndo, promptsOfCalls } from '../../../src/cli/undo/plan.js'

const before = (toolCallId: string, path: string, digest?: string): EnsoUndoEntry => ({
  kind: 'before',
  toolCallId,
  toolName: 'edit',
  path,
  at: '2030-01-01T00:00:00Z',
  before: digest === undefined ? { kind: 'absent' } : { kind: 'kept', digest, bytes: 1, mode: 0o644 },
})
const after = (toolCallId: string, digest: string | null): EnsoUndoEntry => ({ kind: 'after', toolCallId, digest })
const prompts = new Map([
  ['a', 1],
  ['b', 2],
  ['c', 2],
  ['d', 3],
])

test('without a prompt the last run that changed files is undone', () => {
  const entries = [before('a', '/x'), after('a', '1'), before('b', '/x', '1'), after('b', '2')]
  assert.deepEqual(planUndo(entries, prompts, undefined), {
    prompt: 2,
    toolCallIds: ['b'],
    files: [{ path: '/x', before: { kind: 'kept', digest: '1', bytes: 1, mode: 0o644 }, after: '2' }],
  })
})

test('from a prompt on, a file is what it was before the first change and must be what the last one left', () => {
  const entries = [
    before('a', '/x'),
    after('a', '1'),
    before('b', '/x', '1'),
    before('c', '/y', '9'),
    after('c', '8'),
    after('b', '2'),
    before('d', '/x', '2'),
    after('d', '3'),
  ]
  const plan = planUndo(entries, prompts, 1)
  assert.deepEqual(
    plan?.files.map(({ path, before, after }) => [path, before.kind, after]),
    [
      ['/x', 'absent', '3'],
      ['/y', 'kept', '8'],
    ],
  )
  assert.deepEqual(planUndo(entries, prompts, 3)?.toolCallIds, ['d'])
  assert.equal(planUndo(entries, prompts, 4), undefined)
})

test('what was undone, and what is on no branch, is left out', () => {
  const entries: EnsoUndoEntry[] = [
    before('b', '/x', '1'),
    after('b', '2'),
    { kind: 'undone', toolCallIds: ['b'], at: '2030-01-01T00:00:00Z' },
    before('gone', '/x', '1'),
    after('gone', '2'),
  ]
  assert.equal(planUndo(entries, prompts, undefined), undefined)
  assert.equal(planUndo([], prompts, undefined), undefined)
})

test('a call whose end nobody saw leaves its file unknown', () => {
  const entries = [before('b', '/x', '1'), after('b', '2'), before('c', '/x', '2')]
  assert.equal(planUndo(entries, prompts, undefined)?.files[0]?.after, undefined)
})

test('calls belong to the prompt before them, on the branch', () => {
  const prompt = (id: string): ThreadRecord => ({ kind: 'prompt', id, text: 'x', images: [] })
  const reply = (id: string, ...calls: string[]): ThreadRecord => ({
    kind: 'reply',
    id,
    model: 'a/b',
    stopReason: 'toolUse',
    parts: calls.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'edit', args: {} })),
  })
  const branch = [prompt('1'), reply('2', 'a', 'b'), reply('3', 'c'), prompt('4'), reply('5', 'd')]
  assert.deepEqual(
    [...promptsOfCalls({ branch })],
    [
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 2],
    ],
  )
})
