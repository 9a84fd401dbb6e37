import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  EnsoError,
  type EnsoFollowFrame,
  type EnsoFollowObservation,
  type EnsoThreadEvents,
} from '../../src/core/index.js'
import { CLOSE_MAX_MS } from '../../src/thread/runtime-life.js'
import { createThreadLocks, lockPathOf } from '../../src/thread/thread-lock.js'
import { createFakeHost } from '../support/fake-hosted-thread.js'
import { createFakeThreads, createRecordingFollower, followRecorded, settleTicks } from '../support/fake-threads.js'

const isObservation = (frame: EnsoFollowFrame): frame is EnsoFollowObservation => frame.type === 'observation'

const isCode =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof EnsoError && error.code === code

test('calls at the same time share one building', async () => {
  const { threads, host } = createFakeThreads()
  const [a, b, outcome] = await Promise.all([
    threads.ensure('one'),
    threads.ensure('one'),
    threads.operate('prompt', 'one', { message: 'hi' }),
  ])
  assert.equal(a, b)
  assert.equal(outcome.ok, true)
  assert.equal(host.opened.length, 1)
  await threads.ensure('two')
  assert.equal(host.opened.length, 2)
})

test('a building that fails says why to everybody, leaves nothing behind, and can be tried again', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'enso-threads-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  let failures = 1
  const { threads, host } = createFakeThreads({
    failWith: () => (failures-- > 0 ? new EnsoError('no-model', 'no model') : undefined),
    locks: createThreadLocks(),
    session: { kind: 'new', dir },
  })
  const tries = await Promise.allSettled([threads.ensure('one'), threads.ensure('one')])
  assert.deepEqual(
    tries.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual(readdirSync(dir), [])
  assert.deepEqual(threads.live(), [])
  await threads.ensure('one')
  assert.equal(host.opened.length, 1)
  assert.deepEqual(readdirSync(dir), ['one.lock'])
  await threads.close()
  assert.deepEqual(readdirSync(dir), [])
})

test('a thread that another process holds is not built', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'enso-threads-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  createThreadLocks().acquire(lockPathOf(dir, 'one'))
  const { threads, host } = createFakeThreads({ locks: createThreadLocks(), session: { kind: 'new', dir } })
  await assert.rejects(threads.ensure('one'), isCode('thread-locked'))
  await assert.rejects(threads.operate('prompt', 'one', { message: 'hi' }), isCode('thread-locked'))
  assert.equal(host.opened.length, 0)
})

test('an ephemeral thread takes no lock and is never closed for being idle', async () => {
  const locks = {
    acquire: () => assert.fail('a lock was taken'),
    holderOf: () => undefined,
  }
  const { threads, host, clock } = createFakeThreads({ locks, idleMs: 1000, session: { kind: 'ephemeral' } })
  await threads.ensure('one')
  clock.advance(100_000)
  await settleTicks()
  assert.equal(host.thread('one').state.closed, false)
})

test('a thread whose lock is taken over says so, stops, and is built no more while the other has it', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'enso-threads-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const { threads, host } = createFakeThreads({ locks: createThreadLocks(), session: { kind: 'new', dir } })
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'hi' })
  const { beforeAppend } = host.thread('one').request
  assert.doesNotThrow(() => beforeAppend?.())
  const other = createThreadLocks({ takeOver: true }).acquire(lockPathOf(dir, 'one'))
  assert.throws(() => beforeAppend?.(), isCode('lock-lost'))
  await settleTicks()
  assert.equal(host.thread('one').state.closed, true)
  const notice = follower.observations().find(({ kind }) => kind === 'extension-ui-request')
  assert.match(notice?.kind === 'extension-ui-request' ? (notice.message ?? '') : '', /was taken over/)
  assert.deepEqual(follower.kinds().slice(-3), ['settled', 'status', 'status'])
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: false, live: false })
  other.assertHeld()
  await assert.rejects(threads.ensure('one'), isCode('thread-locked'))
})

test('an idle thread is closed after its time, and comes back with its feed where it was', async () => {
  const { threads, host, clock } = createFakeThreads({ idleMs: 60_000 })
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'hi' })
  host.thread('one').reply('hello')
  clock.advance(59_999)
  await settleTicks()
  assert.equal(host.thread('one').state.closed, false)
  clock.advance(1)
  await settleTicks()
  assert.equal(host.thread('one').state.closed, true)
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: false, live: false })
  await threads.operate('prompt', 'one', { message: 'again' })
  host.thread('one').reply('hello again')
  assert.equal(host.opened.length, 2)
  const seqs = follower.frames.flatMap((frame) => (frame.type === 'observation' ? [frame.seq] : []))
  assert.deepEqual(
    seqs,
    seqs.map((_, at) => at + 1),
  )
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 2, busy: false, live: true })
})

test('an idle thread that nobody follows is let go, and goes on with its numbers when it comes back', async () => {
  const { threads, host, clock } = createFakeThreads({ idleMs: 60_000 })
  const run = async (): Promise<void> => {
    await threads.operate('prompt', 'one', { message: 'hi' })
    host.thread('one').reply('hello')
  }
  const sent = async (): Promise<number> => {
    const outcome = await threads.operate('events', 'one', undefined)
    assert.ok(outcome.ok)
    return (outcome.result as EnsoThreadEvents).sent.length
  }
  const first = await followRecorded(threads, 'one')
  await run()
  assert.ok((await sent()) > 1)
  first.handle.close()
  clock.advance(60_000)
  await settleTicks()
  const second = await followRecorded(threads, 'one')
  const [before, snapshot] = [first.follower.frames.findLast(isObservation), second.follower.frames[0]]
  assert.ok(before !== undefined && snapshot?.type === 'snapshot')
  assert.deepEqual([snapshot.asOfSeq, snapshot.generation, snapshot.live], [before.seq, 1, false])
  second.handle.close()
  await run()
  // What was sent before belonged to what is gone.
  assert.equal(await sent(), 0)
  const third = await followRecorded(threads, 'one')
  await run()
  assert.deepEqual(third.follower.frames.at(-1), { type: 'status', generation: 3, busy: false, live: true })
  assert.ok((third.follower.frames.find(isObservation)?.seq ?? 0) > before.seq)
})

test('a thread that works, is asked something or logs in is not idle', async () => {
  const { threads, host, clock } = createFakeThreads({ idleMs: 1000 })
  await threads.ensure('one')
  const fake = host.thread('one')
  const isKept = async (): Promise<boolean> => {
    clock.advance(3000)
    await settleTicks()
    return !fake.state.closed
  }
  await threads.operate('prompt', 'one', { message: 'hi' })
  assert.ok(await isKept(), 'a run')
  fake.reply('hello')
  fake.state.busy = true
  assert.ok(await isKept(), 'undelivered events')
  fake.state.busy = false
  const id = fake.ask({ method: 'confirm', title: 'Sure?', message: '' })
  assert.ok(await isKept(), 'an open question')
  fake.endDialog(id, 'timeout')
  const login = threads.operate('command', 'one', { name: 'login', value: 'x' })
  await settleTicks()
  fake.flows[0]?.outcome.onAccepted()
  await login
  assert.ok(await isKept(), 'a login')
  fake.flows[0]?.outcome.onSettled()
  assert.equal(await isKept(), false)
})

test('a prompt that comes while an idle thread is being closed is taken by a new runtime', async () => {
  let close: () => void = () => undefined
  const host = createFakeHost({ hosted: () => ({ close: () => new Promise((resolve) => void (close = resolve)) }) })
  const { threads, clock } = createFakeThreads({ host, idleMs: 1000 })
  await threads.ensure('one')
  clock.advance(1000)
  const prompted = threads.operate('prompt', 'one', { message: 'hi' })
  await settleTicks()
  assert.equal(host.opened.length, 1)
  close()
  assert.equal((await prompted).ok, true)
  assert.equal(host.opened.length, 2)
  assert.equal(host.opened[1]?.prompts.length, 1)
})

test('closing ends runs, waiting prompts and follows, and nothing can be built afterwards', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await threads.operate('prompt', 'one', { message: 'first' })
  await threads.operate('prompt', 'one', { message: 'second' })
  host.thread('one').ask({ method: 'confirm', title: 'Sure?', message: '' })
  await threads.close()
  assert.deepEqual(follower.kinds().slice(-5), ['dialog-settled', 'prompt-rejected', 'settled', 'status', 'status'])
  assert.deepEqual(follower.ended, ['closed'])
  await assert.rejects(threads.ensure('one'), isCode('host-fault'))
  await assert.rejects(threads.ensure('two'), isCode('host-fault'))
  await assert.rejects(threads.follow('one', createRecordingFollower()), isCode('host-fault'))
  await threads.close()
})

test('closing is bounded by time, whatever a runtime does', async () => {
  const { threads, clock } = createFakeThreads({ hosted: () => ({ close: () => new Promise(() => undefined) }) })
  await threads.ensure('one')
  await threads.ensure('two')
  const closing = threads.close()
  await settleTicks()
  clock.advance(CLOSE_MAX_MS)
  await closing
  assert.deepEqual(threads.live(), [])
})

test('closing while a thread is being built closes that too', async () => {
  const host = createFakeHost()
  let open: () => void = () => undefined
  const slow = new Promise<void>((resolve) => void (open = resolve))
  const { threads } = createFakeThreads({
    host: {
      ...host,
      openThread: async (request) => {
        await slow
        return host.openThread(request)
      },
    },
  })
  const building = threads.ensure('one')
  await settleTicks()
  const closing = threads.close()
  open()
  await assert.rejects(building, isCode('host-fault'))
  await closing
  assert.equal(host.opened[0]?.state.closed, true)
})

test('the live threads are listed with what they are doing', async () => {
  const { threads } = createFakeThreads()
  await threads.operate('prompt', 'one', { message: 'hi' })
  await threads.ensure('two')
  assert.deepEqual(
    threads.live().map(({ threadId, busy, generation, mode }) => [threadId, busy, generation, mode]),
    [
      ['one', true, 1, 'default'],
      ['two', false, 0, 'default'],
    ],
  )
})

test('what is no thread id is refused at every door', async () => {
  const { threads, host } = createFakeThreads()
  for (const id of ['', '../x', 'a_b', '-a', 'a'.repeat(65), 'a/b', 'a\n']) {
    await assert.rejects(threads.ensure(id), isCode('bad-input'))
    await assert.rejects(threads.follow(id, createRecordingFollower()), isCode('bad-input'))
    const outcome = await threads.operate('history', id, undefined)
    assert.deepEqual(!outcome.ok && outcome.refusal.code, 'malformed')
  }
  const unknown = await threads.operate('dance', 'one', {})
  assert.deepEqual(!unknown.ok && unknown.refusal.code, 'not-found')
  assert.equal(host.opened.length, 0)
})
