import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ENSO_PROVIDER_RETRY_KEY,
  type EnsoFollowSnapshot,
  type EnsoUiMessage,
  type StoredThreadReading,
} from '../../src/core/index.js'
import { messageEntry } from '../support/fake-hosted-thread.js'
import {
  createFakeStore,
  createFakeThreads,
  type FakeStored,
  followBatchesRecorded,
  followRecorded,
  type RecordingFollower,
  settleTicks,
} from '../support/fake-threads.js'

const snapshotOf = ({ frames }: RecordingFollower): EnsoFollowSnapshot => {
  const [first] = frames
  assert.equal(first?.type, 'snapshot')
  return first
}
const messagesOf = (follower: RecordingFollower): EnsoUiMessage[] => snapshotOf(follower).messages as EnsoUiMessage[]

const reading: StoredThreadReading = {
  entries: [messageEntry('1', 'user', 'hi')],
  interrupted: 'unanswered-prompt',
  usage: {
    input: 7,
    output: 8,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0.5,
    context: { tokens: 1, window: 2, percent: 50 },
  },
  permissionMode: { mode: 'plan', available: ['plan', 'default'] },
  skippedLines: 0,
}
const stored: FakeStored = {
  threadId: 'one',
  projectId: 'shop-0123456789ab',
  file: '/sessions/one.jsonl',
  cwd: '/home/me/shop',
  title: 'hi',
  messageCount: 1,
  lastActivityAt: '2030-01-01T00:00:00.000Z',
  reading,
}

test('following a thread that was never stored shows an empty one, and builds nothing', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  assert.deepEqual(follower.frames, [
    {
      type: 'snapshot',
      threadId: 'one',
      cwd: '/work',
      asOfSeq: 0,
      generation: 0,
      busy: false,
      live: false,
      messages: [],
      openDialogs: [],
      permissionMode: { mode: 'default', available: [] },
      model: null,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
    },
  ])
  assert.equal(host.opened.length, 0)
})

test('following a stored thread shows what its file has', async () => {
  const { threads, host } = createFakeThreads({ store: createFakeStore([stored]) })
  const { follower } = await followRecorded(threads, 'one')
  const snapshot = snapshotOf(follower)
  assert.deepEqual(
    [snapshot.cwd, snapshot.live, snapshot.busy, snapshot.generation, snapshot.model, snapshot.interrupted],
    ['/home/me/shop', false, false, 0, null, 'unanswered-prompt'],
  )
  assert.deepEqual(snapshot.permissionMode, { mode: 'plan', available: [] })
  assert.deepEqual(snapshot.usage, { ...reading.usage, context: null })
  assert.equal(messagesOf(follower)[0]?.role, 'user')
  assert.equal(host.opened.length, 0)
})

test('a follower hears everything from its snapshot on: the thread going live, its run, its end', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'hi' })
  host.thread('one').reply('hello')
  assert.deepEqual(follower.kinds(), [
    'snapshot',
    'status',
    'status',
    'turn-start',
    'message-start',
    'message-end',
    'message-start',
    'text-delta',
    'text-delta',
    'message-end',
    'turn-end',
    'run-ended',
    'settled',
    'status',
  ])
})

test('what was observed before anybody listened comes right after the first snapshot, and once', async () => {
  const { threads, host } = createFakeThreads()
  await threads.ensure('one')
  const fake = host.thread('one')
  fake.emit({
    kind: 'extension-ui-request',
    id: 'n',
    method: 'notify',
    blocking: false,
    origin: 'session-start',
    message: 'loaded',
  })
  const id = fake.ask({ method: 'confirm', title: 'Trust?', message: '' })
  const { follower } = await followRecorded(threads, 'one')
  assert.deepEqual(snapshotOf(follower).openDialogs, [])
  assert.deepEqual(follower.kinds(), ['snapshot', 'extension-ui-request', 'extension-ui-request'])
  const second = await followRecorded(threads, 'one')
  assert.deepEqual(
    snapshotOf(second.follower).openDialogs.map((open) => open.id),
    [id],
  )
  assert.deepEqual(second.follower.kinds(), ['snapshot'])
  assert.equal(snapshotOf(second.follower).asOfSeq, 2)
})

test('a follower that joins in the middle of a reply misses nothing and hears nothing twice', async () => {
  const { threads, host, clock } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'tell me' })
  const fake = host.thread('one')
  fake.prompts[0]?.outcome.onAccepted()
  fake.emit({ kind: 'turn-start' }, { kind: 'message-start', role: 'user', text: 'tell me' })
  fake.entries.push(messageEntry('1', 'user', 'tell me'))
  fake.emit({ kind: 'message-end', role: 'user' }, { kind: 'message-start', role: 'assistant' })
  let whole = ''
  for (let n = 0; n < 100; n++) {
    const piece = `${n} `
    whole += piece
    fake.emit({ kind: 'text-delta', contentIndex: 0, delta: piece })
    if (n % 7 === 0) clock.advance(15)
    if (n !== 50) continue
    const { follower } = await followRecorded(threads, 'one')
    const [prompt, reply] = messagesOf(follower)
    assert.equal(prompt?.role, 'user')
    const shown = reply?.parts[0]?.type === 'text' ? reply.parts[0].content : ''
    assert.ok(whole.startsWith(shown) && shown !== '')
    const joined = (): string =>
      follower.observations().reduce((text, seen) => (seen.kind === 'text-delta' ? text + seen.delta : text), shown)
    setImmediate(() => assert.equal(joined(), whole))
    const { asOfSeq } = snapshotOf(follower)
    setImmediate(() => {
      const seqs = follower.frames.flatMap((frame) => (frame.type === 'observation' ? [frame.seq] : []))
      assert.deepEqual(
        seqs,
        seqs.map((_, at) => asOfSeq + 1 + at),
      )
    })
  }
  fake.emit({ kind: 'message-end', role: 'assistant' })
  await new Promise((resolve) => setImmediate(resolve))
})

test('a follower that joins while a tool runs sees what it has said so far', async () => {
  const { threads, host } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'run it' })
  const fake = host.thread('one')
  fake.emit({ kind: 'turn-start' }, { kind: 'message-start', role: 'assistant' })
  fake.emit({ kind: 'message-end', role: 'assistant' })
  fake.entries.push({
    kind: 'message',
    id: '1',
    role: 'assistant',
    parts: [{ type: 'tool-call', toolCallId: 't1', toolName: 'bash', args: {} }],
  })
  const about = { toolCallId: 't1', toolName: 'bash' }
  fake.emit({ kind: 'tool-call', ...about, args: {} })
  fake.emit({ kind: 'tool-result', ...about, text: 'so far', isError: false, complete: false })
  const running = await followRecorded(threads, 'one')
  assert.deepEqual(messagesOf(running.follower)[0]?.parts[1], {
    type: 'tool-result',
    toolCallId: 't1',
    name: 'bash',
    content: 'so far',
    state: 'streaming',
  })
  fake.emit({ kind: 'tool-result', ...about, text: 'all of it', isError: false, complete: true })
  const finished = await followRecorded(threads, 'one')
  const [call, result] = messagesOf(finished.follower)[0]?.parts ?? []
  assert.deepEqual(
    [call?.type === 'tool-call' && call.state, result?.type === 'tool-result' && result.content],
    ['complete', 'all of it'],
  )
})

test('an interrupted end is told only while nothing runs', async () => {
  const { threads, host } = createFakeThreads()
  await threads.ensure('one')
  host.thread('one').entries.push(messageEntry('1', 'user', 'hi'))
  assert.equal(snapshotOf((await followRecorded(threads, 'one')).follower).interrupted, 'unanswered-prompt')
  await threads.operate('prompt', 'one', { message: 'again' })
  const busy = snapshotOf((await followRecorded(threads, 'one')).follower)
  assert.deepEqual([busy.busy, busy.interrupted], [true, undefined])
})

test('a live snapshot has the model, the mode, the usage and the open questions', async () => {
  const { threads, host } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'hi' })
  const fake = host.thread('one')
  const dialog = { method: 'select' as const, title: 'Which?', options: ['a'] }
  const id = fake.ask(dialog)
  const snapshot = snapshotOf((await followRecorded(threads, 'one')).follower)
  assert.deepEqual(snapshot.openDialogs, [{ id, dialog }])
  assert.deepEqual(snapshot.model, fake.state.model)
  assert.deepEqual(snapshot.permissionMode, fake.state.mode)
  assert.deepEqual(snapshot.usage, fake.state.usage)
  assert.deepEqual([snapshot.live, snapshot.busy, snapshot.generation], [true, true, 1])
})

test('a follower that joins while a request is tried again sees which attempt, and what is left of the wait', async () => {
  const { threads, host, clock } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'hi' })
  const fake = host.thread('one')
  const retryOf = async (): Promise<unknown> => {
    const { follower, handle } = await followRecorded(threads, 'one')
    handle.close()
    const last = messagesOf(follower).at(-1)
    assert.deepEqual([last?.role, last?.parts], ['user', [{ type: 'text', content: 'hi' }]])
    return last?.metadata?.[ENSO_PROVIDER_RETRY_KEY]
  }
  fake.emit({ kind: 'turn-start' }, { kind: 'message-start', role: 'user', text: 'hi' })
  await retryOf()
  fake.emit({ kind: 'provider-retry', attempt: 1, maxAttempts: 3, delayMs: 2000 })
  assert.deepEqual(await retryOf(), { attempt: 1, maxAttempts: 3, delayMs: 2000 })
  clock.advance(1500)
  assert.deepEqual(await retryOf(), { attempt: 1, maxAttempts: 3, delayMs: 500 })
  clock.advance(1500)
  assert.deepEqual(await retryOf(), { attempt: 1, maxAttempts: 3, delayMs: 0 })
  fake.emit({ kind: 'provider-retry-ended', success: true, attempt: 1 })
  assert.equal(await retryOf(), undefined)
})

test('a thread that is stopped or closed during a retry’s wait shows none any more', async () => {
  const { threads, host, clock } = createFakeThreads({ idleMs: 1000 })
  await threads.operate('prompt', 'one', { message: 'hi' })
  const retries = async (): Promise<unknown[]> => {
    const { follower, handle } = await followRecorded(threads, 'one')
    handle.close()
    return messagesOf(follower).flatMap(({ metadata }) => metadata?.[ENSO_PROVIDER_RETRY_KEY] ?? [])
  }
  const retry = { kind: 'provider-retry' as const, attempt: 1, maxAttempts: 3, delayMs: 60_000 }
  host.thread('one').reply('hello')
  host.thread('one').emit({ kind: 'turn-start' }, retry)
  assert.equal((await retries()).length, 1)
  host.thread('one').emit({ kind: 'settled' })
  assert.deepEqual(await retries(), [])
  clock.advance(1000)
  await settleTicks()
  assert.deepEqual(await retries(), [])
})

test('a thread that went live while its file was read is shown live', async () => {
  let read: () => void = () => undefined
  const slow = new Promise<void>((resolve) => void (read = resolve))
  const store = createFakeStore([stored])
  const { threads } = createFakeThreads({
    store: {
      ...store,
      read: async (ref) => {
        await slow
        return store.read(ref)
      },
    },
  })
  const following = followRecorded(threads, 'one')
  await threads.ensure('one')
  read()
  assert.equal(snapshotOf((await following).follower).live, true)
})

test('a follower that stops hears no more, and one that falls too far behind is dropped', async () => {
  const { threads, host } = createFakeThreads()
  const leaving = await followRecorded(threads, 'one')
  const slow = await followBatchesRecorded(threads, 'one')
  slow.follower.keepsUp = false
  await threads.operate('prompt', 'one', { message: 'hi' })
  leaving.handle.close()
  const heard = leaving.follower.frames.length
  host.thread('one').emit({ kind: 'turn-start' })
  for (let n = 0; n < 30; n++) {
    host.thread('one').emit({ kind: 'custom-entry', customType: 'x', data: 'y'.repeat(100_000) })
  }
  assert.equal(leaving.follower.frames.length, heard)
  assert.deepEqual(slow.follower.ended, ['dropped'])
})
