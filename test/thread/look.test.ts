import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  EnsoThreadCommands,
  EnsoThreadEvents,
  EnsoThreadHistory,
  EnsoThreadInspection,
} from '../../src/core/index.js'
import type { Threads } from '../../src/thread/threads.js'
import { canonicalPath, projectIdOf } from '../../src/system/project-id.js'
import { messageEntry } from '../support/fake-hosted-thread.js'
import { createFakeStore, createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

async function look<Result>(threads: Threads, name: string, threadId = 'one'): Promise<Result> {
  const outcome = await threads.operate(name, threadId, undefined)
  assert.ok(outcome.ok, JSON.stringify(outcome))
  assert.equal(outcome.status, 200)
  return outcome.result as Result
}

test('commands come from the live session, else from the last one there was, else from nowhere', async () => {
  const { threads, host, clock } = createFakeThreads({ idleMs: 1000 })
  const commands = (threadId: string): Promise<EnsoThreadCommands> => look(threads, 'commands', threadId)
  assert.deepEqual(await commands('one'), { threadId: 'one', source: 'none', commands: [] })
  await threads.ensure('one')
  const live = await commands('one')
  assert.equal(live.source, 'live')
  assert.equal(live.commands.find(({ name }) => name === 'model')?.value, 'local/small')
  const other = await commands('two')
  assert.deepEqual([other.source, other.commands.length], ['remembered', live.commands.length])
  assert.ok(other.commands.every((command) => !('value' in command)))
  clock.advance(1000)
  await settleTicks()
  assert.equal((await commands('one')).source, 'remembered')
  assert.equal(host.opened.length, 1)
})

test('the history of a thread is its messages, live, stored or none', async () => {
  const { threads, host } = createFakeThreads()
  const none = await look<EnsoThreadHistory>(threads, 'history')
  assert.deepEqual(none, {
    threadId: 'one',
    projectId: projectIdOf(canonicalPath('/work')),
    messages: [],
    permissionMode: { mode: 'default', available: [] },
  })
  await threads.ensure('one')
  host.thread('one').entries.push(messageEntry('1', 'user', 'hi'))
  const live = await look<EnsoThreadHistory>(threads, 'history')
  assert.deepEqual([live.messages.length, live.interrupted], [1, 'unanswered-prompt'])
  const store = createFakeStore([
    {
      threadId: 'old',
      projectId: 'shop-1',
      file: '/s/old.jsonl',
      cwd: '/shop',
      title: undefined,
      messageCount: 2,
      lastActivityAt: '',
      reading: {
        entries: [messageEntry('1', 'user', 'hi'), messageEntry('2', 'assistant', 'hello')],
        interrupted: undefined,
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 5, context: null },
        permissionMode: { mode: 'plan', available: [] },
        skippedLines: 0,
      },
    },
  ])
  const stored = createFakeThreads({ store })
  const history = await look<EnsoThreadHistory>(stored.threads, 'history', 'old')
  assert.deepEqual([history.projectId, history.messages.length, history.permissionMode.mode], ['shop-1', 2, 'plan'])
  assert.deepEqual(await look(stored.threads, 'usage', 'old'), {
    input: 1,
    output: 2,
    cacheRead: 3,
    cacheWrite: 4,
    cost: 5,
    context: null,
  })
  assert.equal(stored.host.opened.length, 0)
})

test('the events of a live thread say what was sent, neighbours counted together', async () => {
  const { threads, host } = createFakeThreads()
  await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'hi' })
  host.thread('one').reply('hello')
  const { sent } = await look<EnsoThreadEvents>(threads, 'events')
  assert.deepEqual(sent.map(({ type, name, count }) => [type, name, count]).slice(0, 6), [
    ['status', undefined, 2],
    ['turn-start', undefined, 1],
    ['message-start', 'user', 1],
    ['message-end', 'user', 1],
    ['message-start', 'assistant', 1],
    ['text-delta', undefined, 2],
  ])
  assert.ok(sent.every(({ provenance }) => provenance === 'sent'))
})

test('a live thread is inspected in full; one that isn’t is not found, and none is built', async () => {
  const { threads, host } = createFakeThreads()
  for (const name of ['inspect', 'events']) {
    const outcome = await threads.operate(name, 'one', undefined)
    assert.deepEqual(!outcome.ok && outcome.refusal.code, 'not-found')
  }
  assert.equal(host.opened.length, 0)
  await threads.ensure('one')
  host.thread('one').entries.push(messageEntry('1', 'user', 'hi'))
  const inspection = await look<EnsoThreadInspection>(threads, 'inspect')
  assert.deepEqual([inspection.sessionDir, inspection.busy, inspection.entries.length], ['/sessions', false, 1])
  assert.ok(inspection.commands.includes('compact'))
})
