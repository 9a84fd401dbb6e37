import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { createUndoRecorder } from '../../../src/host/extensions/undo/recorder.js'
import { contentDigest, createUndoStore, UNDO_FILE_MAX_BYTES } from '../../../src/system/undo-store.js'
import { realPathOf } from '../../../src/host/extensions/guards/paths.js'
import { bench } from '../host-bench.js'

const REFUSED = 'secret.txt'

/** A guard that lets everything through but one file, before the recorder as the real one is. */
const guard: ExtensionFactory = (pi) => {
  pi.on('tool_call', ({ input }) =>
    (input as { path?: string }).path === REFUSED ? { block: true, reason: 'no' } : undefined,
  )
}

async function thread(t: TestContext) {
  const undo = { root: '', cwd: '' }
  const world = await bench(t, {
    parts: ({ cwd }) => ({
      extensions: [
        guard,
        createUndoRecorder({
          store: createUndoStore(join(undo.root, 'undo')),
          realPath: (path) => realPathOf(join(cwd, path), cwd),
          now: () => new Date('2030-01-01T00:00:00Z'),
        }),
      ],
      customTools: [],
    }),
  })
  undo.root = world.root
  const store = createUndoStore(join(world.root, 'undo'))
  return { ...world, store, file: (name: string) => join(world.cwd, name) }
}

const write = (path: string, content: string) => ({ name: 'write', args: { path, content } })

test('what a file held is kept before each write and edit that is let through, and how the call left it', async (t) => {
  const { server, open, store, file, cwd } = await thread(t)
  writeFileSync(file('old.txt'), 'first\n')
  chmodSync(file('old.txt'), 0o640)
  mkdirSync(file('real'))
  symlinkSync('real', file('link'))
  server.enqueue(
    { toolCalls: [write('old.txt', 'second\n'), write(REFUSED, 'x'), write('link/new.txt', 'made\n')] },
    { toolCalls: [{ name: 'edit', args: { path: 'old.txt', edits: [{ oldText: 'second', newText: 'third' }] } }] },
    {
      toolCalls: [
        { name: 'read', args: { path: 'old.txt' } },
        { name: 'bash', args: { command: 'echo x > by-shell' } },
      ],
    },
    { text: 'done' },
  )
  await (await open()).run('change things')
  const entries = store.entries()
  const befores = entries.filter((entry) => entry.kind === 'before')
  assert.deepEqual(
    befores.map(({ toolName, path, before }) => [toolName, path, before.kind]),
    [
      ['write', file('old.txt'), 'kept'],
      ['write', file('real/new.txt'), 'absent'],
      ['edit', file('old.txt'), 'kept'],
    ],
  )
  const [first, , third] = befores.map(({ before }) => before)
  assert.ok(first?.kind === 'kept' && third?.kind === 'kept')
  assert.deepEqual([String(store.content(first.digest)), first.mode], ['first\n', 0o640])
  assert.equal(String(store.content(third.digest)), 'second\n')
  const left = new Map(entries.flatMap((entry) => (entry.kind === 'after' ? [[entry.toolCallId, entry.digest]] : [])))
  assert.equal(left.get(befores[2]!.toolCallId), contentDigest(Buffer.from('third\n')))
  assert.equal(left.get(befores[1]!.toolCallId), contentDigest(Buffer.from('made\n')))
  assert.ok(readdirSync(cwd).includes('by-shell'), 'the shell’s file is there, and in no journal')
})

test('what can not be kept stops no call, and says so', async (t) => {
  const { server, open, store, file } = await thread(t)
  writeFileSync(file('large.txt'), 'x'.repeat(UNDO_FILE_MAX_BYTES + 1))
  server.enqueue({ toolCalls: [write('large.txt', 'small')] }, { text: 'done' })
  await (await open()).run('shrink it')
  assert.equal(readFileSync(file('large.txt'), 'utf8'), 'small')
  const [entry] = store.entries()
  assert.ok(entry?.kind === 'before' && entry.before.kind === 'not-kept')
  assert.match(entry.before.why, /larger than/)
})

test('a journal that can not be written stops no call', async (t) => {
  const { server, open, file, root } = await thread(t)
  writeFileSync(join(root, 'undo'), 'a file where the folder would be')
  server.enqueue({ toolCalls: [write('new.txt', 'x')] }, { text: 'done' })
  await (await open()).run('write it')
  assert.equal(readFileSync(file('new.txt'), 'utf8'), 'x')
})
