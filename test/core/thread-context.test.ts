import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ENSO_CONTEXT_IMAGE_PREVIEW_BYTES,
  ENSO_CONTEXT_SYSTEM_ENTRY,
  ENSO_CONTEXT_TOOLS_ENTRY,
  ENSO_PERMISSION_MODE_ENTRY,
  EnsoContextRequestDetail,
  EnsoThreadContext,
  estimateRecord,
  foldContextRequest,
  foldThreadContext,
  lazyValidator,
  makeupTotal,
  type ThreadRecord,
} from '../../src/core/index.js'

const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null }
const input = (branch: readonly ThreadRecord[]) => ({ threadId: 'one', live: false, records: { branch, usage: USAGE } })

function contextOf(branch: readonly ThreadRecord[]): EnsoThreadContext {
  const context = foldThreadContext(input(branch))
  assert.ok(lazyValidator(EnsoThreadContext).check(context))
  return context
}

function detailOf(branch: readonly ThreadRecord[], request: number | 'next'): EnsoContextRequestDetail {
  const detail = foldContextRequest(input(branch), request)
  assert.ok(lazyValidator(EnsoContextRequestDetail).check(detail))
  return detail
}

const stamp = '2030-01-02T10:00:00.000Z'
const prompt = (id: string, text: string): ThreadRecord => ({ kind: 'prompt', id, at: stamp, text, images: [] })
const reply = (id: string, text: string, stopReason = 'stop', model = 'local/x'): ThreadRecord => ({
  kind: 'reply',
  id,
  at: stamp,
  parts: [{ type: 'text', text }],
  model,
  stopReason,
  usage: { input: 100, output: 7, cacheRead: 20, cacheWrite: 3 },
})
const compaction = (id: string, firstKeptId: string, text = 'summary!'): ThreadRecord => ({
  kind: 'compaction',
  id,
  at: stamp,
  text,
  tokensBefore: 900,
  firstKeptId,
})
const custom = (id: string, customType: string, data: unknown): ThreadRecord => ({
  kind: 'custom',
  id,
  at: stamp,
  customType,
  data,
})
const system = (id: string, ...sections: (readonly [key: string, category: 'system' | 'injected', text: string])[]) =>
  custom(id, ENSO_CONTEXT_SYSTEM_ENTRY, {
    hash: id,
    sections: sections.map(([key, category, text]) => ({ key, label: key, category, text })),
  })
const tools = (id: string, ...names: string[]) =>
  custom(id, ENSO_CONTEXT_TOOLS_ENTRY, {
    hash: id,
    tools: names.map((name) => ({ name, description: 'd'.repeat(10), parameters: {} })),
  })

test('each request is weighed by what stood before it, category by category', () => {
  const { requests, next } = contextOf([
    system('s', ['base', 'system', 'x'.repeat(40)], ['AGENTS.md', 'injected', 'y'.repeat(9)]),
    tools('t', 'bash', 'read'),
    prompt('p1', 'four'),
    reply('r1', 'eightch.'),
    { kind: 'shell', id: 'b', at: stamp, command: 'ls', output: 'ab', excluded: false },
    { kind: 'shell', id: 'b2', at: stamp, command: 'secret', output: 'hidden', excluded: true },
    { kind: 'injected', id: 'i', at: stamp, label: 'reminder', text: 'abcde', images: [] },
    prompt('p2', 'fourfour1'),
    reply('r2', 'x'),
  ])
  assert.deepEqual(
    requests.map(({ estimated }) => estimated),
    [
      { system: 10, tools: 8, user: 1, injected: 3, assistant: 0, toolResults: 0 },
      { system: 10, tools: 8, user: 5, injected: 5, assistant: 2, toolResults: 0 },
    ],
  )
  assert.deepEqual(next, { system: 10, tools: 8, user: 5, injected: 5, assistant: 3, toolResults: 0 })
  assert.deepEqual(requests[1]?.actual, { prompt: 123, cacheRead: 20, output: 7 })
  assert.deepEqual(requests[1]?.brief, {
    prompt: 'fourfour1',
    reply: 'x',
    toolCalls: [],
    added: [
      { key: 'r1', label: 'eightch.', category: 'assistant' },
      { key: 'b', label: '! ls', category: 'user' },
      { key: 'i', label: 'reminder', category: 'injected' },
      { key: 'p2', label: 'fourfour1', category: 'user' },
    ],
    moreAdded: 0,
  })
})

test('what was never recorded is unknown, and stops being so with the first record', () => {
  const branch = [
    prompt('p1', 'one'),
    reply('r1', 'ok'),
    system('s', ['base', 'system', 'x'.repeat(8)], ['AGENTS.md', 'injected', 'abcd']),
    prompt('p2', 'two'),
    reply('r2', 'ok'),
  ]
  const { requests, events } = contextOf(branch)
  assert.deepEqual(
    requests.map(({ estimated: { system: known, tools: offered } }) => [known, offered]),
    [
      [0, 0],
      [2, 0],
    ],
  )
  assert.deepEqual(
    events.map(({ key, turn, tokens }) => [key, turn, tokens]),
    [
      ['unknown:system', 1, 0],
      ['unknown:tools', 1, 0],
      ['system:AGENTS.md', 2, 1],
    ],
  )
  const first = detailOf(branch, 1).elements.find(({ key }) => key === 'unknown:system')
  assert.deepEqual(
    [first?.label, first?.tokens, first?.body],
    ['unknown: the system prompt was not recorded', 0, { kind: 'text', text: '', images: [] }],
  )
  const second = detailOf(branch, 2)
  assert.deepEqual(
    second.left.map(({ key }) => key),
    ['unknown:system'],
  )
  assert.ok(second.elements.some(({ key }) => key === 'unknown:tools'))
  assert.equal(contextOf([]).events.length, 2)
})

test('a record that is malformed is as good as none', () => {
  const { events } = contextOf([custom('s', ENSO_CONTEXT_SYSTEM_ENTRY, { hash: 1 }), prompt('p', 'x'), reply('r', 'y')])
  assert.ok(events.some(({ key }) => key === 'unknown:system'))
})

test('a change of the prompt or the tools says what it weighs; what is equal stays', () => {
  const branch = [
    system('s1', ['base', 'system', 'x'.repeat(8)], ['AGENTS.md', 'injected', 'abcd']),
    tools('t1', 'bash', 'read'),
    prompt('p1', 'one'),
    reply('r1', 'ok'),
    system('s2', ['base', 'system', 'x'.repeat(12)], ['AGENTS.md', 'injected', 'abcd']),
    tools('t2', 'read', 'grep'),
    prompt('p2', 'two'),
    reply('r2', 'ok'),
  ]
  assert.deepEqual(
    contextOf(branch).events.map(({ kind, label, turn, tokens }) => [kind, label, turn, tokens]),
    [
      ['inject', 'AGENTS.md', 1, 1],
      ['inject', 'system prompt changed', 2, 1],
      ['inject', 'tools changed: +grep -bash', 2, 0],
    ],
  )
  const { elements, left } = detailOf(branch, 2)
  assert.deepEqual(
    elements.filter(({ entered }) => entered).map(({ key }) => key),
    ['system:base', 'tool:grep', 'r1', 'p2'],
  )
  assert.deepEqual(
    left.map(({ key }) => key),
    ['system:base', 'tool:bash'],
  )
})

test('a compaction leaves its summary and what it kept', () => {
  const branch = [
    prompt('p1', 'a'.repeat(40)),
    reply('r1', 'b'.repeat(40)),
    prompt('p2', 'c'.repeat(8)),
    reply('r2', 'd'.repeat(8)),
    compaction('c1', 'p2'),
    prompt('p3', 'e'),
    reply('r3', 'f'),
    compaction('c2', 'gone', 'short'),
    prompt('p4', 'g'),
    reply('r4', 'h'),
  ]
  const keysAt = (request: number): string[] =>
    detailOf(branch, request)
      .elements.map(({ key }) => key)
      .filter((key) => !key.startsWith('unknown'))
  assert.deepEqual(keysAt(3), ['c1', 'p2', 'r2', 'p3'])
  assert.deepEqual(keysAt(4), ['c2', 'p4'])
  const { events, requests } = contextOf(branch)
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'compact').map(({ turn, tokens }) => [turn, tokens]),
    [
      [3, 2 - 20],
      [4, 2 - 2 - 2 - 2 - 1 - 1],
    ],
  )
  assert.deepEqual(
    requests.map(({ compaction: one }) => one?.tokensBefore),
    [undefined, undefined, 900, 900],
  )
})

test('a reply that failed or was stopped is in no later request', () => {
  const branch = [
    prompt('p1', 'x'),
    reply('r1', 'half', 'error'),
    reply('r2', 'half', 'aborted'),
    reply('r3', 'whole', 'length'),
    prompt('p2', 'y'),
  ]
  const keys = detailOf(branch, 'next').elements.map(({ key }) => key)
  assert.deepEqual(
    keys.filter((key) => !key.startsWith('unknown')),
    ['p1', 'r3', 'p2'],
  )
})

test('switches and modes are told where they happen; what a thread begins with is none', () => {
  const { events } = contextOf([
    { kind: 'model', id: 'm1', at: stamp, model: 'local/x' },
    { kind: 'thinking', id: 'l1', at: stamp, level: 'off' },
    custom('d1', ENSO_PERMISSION_MODE_ENTRY, { mode: 'default' }),
    prompt('p1', 'x'),
    reply('r1', 'y'),
    { kind: 'thinking', id: 'l2', at: stamp, level: 'high' },
    custom('d2', ENSO_PERMISSION_MODE_ENTRY, { mode: 'plan' }),
    custom('d3', ENSO_PERMISSION_MODE_ENTRY, { mode: 7 }),
    prompt('p2', 'x'),
    reply('r2', 'y', 'stop', 'local/y'),
  ])
  assert.deepEqual(
    events.filter(({ key }) => !key.startsWith('unknown')).map(({ kind, label, turn }) => [kind, label, turn]),
    [
      ['switch', 'thinking high', 2],
      ['mode', 'plan', 2],
      ['switch', 'local/y', 2],
    ],
  )
})

test('a picture weighs what a page does, and only a small one is carried', () => {
  const image = (bytes: number) => ({ data: Buffer.alloc(bytes, 1).toString('base64'), mimeType: 'image/png' })
  const branch: ThreadRecord[] = [
    { kind: 'prompt', id: 'p', text: '', images: [image(9), image(ENSO_CONTEXT_IMAGE_PREVIEW_BYTES + 1)] },
  ]
  const element = detailOf(branch, 'next').elements.find(({ key }) => key === 'p')
  assert.deepEqual([element?.tokens, element?.label], [2400, '[image]'])
  assert.ok(element?.body.kind === 'text')
  assert.deepEqual(
    element.body.images.map(({ bytes, data }) => [bytes, data !== undefined]),
    [
      [9, true],
      [ENSO_CONTEXT_IMAGE_PREVIEW_BYTES + 1, false],
    ],
  )
})

test('file tools have a row each, searches one for each file they matched', () => {
  const calls: ThreadRecord = {
    kind: 'reply',
    id: 'r',
    at: stamp,
    model: 'm',
    stopReason: 'toolUse',
    parts: (
      [
        ['c1', 'read', { path: 'a.ts', offset: 5, limit: 10 }],
        ['c2', 'write', { path: 'b.ts', content: 'one\ntwo\n' }],
        ['c3', 'edit', { path: 'a.ts', edits: [{ oldText: 'x', newText: 'y\nz' }] }],
        ['c4', 'find', { pattern: '*.ts', path: 'src' }],
        ['c5', 'ls', {}],
        ['c6', 'bash', { command: 'cat a.ts' }],
        ['c7', 'write', { path: 'nowhere/c.ts', content: 'x' }],
        ['c8', 'read', { path: 'pending.ts' }],
        ['c9', 'grep', 'no object'],
      ] as const
    ).map(([toolCallId, toolName, args]) => ({ type: 'tool-call', toolCallId, toolName, args })),
  }
  const result = (toolCallId: string, text: string, more = {}): ThreadRecord => ({
    kind: 'tool-result',
    id: `t-${toolCallId}`,
    toolCallId,
    toolName: '',
    text,
    images: [],
    isError: false,
    ...more,
  })
  const { files } = contextOf([
    calls,
    result('c1', 'text', { images: [{ data: '', mimeType: 'image/png' }] }),
    result('c2', 'Wrote'),
    result('c3', 'Edited', { changed: { added: 3, removed: 4 } }),
    result('c4', 'src/a.ts\nsrc/b.ts\n\n[2 results]'),
    result('c5', 'a\nb/'),
    result('c7', 'no such folder', { isError: true }),
    result('c9', 'No matches found'),
  ])
  assert.deepEqual(
    files.map(({ kind, path, subject, added, removed, hits, image, isError, resultKey }) =>
      [kind, path, subject, `+${added}-${removed}`, hits, image, isError, resultKey ?? 'none'].join(' '),
    ),
    [
      'read a.ts a.ts:5-14 +0-0 0 true false t-c1',
      'write b.ts b.ts +2-0 0 false false t-c2',
      'write a.ts a.ts +3-4 0 false false t-c3',
      'search src *.ts +0-0 2 false false t-c4',
      'search src/a.ts *.ts +0-0 1 false false t-c4',
      'search src/b.ts *.ts +0-0 1 false false t-c4',
      'search . . +0-0 2 false false t-c5',
      'write nowhere/c.ts nowhere/c.ts +0-0 0 false true t-c7',
      'read pending.ts pending.ts +0-0 0 false false none',
      'search . . +0-0 0 false false t-c9',
    ],
  )
})

test('whatever a branch holds, each request is the one before it without what left and with what entered', () => {
  const text = fc.string({ maxLength: 12 })
  const record = fc.oneof(
    { weight: 3, arbitrary: text.map((words) => ({ kind: 'prompt' as const, text: words, images: [] })) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('reply' as const),
        parts: fc.array(
          text.map((words) => ({ type: 'text' as const, text: words })),
          { maxLength: 2 },
        ),
        model: fc.constantFrom('a', 'b'),
        stopReason: fc.constantFrom('stop', 'error'),
      }),
    },
    fc.record({
      kind: fc.constant('compaction' as const),
      text,
      tokensBefore: fc.nat(100),
      firstKeptId: fc.nat(14).map(String),
    }),
    fc.subarray(['x', 'y', 'z']).map((names) => ({
      kind: 'custom' as const,
      customType: ENSO_CONTEXT_TOOLS_ENTRY,
      data: { hash: names.join(), tools: names.map((name) => ({ name, description: name, parameters: {} })) },
    })),
  )
  fc.assert(
    fc.property(fc.array(record, { maxLength: 14 }), (records) => {
      const branch = records.map((one, index) => ({ ...one, id: String(index), at: stamp })) as ThreadRecord[]
      const { requests, next } = contextOf(branch)
      let before = new Set<string>()
      const numbers: (number | 'next')[] = [...requests.map(({ turn }) => turn), 'next']
      for (const request of numbers) {
        const { elements, left } = detailOf(branch, request)
        const estimated = request === 'next' ? next : requests[request - 1]?.estimated
        assert.equal(
          elements.reduce((sum, { tokens }) => sum + tokens, 0),
          makeupTotal(estimated!),
        )
        const kept = [...before].filter((key) => !left.some((gone) => gone.key === key))
        const entered = elements.filter((element) => element.entered).map(({ key }) => key)
        const keys = elements.map(({ key }) => key)
        assert.deepEqual([...kept, ...entered].toSorted(), keys.toSorted())
        assert.equal(new Set(keys).size, keys.length)
        before = new Set(keys)
      }
      assert.equal(foldContextRequest(input(branch), requests.length + 1), undefined)
    }),
  )
})

test('an estimate is a fourth of the characters, rounded up', () => {
  assert.equal(estimateRecord(prompt('p', 'abcde')), 2)
  assert.equal(estimateRecord({ kind: 'custom', id: 'c', customType: 'x', data: 'long'.repeat(99) }), 0)
})
