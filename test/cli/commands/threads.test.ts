import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { main } from '../../../src/cli/main.js'
import type { StoredThreadReading, StoredThreadSummary, ThreadStore } from '../../../src/core/index.js'
import { ensoHome } from '../../../src/system/home.js'
import { projectIdOf } from '../../../src/system/project-id.js'
import { createThreadLocks, lockPathOf } from '../../../src/thread/thread-lock.js'
import { fakeIo } from '../../support/cli-io.js'
import { partsWith } from '../../support/cli-parts.js'

function stored(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'enso-threads-test-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, '2030_t-1.jsonl')
  writeFileSync(file, '{}\n')
  const here = projectIdOf('/work')
  const threads: StoredThreadSummary[] = [
    {
      threadId: 't-1',
      projectId: here,
      file,
      cwd: '/work',
      title: 'fix\u001b[31m the\ntests',
      messageCount: 4,
      lastActivityAt: '2030-01-02T03:04:05.000Z',
    },
    {
      threadId: 't-2',
      projectId: 'other',
      file: join(dir, 'none'),
      cwd: '/elsewhere',
      title: undefined,
      messageCount: 1,
      lastActivityAt: '2029-01-02T03:04:05.000Z',
    },
  ]
  const reading: StoredThreadReading = {
    entries: [
      { kind: 'message', id: '1', role: 'user', parts: [{ type: 'text', text: 'hello\nyou' }] },
      {
        kind: 'message',
        id: '2',
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Looking\u001b]0;x\u0007.' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'bash', args: { command: 'ls' } },
        ],
      },
      { kind: 'tool-result', id: '3', toolCallId: 'c', toolName: 'bash', text: 'a\nb\nc\nd\ne\nf', isError: false },
    ],
    interrupted: 'tool-call-without-result',
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
    permissionMode: { mode: 'default', available: [] },
    skippedLines: 2,
  }
  const store: ThreadStore = {
    list: (projectId) =>
      Promise.resolve(threads.filter((thread) => projectId === undefined || thread.projectId === projectId)),
    find: (threadId) => Promise.resolve(threads.find((thread) => thread.threadId === threadId)),
    idsLike: (prefix) => Promise.resolve(threads.map(({ threadId }) => threadId).filter((id) => id.startsWith(prefix))),
    spending: () => Promise.resolve([]),
    records: () => Promise.reject(new Error('nothing folds this thread')),
    read: () => Promise.resolve(reading),
    walk: async (_ref, show) => {
      for (const entry of reading.entries) await show(entry)
      return reading
    },
  }
  const run = async (...argv: string[]) => {
    const { io, out, err } = fakeIo({ argv: ['threads', ...argv] })
    const parts = partsWith({ home: ensoHome({ ENSO_HOME: dir }), store: () => Promise.resolve(store) })
    return { exitCode: await main(io, parts), out: out.text(), err: err.text() }
  }
  return { run, file, dir }
}

test('the threads of this folder are listed, one harmless line each', async (t) => {
  const { run } = stored(t)
  assert.deepEqual(await run(), { exitCode: 0, out: 't-1  2030-01-02 03:04     4  fix the tests\n', err: '' })
  const all = await run('list', '--all')
  assert.equal(all.out.split('\n').length, 3)
  assert.match(all.out, /t-2 .* \(no title\) {2}\/elsewhere\n/)
})

test('a list as JSON is one object a line', async (t) => {
  const { out } = await stored(t).run('--json', '-a')
  assert.deepEqual(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as StoredThreadSummary).threadId),
    ['t-1', 't-2'],
  )
})

test('an empty list says so beside standard output', async (t) => {
  const { exitCode, out, err } = await stored(t).run('-C', '/tmp')
  assert.deepEqual([exitCode, out], [0, ''])
  assert.match(err, /no threads in this folder; --all/)
})

test('a thread is shown as text, with what is wrong about it beside', async (t) => {
  const { out, err } = await stored(t).run('show', 't-1')
  assert.equal(out, '> hello\n> you\n\nLooking.\n● bash ls\n  ⎿ a\n    b\n    c\n    d\n    e\n    … 1 more line\n')
  assert.match(err, /2 unreadable lines[^]*tool-call-without-result/)
})

test('an unknown thread is exit 6, a name that is none exit 2', async (t) => {
  const { run } = stored(t)
  assert.equal((await run('show', 'nobody')).exitCode, 6)
  assert.equal((await run('show', '../x')).exitCode, 2)
  assert.equal((await run('show')).exitCode, 2)
  assert.equal((await run('rm')).exitCode, 2)
})

test('a thread is removed, but not from under a process that has it', async (t) => {
  const { run, file, dir } = stored(t)
  const lock = createThreadLocks().acquire(lockPathOf(dir, 't-1'))
  assert.equal((await run('rm', 't-1')).exitCode, 6)
  assert.ok(existsSync(file))
  lock.release()
  assert.deepEqual(await run('rm', 't-1'), { exitCode: 0, out: '', err: 'removed t-1\n' })
  assert.ok(!existsSync(file))
})
