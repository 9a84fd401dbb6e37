import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { EnsoUndoEntry } from '../../src/core/undo.js'
import {
  contentDigest,
  createUndoStore,
  pruneUndo,
  UNDO_KEPT_MS,
  UNDO_THREAD_MAX_BYTES,
  UNDO_THREADS_MAX,
  undoFolder,
} from '../../src/system/undo-store.js'

function root(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'enso-undo-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const entry: EnsoUndoEntry = { kind: 'after', toolCallId: 'a', digest: null }

test('contents and journal are kept privately, and read again', (t) => {
  const folder = undoFolder(root(t), 'thread-1')
  const store = createUndoStore(folder)
  assert.deepEqual([store.entries(), existsSync(folder)], [[], false], 'looking makes nothing')
  const content = Buffer.from([0, 1, 2, 255])
  const digest = store.keep(content)
  assert.equal(digest, contentDigest(content))
  assert.equal(store.keep(content), digest)
  assert.deepEqual(store.content(digest), content)
  store.append(entry)
  assert.deepEqual(store.entries(), [entry])
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name)
})

test('a torn line loses itself alone; a content that is not what it was is none', (t) => {
  const folder = undoFolder(root(t), 'thread-1')
  const store = createUndoStore(folder)
  store.append(entry)
  appendFileSync(join(folder, 'journal.jsonl'), '{"kind":"af')
  store.append(entry)
  assert.deepEqual(store.entries(), [entry, entry])
  const digest = store.keep(Buffer.from('right'))
  writeFileSync(join(folder, digest), 'wrong')
  assert.equal(store.content(digest), undefined)
  assert.equal(store.content('../journal.jsonl'), undefined)
})

test('of one thread no more is kept than there is room for; the oldest goes first', (t) => {
  const folder = undoFolder(root(t), 'thread-1')
  const store = createUndoStore(folder)
  const first = store.keep(Buffer.alloc(1000, 1))
  const second = store.keep(Buffer.alloc(1000, 2))
  utimesSync(join(folder, first), 1, 1)
  const large = store.keep(Buffer.alloc(UNDO_THREAD_MAX_BYTES - 1500, 3))
  assert.deepEqual(
    [first, second, large].map((digest) => store.content(digest) !== undefined),
    [false, true, true],
  )
})

test('old threads and threads beyond a number are forgotten', (t) => {
  const path = root(t)
  const now = 10 * UNDO_KEPT_MS
  const thread = (name: string, age: number): void => {
    mkdirSync(join(path, 'undo', name), { recursive: true })
    utimesSync(join(path, 'undo', name), (now - age) / 1000, (now - age) / 1000)
  }
  pruneUndo(path, now)
  thread('old', UNDO_KEPT_MS + 1000)
  thread('young', 1000)
  pruneUndo(path, now)
  assert.deepEqual(readdirSync(join(path, 'undo')), ['young'])
  for (let index = 0; index < UNDO_THREADS_MAX + 3; index++) thread(`t${index}`, 2000 + index * 1000)
  pruneUndo(path, now)
  assert.equal(readdirSync(join(path, 'undo')).length, UNDO_THREADS_MAX)
  assert.ok(existsSync(join(path, 'undo', 'young')))
})
