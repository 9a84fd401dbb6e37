import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerRefusalClass } from '../../src/core/index.js'
import { bench } from './host-bench.js'

for (const api of ['openai-completions', 'anthropic-messages'] as const) {
  test(`a 401 is a refusal with its status, not retried, over ${api}`, async (t) => {
    const { server, open } = await bench(t, { api })
    server.enqueue({ status: 401 })
    const thread = await open()
    await thread.run('hello')
    const [refused] = thread.all('provider-refused')
    assert.equal(refused?.status, 401)
    assert.equal(refused?.provider, 'local')
    assert.equal(refused?.model, 'x')
    assert.equal(server.requests.length, 1)
    assert.equal(thread.all('provider-retry').length, 0)
    assert.equal(thread.hosted.lastStopReason(), 'error')
    const entry = thread.hosted.entries().at(-1)
    assert.ok(entry?.kind === 'message' && entry.refusal?.status === 401)
  })

  test(`a content refusal names the provider's own stop reason over ${api}`, async (t) => {
    const { server, open } = await bench(t, { api })
    server.enqueue({ text: 'I', stopReason: api === 'anthropic-messages' ? 'refusal' : 'content_filter' })
    const thread = await open()
    await thread.run('hello')
    const [refused] = thread.all('provider-refused')
    assert.ok(refused)
    assert.equal(refused.providerStopReason, api === 'anthropic-messages' ? 'refusal' : 'content_filter')
    assert.equal(providerRefusalClass(refused), 'provider policy')
    const entry = thread.hosted.entries().at(-1)
    assert.ok(entry?.kind === 'message' && entry.refusal?.providerStopReason === refused.providerStopReason)
  })
}

test('a 429 is retried once for each retry that is shown, and the provider client adds none of its own', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ status: 429 }, { status: 429 }, { text: 'at last' })
  const thread = await open()
  await thread.run('hello')
  assert.equal(server.requests.length, 3)
  assert.deepEqual(
    thread.all('provider-retry').map(({ attempt, maxAttempts, delayMs }) => ({ attempt, maxAttempts, delayMs })),
    [
      { attempt: 1, maxAttempts: 2, delayMs: 20 },
      { attempt: 2, maxAttempts: 2, delayMs: 40 },
    ],
  )
  assert.equal(thread.all('provider-refused').length, 2)
  assert.equal(thread.all('provider-retry-ended').at(-1)?.success, true)
  assert.deepEqual(
    thread.all('run-ended').map((one) => one.willRetry),
    [true, true, false],
  )
})

test('a status that passes is asked again whatever the words beside it, one that lasts is not', async (t) => {
  const { server, open } = await bench(t)
  const thread = await open()
  for (const [status, requests] of [
    [529, 2],
    [408, 2],
    [501, 1],
  ] as const) {
    const before = server.requests.length
    server.enqueue({ status, body: '{"error":{"message":"come back"}}' }, { text: 'at last' })
    await thread.run('hello')
    assert.equal(server.requests.length - before, requests, String(status))
  }
})

test('a provider that says how long to wait is waited for: the wait is shown, and a Stop ends it', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ status: 429, headers: { 'retry-after-ms': '45' } }, { status: 529, headers: { 'retry-after': '0' } })
  server.enqueue({ text: 'at last' })
  const thread = await open()
  await thread.run('hello')
  assert.deepEqual(
    thread.all('provider-retry').map(({ delayMs }) => delayMs),
    [45, 40],
  )
  server.enqueue({ status: 503, headers: { 'retry-after': '40' } })
  await thread.prompt('again')
  assert.equal((await thread.nth('provider-retry', 3)).delayMs, 40_000)
  await thread.hosted.runtime.abort()
  assert.equal(thread.all('provider-retry-ended').at(-1)?.success, false)
})

test('a wait that is longer than anybody waits ends the run, and is named', async (t) => {
  const { server, open } = await bench(t)
  const body = '{"error":{"message":"used up"}}'
  server.enqueue({ status: 429, headers: { 'retry-after': '7200' }, body }, { text: 'never' })
  const thread = await open()
  await thread.run('hello')
  assert.equal(server.requests.length, 1)
  assert.equal(thread.all('provider-retry').length, 0)
  const refusal = thread.all('provider-refused')[0]
  assert.equal(refusal?.status, 429)
  assert.match(refusal?.message ?? '', /^429 asks to wait 2 h before the next request: .*used up/)
  const entry = thread.hosted.entries().at(-1)
  assert.ok(entry?.kind === 'message' && entry.refusal?.message === refusal?.message)
})

test('when the retries run out the last error is said and the thread settles', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ status: 503 })
  const thread = await open()
  await thread.run('hello')
  assert.equal(server.requests.length, 3)
  const ended = thread.all('provider-retry-ended').at(-1)
  assert.equal(ended?.success, false)
  assert.match(ended?.finalError ?? '', /503/)
})

test('an endpoint that is not there is a refusal without a status', async (t) => {
  // A port of a closed server may be another test's a moment later; the discard port is nobody's.
  const local = { baseUrl: 'http://127.0.0.1:9/v1', api: 'openai-completions', apiKey: 'none', models: [{ id: 'x' }] }
  const models = { providers: { local } }
  const { open } = await bench(t, { models, settings: { retry: { enabled: false } } })
  const thread = await open()
  await thread.run('hello')
  const [refused] = thread.all('provider-refused')
  assert.equal(refused?.status, undefined)
  assert.match(refused?.message ?? '', /connection/i)
})

test('a connection cut in the middle of a reply is retried, and what came before it is not lost', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['half ', 'of it'], cut: 1 }, { text: 'whole' })
  const thread = await open()
  await thread.run('hello')
  assert.ok(thread.seen.some((one) => one.kind === 'text-delta' && one.delta === 'half '))
  assert.equal(thread.replies().at(-1), 'whole')
})

test('garbage instead of a stream ends the run as refused', async (t) => {
  const { server, open } = await bench(t, { settings: { retry: { enabled: false } } })
  server.enqueue({ garbage: true })
  const thread = await open()
  await thread.run('hello')
  assert.equal(thread.all('provider-refused').length, 1)
  assert.equal(thread.all('settled').length, 1)
})

test('a request that fails before its response begins is said, and does not leave the prompt waiting for a retry', async (t) => {
  // The key is a command, which the library runs for each request; this one fails with words that look retryable.
  const { server, open, agentDir } = await bench(t)
  const { writeFileSync } = await import('node:fs')
  const models = server.modelsJson() as { providers: { local: { headers?: object } } }
  models.providers.local.headers = { 'x-key': '!echo fetch failed >&2; exit 1' }
  writeFileSync(`${agentDir}/models.json`, JSON.stringify(models))
  const { createAgentHost } = await import('../../src/host/agent-host.js')
  const host = createAgentHost({ agentDir, env: {} })
  t.after(() => host.dispose())
  const seen: string[] = []
  const hosted = await host.openThread({
    threadId: 'hang',
    cwd: agentDir,
    session: { kind: 'ephemeral' },
    model: 'local/x',
    dialogs: { canAsk: () => true, ruleFor: () => undefined, timeoutMs: () => undefined, ended: () => undefined },
  })
  await new Promise<void>((resolve, reject) => {
    hosted.runtime.subscribe((one) => {
      seen.push(one.kind)
      if (one.kind === 'settled') resolve()
    })
    const onRejected = (reason: string): void => reject(new Error(reason))
    hosted.runtime.prompt({ message: 'hello' }, { onAccepted: () => undefined, onRejected })
  })
  assert.ok(seen.includes('provider-refused'))
  assert.equal(hosted.isBusy(), false)
  void open
})
