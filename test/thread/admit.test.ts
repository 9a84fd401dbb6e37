import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_IMAGE_MAX_BYTES, type EnsoPromptReceipt } from '../../src/core/index.js'
import type { OperationOutcome } from '../../src/thread/operation.js'
import type { Threads } from '../../src/thread/threads.js'
import { createFakeThreads, followRecorded, settleTicks } from '../support/fake-threads.js'

const pictures = (count: number): unknown[] => Array.from({ length: count }, () => png)
const png = { data: Buffer.from('picture').toString('base64'), mimeType: 'image/png' }

async function prompt(threads: Threads, message: string, more: object = {}): Promise<EnsoPromptReceipt> {
  const outcome = await threads.operate('prompt', 'one', { message, ...more })
  assert.ok(outcome.ok, JSON.stringify(outcome))
  assert.equal(outcome.status, 202)
  return outcome.result as EnsoPromptReceipt
}

const codeOf = (outcome: OperationOutcome): string => (outcome.ok ? 'ok' : outcome.refusal.code)

test('a prompt on an idle thread opens an acquisition, and its receipt waits for nothing that comes of it', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const receipt = await prompt(threads, 'hello', { images: [png] })
  assert.deepEqual(receipt, { threadId: 'one', messageId: receipt.messageId, generation: 1, queued: false })
  const { prompts } = host.thread('one')
  assert.deepEqual(prompts[0]?.request, { message: 'hello', images: [{ type: 'image', ...png }] })
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: true, live: true })
  host.thread('one').reply('hi')
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 1, busy: false, live: true })
  assert.equal(follower.kinds().filter((kind) => kind === 'settled').length, 1)
})

test('a prompt on a busy thread is queued behind the run: after it, or at its next step', async () => {
  const { threads, host } = createFakeThreads()
  await prompt(threads, 'first')
  const { prompts } = host.thread('one')
  prompts[0]?.outcome.onAccepted()
  const second = await prompt(threads, 'second')
  const third = await prompt(threads, 'third', { admission: 'interrupt' })
  assert.deepEqual([second.generation, second.queued, third.generation, third.queued], [1, true, 1, true])
  assert.deepEqual(
    prompts.map(({ request }) => request.admission),
    [undefined, 'enqueue', 'interrupt'],
  )
})

test('a prompt that comes before the first one was taken waits for that, and is seen to', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const [first, second] = await Promise.all([prompt(threads, 'first'), prompt(threads, 'second')])
  assert.deepEqual([first.queued, second.queued], [false, true])
  const { prompts } = host.thread('one')
  assert.equal(prompts.length, 1)
  assert.deepEqual(follower.observations().at(-1), { kind: 'queue', interrupting: [], enqueued: ['second'] })
  prompts[0]?.outcome.onAccepted()
  assert.equal(prompts[1]?.request.message, 'second')
})

test('a run that begins before its prompt is said to be taken lets the others through', async () => {
  const { threads, host } = createFakeThreads()
  await prompt(threads, '/review')
  await prompt(threads, 'not so fast', { admission: 'interrupt' })
  const fake = host.thread('one')
  assert.equal(fake.prompts.length, 1)
  fake.emit({ kind: 'turn-start' })
  assert.equal(fake.prompts[1]?.request.admission, 'interrupt')
})

test('a prompt that is rejected although its run has begun does not end it twice', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await prompt(threads, '/review')
  const fake = host.thread('one')
  fake.emit({ kind: 'turn-start' })
  fake.prompts[0]?.outcome.onRejected('it threw')
  await settleTicks()
  fake.emit({ kind: 'settled' })
  assert.deepEqual(follower.kinds().slice(-3), ['turn-start', 'settled', 'status'])
})

test('a rejected prompt ends its acquisition, and the one behind it opens the next', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  const first = await prompt(threads, 'first')
  await prompt(threads, 'second')
  const { prompts } = host.thread('one')
  prompts[0]?.outcome.onRejected('not now')
  await settleTicks()
  assert.equal(prompts[1]?.request.message, 'second')
  assert.equal(prompts[1]?.request.admission, undefined)
  host.thread('one').emit({ kind: 'settled' })
  assert.deepEqual(follower.kinds().slice(1), [
    'status',
    'status',
    'queue',
    'prompt-rejected',
    'status',
    'queue',
    'status',
    'settled',
    'status',
  ])
  assert.deepEqual(follower.observations()[1], {
    kind: 'prompt-rejected',
    messageId: first.messageId,
    reason: 'not now',
  })
  assert.deepEqual(follower.frames.at(-1), { type: 'status', generation: 2, busy: false, live: true })
})

test('the receipt comes before the rejection, even of a prompt that is refused at once', async () => {
  const { threads } = createFakeThreads({
    runtime: () => ({ prompt: (_request, outcome) => outcome.onRejected('unknown command /x') }),
  })
  const { follower } = await followRecorded(threads, 'one')
  const receipt = await prompt(threads, '/x')
  assert.equal(follower.kinds().includes('prompt-rejected'), false)
  await settleTicks()
  assert.deepEqual(follower.observations(), [
    { kind: 'prompt-rejected', messageId: receipt.messageId, reason: 'unknown command /x' },
  ])
})

test('a queued prompt that is rejected leaves the run alone', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await prompt(threads, 'first')
  const fake = host.thread('one')
  const { prompts } = fake
  prompts[0]?.outcome.onAccepted()
  await prompt(threads, 'second')
  prompts[1]?.outcome.onRejected('no')
  await settleTicks()
  assert.equal(
    follower.frames.some((frame) => frame.type === 'status' && !frame.busy && frame.generation === 1),
    false,
  )
  fake.emit({ kind: 'settled' })
  assert.deepEqual(follower.kinds().slice(-3), ['prompt-rejected', 'settled', 'status'])
})

test('a runtime that throws on a prompt has rejected it', async () => {
  const { threads } = createFakeThreads({
    runtime: () => ({
      prompt: () => {
        throw new Error('broken')
      },
    }),
  })
  const { follower } = await followRecorded(threads, 'one')
  await prompt(threads, 'hello')
  await settleTicks()
  assert.deepEqual(follower.kinds().slice(-2), ['prompt-rejected', 'status'])
})

test('an outcome that is said twice counts once', async () => {
  const { threads, host } = createFakeThreads()
  const { follower } = await followRecorded(threads, 'one')
  await prompt(threads, 'hello')
  const fake = host.thread('one')
  const { prompts } = fake
  prompts[0]?.outcome.onAccepted()
  prompts[0]?.outcome.onRejected('too late')
  prompts[0]?.outcome.onAccepted()
  await settleTicks()
  fake.emit({ kind: 'settled' }, { kind: 'settled' })
  assert.deepEqual(follower.kinds().slice(-3), ['status', 'settled', 'status'])
})

test('a run that the runtime began by itself makes the thread busy, and its end frees it', async () => {
  const { threads, host } = createFakeThreads()
  await threads.ensure('one')
  const { follower } = await followRecorded(threads, 'one')
  const fake = host.thread('one')
  fake.emit({ kind: 'turn-start' })
  assert.deepEqual(follower.frames.at(-2), { type: 'status', generation: 1, busy: true, live: true })
  assert.equal((await prompt(threads, 'hello')).queued, true)
  fake.emit({ kind: 'settled' })
  assert.deepEqual(follower.kinds().slice(-2), ['settled', 'status'])
})

test('what is no prompt is refused and nothing is built for it', async () => {
  const { threads, host } = createFakeThreads()
  const big = { data: 'A'.repeat((ENSO_IMAGE_MAX_BYTES / 3 + 4) * 4), mimeType: 'image/png' }
  const cases: [unknown, string][] = [
    [undefined, 'malformed'],
    [{}, 'malformed'],
    [{ message: 1 }, 'malformed'],
    [{ message: 'a', more: 1 }, 'malformed'],
    [{ message: 'a', admission: 'later' }, 'malformed'],
    [{ message: 'a', images: [{ data: png.data, mimeType: 'image/tiff' }] }, 'malformed'],
    [{ message: 'a', images: [{ data: 'not base64!', mimeType: 'image/png' }] }, 'malformed'],
    [{ message: 'a', images: [{ data: 'AAA', mimeType: 'image/png' }] }, 'malformed'],
    [{ message: 'a', images: [{ data: '', mimeType: 'image/png' }] }, 'malformed'],
    [{ message: 'a', images: pictures(21) }, 'malformed'],
    [{ message: 'a', images: [png, big] }, 'too-large'],
    [{ message: ' \n' }, 'refused'],
  ]
  for (const [body, code] of cases) {
    assert.equal(codeOf(await threads.operate('prompt', 'one', body)), code, JSON.stringify(body)?.slice(0, 80))
  }
  assert.equal(host.opened.length, 0)
})

test('images alone are a prompt, up to twenty', async () => {
  const { threads, host } = createFakeThreads()
  await prompt(threads, '', { images: pictures(20) })
  assert.equal(host.thread('one').prompts[0]?.request.images?.length, 20)
})
