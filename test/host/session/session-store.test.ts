import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { Value } from '@sinclair/typebox/value'
import { EnsoError, EnsoTranscriptEntry } from '../../../src/core/index.js'
import type { StoredThreadRef, ThreadStore } from '../../../src/core/index.js'
import { createSessionStore } from '../../../src/host/session/session-store.js'
import { importsOf } from '../../support/source-imports.js'

interface Home {
  readonly threadsDir: string
  readonly store: ThreadStore
  /** Writes a session file; each line is an object or raw text. */
  write(threadId: string, lines: readonly (object | string)[], project?: string): StoredThreadRef
}

function home(t: TestContext): Home {
  const threadsDir = mkdtempSync(join(tmpdir(), 'enso-store-'))
  t.after(() => rmSync(threadsDir, { recursive: true, force: true }))
  return {
    threadsDir,
    store: createSessionStore({ threadsDir }),
    write(threadId, lines, project = 'project') {
      mkdirSync(join(threadsDir, project), { recursive: true })
      const file = join(threadsDir, project, `2026-01-02T03-04-05-678Z_${threadId}.jsonl`)
      const header = { type: 'session', version: 3, id: threadId, timestamp: '2026-01-02T03:04:05.678Z', cwd: '/work' }
      const text = [header, ...lines].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(file, `${text.join('\n')}\n`)
      return { threadId, projectId: project, file, cwd: '/work' }
    },
  }
}

let made = 0
const at = '2026-01-02T03:04:06.000Z'

/** An entry after `parentId`, in the library's own order of keys. */
function message(id: string, parentId: string | null, body: object): object {
  return { type: 'message', id, parentId, timestamp: at, message: body }
}

const user = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }], timestamp: ++made })
const usage = (output: number): object => ({
  input: 10,
  output,
  cacheRead: 1,
  cacheWrite: 2,
  totalTokens: 13 + output,
  cost: { total: 0.25 },
})
const reply = (text: string, more: object = {}): object => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  provider: 'local',
  model: 'x',
  usage: usage(5),
  stopReason: 'stop',
  ...more,
})
const call = (id: string): object => ({
  ...reply(''),
  content: [{ type: 'toolCall', id, name: 'bash', arguments: { command: 'ls' } }],
  stopReason: 'toolUse',
})
const result = (toolCallId: string): object => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'bash',
  content: [
    { type: 'text', text: 'a' },
    { type: 'text', text: 'b' },
  ],
  details: { 'enso:toolResult': { kind: 'shell', props: { exitCode: 0 } } },
  isError: false,
})

test('a list shows the newest thread first, titled by its name or its first prompt', async (t) => {
  const { store, write } = home(t)
  const named = write('named', [
    message('1', null, user('what was asked first')),
    { type: 'session_info', id: '2', parentId: '1', timestamp: at, name: 'A name' },
  ])
  const prompted = write('prompted', [
    { type: 'model_change', id: '0', parentId: null, timestamp: at, provider: 'local', modelId: 'x' },
    message('1', '0', user(`  a prompt\n over lines ${'and on '.repeat(30)}`)),
    message('2', '1', reply('yes')),
  ])
  const empty = write('empty', [], 'other')
  const hour = 3600
  for (const [age, ref] of [prompted, named, empty].entries()) {
    const time = Date.now() / 1000 - age * hour
    utimesSync(ref.file, time, time)
  }
  const list = await store.list()
  assert.deepEqual(
    list.map(({ threadId, projectId, messageCount, cwd }) => ({ threadId, projectId, messageCount, cwd })),
    [
      { threadId: 'prompted', projectId: 'project', messageCount: 2, cwd: '/work' },
      { threadId: 'named', projectId: 'project', messageCount: 1, cwd: '/work' },
      { threadId: 'empty', projectId: 'other', messageCount: 0, cwd: '/work' },
    ],
  )
  assert.equal(list[1]?.title, 'A name')
  assert.match(list[0]?.title ?? '', /^a prompt over lines and on .*…$/)
  assert.ok((list[0]?.title?.length ?? 0) <= 80)
  assert.equal(list[2]?.title, undefined)
  assert.match(list[0]?.lastActivityAt ?? '', /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.deepEqual(
    (await store.list('other')).map((one) => one.threadId),
    ['empty'],
  )
  assert.deepEqual(await store.list('nobody'), [])
})

test('a list passes over what is no thread and tells of it', async (t) => {
  const { store, write, threadsDir } = home(t)
  write('good', [message('1', null, user('hello'))])
  writeFileSync(join(threadsDir, 'project', 'x_bad.jsonl'), 'not a header\n{"type":"message"}\n')
  writeFileSync(join(threadsDir, 'project', 'x_empty.jsonl'), '')
  writeFileSync(join(threadsDir, 'project', 'notes.txt'), 'no thread')
  writeFileSync(join(threadsDir, 'stray.jsonl'), 'no project')
  const bad: string[] = []
  assert.deepEqual(
    (await store.list(undefined, (file) => bad.push(file))).map((one) => one.threadId),
    ['good'],
  )
  assert.equal(bad.length, 2)
  assert.deepEqual(await createSessionStore({ threadsDir: join(threadsDir, 'nowhere') }).list(), [])
})

test('a thread is found by its id alone, never by a path', async (t) => {
  const { store, write } = home(t)
  const ref = write('abc-1', [])
  assert.deepEqual(await store.find('abc-1'), ref)
  for (const id of ['abc', '1', '../abc-1', 'x_abc-1', '', '*']) assert.equal(await store.find(id), undefined, id)
})

test('a thread is read as its current branch, each entry in the shape a surface reads', async (t) => {
  const { store, write } = home(t)
  const ref = write('tree', [
    message('1', null, user('first')),
    message('2', '1', reply('abandoned', { usage: usage(100) })),
    message('3', '1', call('c1')),
    message('4', '3', result('c1')),
    message('5', '4', reply('kept')),
    {
      type: 'custom',
      id: '6',
      parentId: '5',
      timestamp: at,
      customType: 'enso-permission-mode',
      data: { mode: 'plan' },
    },
    { type: 'compaction', id: '7', parentId: '6', timestamp: at, summary: 's', firstKeptEntryId: '5', tokensBefore: 9 },
  ])
  const reading = await store.read(ref)
  for (const entry of reading.entries) assert.ok(Value.Check(EnsoTranscriptEntry, entry), JSON.stringify(entry))
  assert.deepEqual(
    reading.entries.map((entry) => `${entry.id}:${entry.kind}`),
    ['1:message', '3:message', '4:tool-result', '5:message', '6:custom', '7:other'],
  )
  const [prompt, asked, answered] = reading.entries
  assert.deepEqual(prompt, { kind: 'message', id: '1', at, role: 'user', parts: [{ type: 'text', text: 'first' }] })
  assert.ok(asked?.kind === 'message')
  assert.deepEqual(asked.parts, [{ type: 'tool-call', toolCallId: 'c1', toolName: 'bash', args: { command: 'ls' } }])
  assert.deepEqual(answered, {
    kind: 'tool-result',
    id: '4',
    at,
    toolCallId: 'c1',
    toolName: 'bash',
    text: 'a\nb',
    isError: false,
    descriptor: { kind: 'shell', props: { exitCode: 0 } },
  })
  assert.deepEqual(reading.permissionMode, { mode: 'plan', available: [] })
  assert.deepEqual(reading.usage, { input: 30, output: 110, cacheRead: 3, cacheWrite: 6, cost: 0.75, context: null })
  assert.equal(reading.skippedLines, 0)
  assert.equal(reading.interrupted, undefined)
})

test('a refused reply is read with its refusal', async (t) => {
  const { store, write } = home(t)
  const refused = { ...reply(''), stopReason: 'error', errorMessage: '429 {"error":{"message":"slow down"}}' }
  const ref = write('refused', [message('1', null, user('hi')), message('2', '1', refused)])
  const { entries, interrupted } = await store.read(ref)
  const last = entries.at(-1)
  assert.ok(last?.kind === 'message')
  assert.equal(last.refusal?.status, 429)
  assert.equal(last.refusal?.model, 'x')
  assert.equal(interrupted, undefined)
})

test('a thread that was cut off says how', async (t) => {
  const { store, write } = home(t)
  const unanswered = write('unanswered', [message('1', null, user('hello'))])
  assert.equal((await store.read(unanswered)).interrupted, 'unanswered-prompt')
  const called = write('called', [message('1', null, user('go')), message('2', '1', call('c1'))])
  assert.equal((await store.read(called)).interrupted, 'tool-call-without-result')
})

test('torn, NUL-filled and foreign lines are counted and left out; nothing else is lost, and the file is untouched', async (t) => {
  const { store, write } = home(t)
  const ref = write('torn', [
    message('1', null, user('first')),
    '\0'.repeat(200),
    '{"type":"message","id":"x","parentId":"1","mess',
    '"just a string"',
    '',
    message('2', '1', reply('answer')),
  ])
  appendFileSync(ref.file, '{"type":"message","id":"9"')
  const before = readFileSync(ref.file)
  const { mtimeMs } = statSync(ref.file)
  const reading = await store.read(ref)
  assert.deepEqual(
    reading.entries.map((entry) => entry.id),
    ['1', '2'],
  )
  assert.equal(reading.skippedLines, 4)
  await store.list()
  await store.find('torn')
  assert.deepEqual(readFileSync(ref.file), before)
  assert.equal(statSync(ref.file).mtimeMs, mtimeMs)
})

test('a file that is no session, or is gone, is unreadable by name', async (t) => {
  const { store, write } = home(t)
  const ref = write('bad', [])
  writeFileSync(ref.file, 'nonsense\n')
  const unreadable = (error: unknown): boolean => error instanceof EnsoError && error.code === 'thread-unreadable'
  await assert.rejects(store.read(ref), unreadable)
  writeFileSync(ref.file, '')
  await assert.rejects(store.read(ref), unreadable)
  await assert.rejects(store.read({ ...ref, file: `${ref.file}.gone` }), unreadable)
})

test('entries that point at each other end the branch instead of running for ever', async (t) => {
  const { store, write } = home(t)
  const ref = write('loop', [message('1', '2', user('a')), message('2', '1', reply('b'))])
  assert.deepEqual(
    (await store.read(ref)).entries.map((entry) => entry.id),
    ['1', '2'],
  )
})

test('a line of many megabytes is read whole and does not stop a list', async (t) => {
  const { store, write } = home(t)
  const ref = write('long', [
    message('1', null, user('short')),
    message('2', '1', reply('x'.repeat(6_000_000))),
    message('3', '2', user('after')),
  ])
  const [summary] = await store.list()
  assert.equal(summary?.title, 'short')
  assert.equal(summary?.messageCount, 3)
  assert.equal((await store.read(ref)).entries.length, 3)
})

test('stored threads are read without the agent library', () => {
  const seen = new Set<string>()
  const queue = ['src/host/session/session-store.ts']
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    for (const one of importsOf(file)) {
      assert.doesNotMatch(one.to, /^@mariozechner\//, `${file} imports ${one.to}`)
      if (one.relative) queue.push(one.to.replace(/\.js$/, '.ts'))
    }
  }
  assert.ok(seen.has('src/host/session/read-json-lines.ts'))
})
