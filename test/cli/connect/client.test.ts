import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CLIENT_CALLS } from '../../../src/cli/connect/client-calls.js'
import { createEnsoClient, type EnsoClient } from '../../../src/cli/connect/client.js'
import type { EnsoFollowFrame } from '../../../src/core/index.js'
import { operations } from '../../../src/thread/operations.js'
import { servedApp, TEST_HOST, TEST_TOKEN } from '../../support/served-app.js'

/** A client of an app without a port. */
function clientOf(t: TestContext, token = TEST_TOKEN) {
  const served = servedApp(t)
  const client = createEnsoClient({
    origin: `http://${TEST_HOST}`,
    token,
    projectId: 'alpha-1',
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const headers = new Headers(request.headers)
      headers.set('host', TEST_HOST)
      return served.app.fetch(new Request(request, { headers }))
    },
  })
  return { ...served, client }
}

/** A client whose server answers with one response. */
function clientAnswered(response: () => Response): EnsoClient {
  return createEnsoClient({ origin: 'http://127.0.0.1:1', token: 'x', fetch: async () => response() })
}

test('the client’s calls are the operations of the table', () => {
  assert.deepEqual(Object.keys(CLIENT_CALLS).sort(), operations.map(({ name }) => name).sort())
})

test('a thread is prompted, answered, configured, read and stopped through the client', async (t) => {
  const { client, host } = clientOf(t)
  const receipt = await client.call('prompt', 't1', { message: 'hello' })
  assert.ok(receipt.ok)
  assert.equal(receipt.value.generation, 1)
  const id = host.thread('t1').ask({ method: 'confirm', title: '?', message: '' })
  assert.deepEqual(await client.call('dialog', 't1', { id, confirmed: true }), { ok: true, value: null })
  const busy = await client.call('mode', 't1', { mode: 'plan' })
  assert.deepEqual([busy.ok, !busy.ok && busy.refusal.code], [false, 'busy'])
  host.thread('t1').reply('hi')
  const wrong = await client.call('configure', 't1', { mode: 'none' })
  assert.ok(!wrong.ok)
  assert.match(wrong.refusal.reason, /^mode: /)
  const history = await client.call('history', 't1', undefined)
  assert.equal(history.ok && history.value.messages.length, 2)
  const request = await client.call('context-request', 't1', { request: 'next' })
  assert.notEqual(!request.ok && request.refusal.code, 'malformed')
  const stopped = await client.call('abort', 't1', undefined)
  assert.deepEqual(stopped, { ok: true, value: { threadId: 't1', restored: [] } })
  const threads = await client.threads()
  assert.equal(threads.ok && threads.value.live.length, 1)
  const projects = await client.projects()
  assert.equal(projects.ok && projects.value[0]?.launch, true)
})

test('a follow calls back frame by frame until it is ended', async (t) => {
  const { client, host } = clientOf(t)
  const frames: EnsoFollowFrame[] = []
  const ending = new AbortController()
  const { ended } = await client.follow('t1', (frame) => frames.push(frame), ending.signal)
  await client.call('prompt', 't1', { message: 'hello' })
  host.thread('t1').reply('hi')
  while (!frames.some((frame) => frame.type === 'status' && frame.generation === 1 && !frame.busy)) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  ending.abort()
  await ended
  assert.equal(frames[0]?.type, 'snapshot')
})

test('a token that is not taken, and a name that is not known, are faults in words', async (t) => {
  const { client } = clientOf(t, 'wrong')
  await assert.rejects(client.threads(), { code: 'bad-input', message: /does not take this token/ })
  const unknown = clientAnswered(() => Response.json({ code: 'forbidden-origin', reason: 'x' }, { status: 403 }))
  await assert.rejects(unknown.threads(), { code: 'bad-input', message: /not known as/ })
})

test('what does not answer like a server of ours is a fault, not a refusal', async () => {
  const page = clientAnswered(() => new Response('<html>Bad Gateway</html>', { status: 502 }))
  await assert.rejects(page.call('prompt', 't1', { message: 'x' }), { code: 'host-fault', message: /status 502/ })
  const gone = createEnsoClient({
    origin: 'http://127.0.0.1:1',
    token: 'x',
    fetch: () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })),
  })
  await assert.rejects(gone.threads(), { code: 'host-fault', message: /can't be reached \(ECONNREFUSED\)/ })
})

test('an operation that is not in the table is refused without asking', async () => {
  const client = clientAnswered(() => assert.fail('asked'))
  const outcome = await client.operate('constructor', 't1', {})
  assert.equal(!outcome.ok && outcome.refusal.code, 'not-found')
})
