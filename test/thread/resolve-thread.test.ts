import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnsoError } from '../../src/core/index.js'
import { resolveThread, type ResolveThreadDeps } from '../../src/thread/resolve-thread.js'
import { createFakeStore, type FakeStored } from '../support/fake-threads.js'

const thread = (threadId: string, cwd = '/shop', projectId = 'shop-1'): FakeStored => ({
  threadId,
  projectId,
  cwd,
  file: `/sessions/${projectId}/${threadId}.jsonl`,
  title: `about ${threadId}`,
  messageCount: 3,
  lastActivityAt: '2030-01-01T00:00:00.000Z',
})

function depsOver(stored: readonly FakeStored[], locked: readonly string[] = []): ResolveThreadDeps {
  const record = { pid: 42, host: 'box', at: '', nonce: 'a' }
  return {
    store: createFakeStore(stored),
    locks: { holderOf: (path) => (locked.some((id) => path.endsWith(`/${id}.lock`)) ? { record } : undefined) },
    cwd: '/shop',
    projectId: 'shop-1',
    projectDir: '/sessions/shop-1',
    newId: () => 'fresh',
  }
}

const failsWith =
  (code: string, words: RegExp) =>
  (error: unknown): boolean =>
    error instanceof EnsoError && error.code === code && words.test(error.message)

test('a new thread begins where enso was started, with an id of its own or the one that is given', async () => {
  const deps = depsOver([])
  assert.deepEqual(await resolveThread({ kind: 'new' }, deps), {
    threadId: 'fresh',
    cwd: '/shop',
    session: { kind: 'new', dir: '/sessions/shop-1' },
    notes: [],
  })
  assert.equal((await resolveThread({ kind: 'new', threadId: 'mine' }, deps)).threadId, 'mine')
  assert.deepEqual((await resolveThread({ kind: 'new' }, deps, { ephemeral: true })).session, { kind: 'ephemeral' })
})

test('an id that is stored already is that thread, in its own folder', async () => {
  const deps = depsOver([thread('mine', '/elsewhere', 'else-1')])
  const resolved = await resolveThread({ kind: 'new', threadId: 'mine' }, deps)
  assert.deepEqual(
    [resolved.cwd, resolved.session],
    ['/elsewhere', { kind: 'stored', file: '/sessions/else-1/mine.jsonl' }],
  )
  assert.match(resolved.notes.join('\n'), /working in \/elsewhere/)
})

test('the latest thread is the newest of the project that nobody holds, and what was passed over is said', async () => {
  const stored = [thread('newest'), thread('other', '/else', 'else-1'), thread('older')]
  assert.equal((await resolveThread({ kind: 'latest' }, depsOver(stored))).threadId, 'newest')
  const resolved = await resolveThread({ kind: 'latest' }, depsOver(stored, ['newest']))
  assert.equal(resolved.threadId, 'older')
  assert.match(resolved.notes[0] ?? '', /passed over thread newest .*process 42 on box/)
  assert.match(resolved.notes[1] ?? '', /continuing thread older “about older” \(3 messages/)
})

test('no thread to continue is not found, and all of them in use is locked', async () => {
  await assert.rejects(resolveThread({ kind: 'latest' }, depsOver([])), failsWith('thread-unknown', /\/shop/))
  const held = depsOver([thread('a'), thread('b')], ['a', 'b'])
  await assert.rejects(resolveThread({ kind: 'latest' }, held), failsWith('thread-locked', /every thread/))
})

test('a thread is resumed by its id or a beginning that only it has, in any project', async () => {
  const deps = depsOver([thread('abc1'), thread('abd2', '/else', 'else-1'), thread('abc')])
  const resume = async (threadId: string): Promise<string> =>
    (await resolveThread({ kind: 'resume', threadId }, deps)).threadId
  assert.equal(await resume('abd'), 'abd2')
  assert.equal(await resume('abc'), 'abc')
  await assert.rejects(resume('ab'), failsWith('bad-input', /several threads: abc1, abd2, abc$/))
  await assert.rejects(resume('x'), failsWith('thread-unknown', /"x"/))
  await assert.rejects(resume(''), failsWith('thread-unknown', /""/))
})

test('a fork is a new thread beside the one it begins from, in the same folder', async () => {
  const deps = depsOver([thread('abc', '/else', 'else-1')])
  assert.deepEqual(await resolveThread({ kind: 'resume', threadId: 'abc' }, deps, { fork: true }), {
    threadId: 'fresh',
    cwd: '/else',
    session: { kind: 'fork', file: '/sessions/else-1/abc.jsonl', dir: '/sessions/else-1' },
    notes: ['working in /else, where thread abc began', 'thread fresh begins as a copy of abc'],
  })
  await assert.rejects(resolveThread({ kind: 'new' }, deps, { fork: true }), failsWith('bad-input', /fork/))
})

test('a thread whose folder is gone is named, and goes on as a copy where enso was started', async () => {
  const deps = { ...depsOver([thread('abc', '/gone', 'gone-1')]), isFolder: (path: string) => path !== '/gone' }
  await assert.rejects(
    resolveThread({ kind: 'resume', threadId: 'abc' }, deps),
    failsWith('bad-input', /the folder of thread abc is gone: \/gone/),
  )
  assert.deepEqual(await resolveThread({ kind: 'resume', threadId: 'abc' }, deps, { fork: true }), {
    threadId: 'fresh',
    cwd: '/shop',
    session: { kind: 'fork', file: '/sessions/gone-1/abc.jsonl', dir: '/sessions/shop-1' },
    notes: ['thread fresh begins as a copy of abc, whose folder /gone is gone'],
  })
})

test('a stored thread is not continued without storing it', async () => {
  const deps = depsOver([thread('abc')])
  await assert.rejects(
    resolveThread({ kind: 'resume', threadId: 'abc' }, deps, { ephemeral: true }),
    failsWith('bad-input', /without storing/),
  )
})
