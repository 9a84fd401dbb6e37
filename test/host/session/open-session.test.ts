import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { SessionManager } from '@mariozechner/pi-coding-agent'
import { openSessionManager } from '../../../src/host/session/session-factory.js'
import { testFolder } from '../../support/fake-cli.js'
import { workedThread } from '../../support/session-lines.js'

test('a stored session is opened as the library itself opens it, in one reading', async (t) => {
  const lines = workedThread()
  lines.add({ type: 'label', targetId: lines.leaf(), label: 'here' })
  const file = lines.writeTo(await testFolder(t), 'p')
  const notes: string[] = []
  const opened = await openSessionManager(
    { threadId: 'worked-1', cwd: '/work', session: { kind: 'stored', file } } as Parameters<
      typeof openSessionManager
    >[0],
    notes,
  )
  const theirs = SessionManager.open(file, dirname(file), '/work')
  assert.deepEqual(opened.getEntries(), theirs.getEntries())
  assert.deepEqual(opened.buildSessionContext(), theirs.buildSessionContext())
  for (const read of [
    'getHeader',
    'getLeafId',
    'getSessionId',
    'getSessionFile',
    'getSessionDir',
    'getCwd',
    'getTree',
  ] as const) {
    assert.deepEqual(opened[read](), theirs[read](), read)
  }
  assert.deepEqual(notes, [])
  assert.equal(opened.isPersisted(), true)
})

test('a line that is no entry is left out and said, and what was torn is cut off', async (t) => {
  const file = workedThread().writeTo(await testFolder(t), 'p')
  const entries = SessionManager.open(file, dirname(file), '/work').getEntries().length
  appendFileSync(file, '{"foreign":1}\nno json\n{"type":"message","id":"to')
  const notes: string[] = []
  const opened = await openSessionManager(
    { threadId: 'worked-1', cwd: '/work', session: { kind: 'stored', file } } as Parameters<
      typeof openSessionManager
    >[0],
    notes,
  )
  assert.equal(opened.getEntries().length, entries)
  assert.match(notes.join('\n'), /torn last line of 26 bytes[^]*2 unreadable lines/)
})
