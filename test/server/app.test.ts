import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EnsoError, type EnsoFollowFrame } from '../../src/core/index.js'
import { settleTicks } from '../support/fake-threads.js'
import { readEvents, servedApp } from '../support/served-app.js'

const observed = (kind: string) => (frame: EnsoFollowFrame) =>
  frame.type === 'observation' && frame.observation.kind === kind

test('a prompt is answered with its receipt, and its run is followed', async (t) => {
  const { ask, host } = servedApp(t)
  const events = readEvents(await ask('/api/threads/t1/follow'))
  const first = await events.next()
  assert.equal((first.data as EnsoFollowFrame).type, 'snapshot')
  assert.equal(first.id, '0')

  const response = await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  assert.equal(response.status, 202)
  const receipt = (await response.json()) as Record<string, unknown>
  assert.deepEqual({ ...receipt, messageId: '' }, { threadId: 't1', messageId: '', generation: 1, queued: false })
  host.thread('t1').reply('hi')
  const frames = await events.until((frame) => frame.type === 'status' && !frame.busy && frame.generation === 1)
  assert.deepEqual(
    frames.map((frame) => (frame.type === 'observation' ? frame.observation.kind : frame.type)),
    [
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
    ],
  )
  await events.cancel()
})

test('an event’s id is the number of the last observation in it', async (t) => {
  const { ask, host } = servedApp(t)
  const events = readEvents(await ask('/api/threads/t1/follow'))
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  host.thread('t1').reply('hi')
  let seq = 0
  for (;;) {
    const { id, data } = await events.next()
    const frame = data as EnsoFollowFrame
    if (frame.type === 'observation') assert.equal(frame.seq, ++seq)
    assert.equal(id, String(seq))
    if (observed('settled')(frame)) break
  }
  const again = readEvents(await ask('/api/threads/t1/follow'))
  const { id, data } = await again.next()
  assert.equal(id, String(seq))
  assert.equal((data as { asOfSeq: number }).asOfSeq, seq)
})

test('an event stream is neither kept nor repacked on its way', async (t) => {
  const { ask } = servedApp(t)
  const { headers, body } = await ask('/api/threads/t1/follow')
  assert.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(headers.get('x-accel-buffering'), 'no')
  await body?.cancel()
})

test('a silent stream says every fifteen seconds that it is there', async (t) => {
  const { ask, clock } = servedApp(t)
  const events = readEvents(await ask('/api/threads/t1/follow'))
  await events.next()
  clock.advance(45_000)
  await settleTicks()
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  await events.next()
  assert.equal(events.comments(), 3)
  await events.cancel()
})

test('every follower of a thread hears the same, the answer of another one included', async (t) => {
  const { ask, host } = servedApp(t)
  const readers = await Promise.all([1, 2, 3].map(async () => readEvents(await ask('/api/threads/t1/follow'))))
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const id = host.thread('t1').ask({ method: 'confirm', title: 'Go on?', message: '' })
  for (const reader of readers) await reader.until(observed('extension-ui-request'))
  const answered = await ask('/api/threads/t1/dialog', { method: 'POST', body: { id, confirmed: true } })
  assert.equal(answered.status, 204)
  assert.equal(await answered.text(), '')
  host.thread('t1').reply('done')
  const heard = await Promise.all(readers.map((reader) => reader.until(observed('settled'))))
  assert.ok(heard[0]!.some(observed('dialog-settled')))
  assert.deepEqual(heard[1], heard[0])
  assert.deepEqual(heard[2], heard[0])
})

test('an answer that was never offered is refused and the question stays open', async (t) => {
  const { ask, host } = servedApp(t)
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const id = host.thread('t1').ask({ method: 'select', title: 'Which?', options: ['a', 'b'] })
  const wrong = await ask('/api/threads/t1/dialog', { method: 'POST', body: { id, value: 'c' } })
  assert.equal(wrong.status, 422)
  assert.equal(((await wrong.json()) as { code: string }).code, 'refused')
  assert.equal(host.thread('t1').runtime.openDialogs().length, 1)
  const gone = await ask('/api/threads/t1/dialog', { method: 'POST', body: { id: 'other', value: 'a' } })
  assert.deepEqual([gone.status, ((await gone.json()) as { code: string }).code], [404, 'unknown-dialog'])
})

test('a stop hands back the prompts that waited', async (t) => {
  const { ask, host } = servedApp(t)
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  host.thread('t1').queue.enqueued.push('later')
  const response = await ask('/api/threads/t1/abort', { method: 'POST' })
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { threadId: 't1', restored: ['later'] })
})

test('looking at threads builds none', async (t) => {
  const { ask, host } = servedApp(t)
  for (const path of ['', '/history', '/commands', '/events', '/usage', '/follow']) {
    const response = await ask(`/api/threads/t1${path}`)
    await response.body?.cancel()
  }
  assert.equal(host.opened.length, 0)
  assert.deepEqual(await (await ask('/api/threads/t1/commands')).json(), {
    threadId: 't1',
    source: 'none',
    commands: [],
  })
})

test('commands are the live ones, then the ones that are remembered', async (t) => {
  const { ask } = servedApp(t)
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const sources = []
  for (const thread of ['t1', 't2']) {
    sources.push(((await (await ask(`/api/threads/${thread}/commands`)).json()) as { source: string }).source)
  }
  assert.deepEqual(sources, ['live', 'remembered'])
})

test('a setting is 204, a mode 202, a flow 202, and a view is refused', async (t) => {
  const { ask, host } = servedApp(t)
  const post = (path: string, body: unknown) => ask(`/api/threads/t1/${path}`, { method: 'POST', body })
  assert.equal((await post('command', { name: 'model', value: 'local/large' })).status, 204)
  assert.equal((await post('configure', { model: 'local/small', mode: 'plan' })).status, 204)
  assert.equal((await post('mode', { mode: 'default' })).status, 202)
  await settleTicks()
  const flow = post('command', { name: 'login', value: 'local/api_key' })
  await settleTicks()
  host.thread('t1').flows[0]!.outcome.onAccepted()
  assert.equal((await flow).status, 202)
  assert.equal((await post('command', { name: 'context' })).status, 422)
})

test('a configuration that is refused names the step', async (t) => {
  const { ask } = servedApp(t)
  const response = await ask('/api/threads/t1/configure', { method: 'POST', body: { mode: 'other' } })
  assert.equal(response.status, 422)
  const body = (await response.json()) as { step: string; reason: string }
  assert.equal(body.step, 'mode')
  assert.deepEqual(Object.keys(body).sort(), ['reason', 'step'])
})

test('the mode that asks nobody is offered only where the start allowed it', async (t) => {
  const bypass = { method: 'POST', body: { mode: 'bypassPermissions' } } as const
  const closed = servedApp(t)
  for (const operation of ['mode', 'configure']) {
    const response = await closed.ask(`/api/threads/t1/${operation}`, bypass)
    assert.equal(response.status, 422)
    assert.match(((await response.json()) as { reason: string }).reason, /--allow-bypass/)
  }
  assert.equal(closed.host.opened.length, 0)
  const open = servedApp(t, { allowBypass: true })
  await open.ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'x' } })
  const state = open.host.thread('t1').state
  state.mode = { ...state.mode, available: [...state.mode.available, 'bypassPermissions'] }
  open.host.thread('t1').reply('done')
  await settleTicks()
  assert.equal((await open.ask('/api/threads/t1/mode', bypass)).status, 202)
})

test('a fault of the environment is a refusal', async (t) => {
  const faults = [
    [new EnsoError('thread-locked', 'in use'), 409, 'busy'],
    [new EnsoError('no-model', 'no model'), 422, 'refused'],
    [new EnsoError('disk', 'no room'), 422, 'refused'],
  ] as const
  for (const [fault, status, code] of faults) {
    const { ask } = servedApp(t, { failWith: () => fault })
    const response = await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
    assert.equal(response.status, status)
    assert.deepEqual(await response.json(), { code, reason: fault.message })
  }
})

test('a bug of ours says nothing of itself', async (t) => {
  const { ask } = servedApp(t, { failWith: () => new Error('secret /path') })
  const response = await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  assert.equal(response.status, 500)
  assert.doesNotMatch(await response.text(), /secret|path|at /)
})

test('images are taken up to twenty, strictly encoded, of four kinds', async (t) => {
  const { ask, host } = servedApp(t)
  const image = (data: string, mimeType = 'image/png') => ({ data, mimeType })
  const post = (images: unknown[]) => ask('/api/threads/t1/prompt', { method: 'POST', body: { message: '', images } })
  const cases: [unknown[], number][] = [
    [Array.from({ length: 21 }, () => image('AAAA')), 400],
    [[image('AAA')], 400],
    [[image('AA-_')], 400],
    [[image('AAAA', 'image/tiff')], 400],
    [[{ url: 'http://127.0.0.1/x.png' }], 400],
    [[image('A'.repeat(7 * 1024 * 1024))], 413],
    [[image('AAAA')], 202],
  ]
  for (const [images, status] of cases) assert.equal((await post(images)).status, status)
  assert.equal(host.thread('t1').prompts.length, 1)
})

test('a HEAD opens no follow', async (t) => {
  const { ask } = servedApp(t)
  assert.equal((await ask('/api/threads/t1/follow', { method: 'HEAD' })).status, 404)
})

test('a thread takes only so many followers, and a place is free again when one leaves', async (t) => {
  const { ask } = servedApp(t, { limits: { followsPerThread: 1 } })
  const first = await ask('/api/threads/t1/follow')
  assert.equal((await ask('/api/threads/t1/follow')).status, 429)
  await first.body?.cancel()
  const second = await ask('/api/threads/t1/follow')
  assert.equal(second.status, 200)
  await second.body?.cancel()
})

test('only so many prompts may wait on a thread', async (t) => {
  const { ask, queues } = servedApp(t, { queueLimit: 2 })
  const post = async () => (await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'x' } })).status
  const say = (enqueued: string[]): void =>
    queues.observed({
      threadId: 't1',
      generation: 1,
      seq: 1,
      observation: { kind: 'queue', interrupting: ['a'], enqueued },
    })
  assert.equal(await post(), 202)
  say(['b'])
  assert.equal(await post(), 429)
  say([])
  assert.equal(await post(), 202)
})

test('closing the threads ends every follow after what was said', async (t) => {
  const { ask, threads } = servedApp(t)
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  const events = readEvents(await ask('/api/threads/t1/follow'))
  const closing = threads.close()
  const frames = await events.until((frame) => frame.type === 'status' && !frame.live)
  assert.ok(frames.some(observed('settled')))
  await closing
  await events.ended()
})
