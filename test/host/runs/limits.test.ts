import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bench } from '../host-bench.js'

const call = { toolCalls: [{ name: 'bash', args: { command: 'true' } }] }

test('the limit of turns stops a run before the next request leaves, and is told once', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise(call)
  const thread = await open({ limits: { maxTurns: 2 } })
  await thread.run('go on for ever')
  assert.equal(server.requests.length, 2)
  assert.deepEqual(thread.limits, [{ name: 'turns', value: 2, used: 2 }])
  assert.equal(thread.all('settled').length, 1)
  assert.equal(thread.all('provider-refused').length, 0)
  assert.equal(thread.all('tool-result').filter((one) => one.complete).length, 2)
})

test('a run that ends within its limit is not stopped, and each prompt that opens a run counts anew', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue(call, { text: 'done' }, call, { text: 'done' })
  const thread = await open({ limits: { maxTurns: 2 } })
  await thread.run('one')
  await thread.run('two')
  assert.equal(server.requests.length, 4)
  assert.deepEqual(thread.limits, [])
})

test('a request that is retried is one turn', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ status: 503 }, { status: 503 }, { text: 'done' })
  const thread = await open({ limits: { maxTurns: 1 } })
  await thread.run('one')
  assert.equal(server.requests.length, 3)
  assert.deepEqual(thread.limits, [])
})

test('a prompt that waits when the limit is hit starts no further request', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise(call)
  const thread = await open({ limits: { maxTurns: 1 } })
  await thread.prompt('one')
  await thread.prompt({ message: 'two', admission: 'enqueue' })
  await thread.when('settled')
  assert.equal(server.requests.length, 1)
  assert.deepEqual(thread.hosted.runtime.clearQueue(), { interrupting: [], enqueued: ['two'] })
})

/** What `local/x` costs: 1 dollar a million tokens in, 2 out. */
const usage = { input: 100_000, output: 50_000 }

test('the limit of money stops a run before the next request leaves, with what was spent', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ ...call, usage })
  const thread = await open({ limits: { maxCost: 0.5 } })
  await thread.run('go on for ever')
  assert.equal(server.requests.length, 3)
  assert.deepEqual(thread.limits, [{ name: 'cost', value: 0.5, used: 0.6 }])
  assert.equal(thread.all('settled').length, 1)
})

test('the limit of tokens counts what goes in and comes out, cached or not', async (t) => {
  const { server, open } = await bench(t, { api: 'anthropic-messages' })
  server.otherwise({ ...call, usage: { input: 100, output: 10, cacheRead: 1000, cacheWrite: 90 } })
  const thread = await open({ limits: { maxTokens: 2000 } })
  await thread.run('go on for ever')
  assert.equal(server.requests.length, 2)
  assert.deepEqual(thread.limits, [{ name: 'tokens', value: 2000, used: 2400 }])
})

test('what a failed attempt has used counts, though it was no turn', async (t) => {
  const { server, open } = await bench(t, { api: 'anthropic-messages' })
  server.enqueue({ text: 'half', usage: { input: 600, output: 10 }, cut: 1 })
  server.otherwise({ ...call, usage: { input: 600, output: 10 } })
  const thread = await open({ limits: { maxTokens: 1200, maxTurns: 5 } })
  await thread.run('go on for ever')
  assert.equal(thread.limits[0]?.name, 'tokens')
  assert.ok(thread.limits[0].used >= 1200)
})

test('each prompt that opens a run has the whole limit', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ text: 'done', usage: { input: 900, output: 10 } })
  const thread = await open({ limits: { maxTokens: 1000 } })
  await thread.run('one')
  await thread.run('two')
  assert.deepEqual(thread.limits, [])
})

test('a compaction in a run gives nothing back, and its own call counts', async (t) => {
  const { server, open } = await bench(t, {
    settings: { retry: { baseDelayMs: 10, maxRetries: 1 }, compaction: { keepRecentTokens: 1 } },
  })
  server.enqueue({ text: 'a', usage: { input: 100, output: 10 } })
  server.enqueue({ ...call, usage: { input: 1000, output: 10 } })
  server.enqueue({ status: 400, body: { error: { message: 'prompt is too long: 40000 tokens > 32000 maximum' } } })
  server.otherwise((body: { tools?: unknown[] }) =>
    body.tools === undefined
      ? { text: 'a summary', usage: { input: 5000, output: 100 } }
      : { ...call, usage: { input: 200, output: 10 } },
  )
  const thread = await open({ limits: { maxTokens: 6000 } })
  await thread.run('one')
  await thread.run('two')
  const summaries = server.requests.filter(({ body }) => (body as { tools?: unknown[] }).tools === undefined).length
  assert.ok(summaries > 0)
  assert.deepEqual(thread.limits, [{ name: 'tokens', value: 6000, used: 1010 + summaries * 5100 }])
  // Nothing was asked after the summaries.
  assert.equal(server.requests.length, 3 + summaries)
})

test('where the money is spent a compaction is not begun either', async (t) => {
  const { server, open } = await bench(t, { settings: { compaction: { keepRecentTokens: 1 } } })
  server.enqueue({ text: 'a', usage: { input: 100, output: 10 } })
  server.otherwise({ text: 'b', usage: { input: 31_000, output: 10 } })
  const thread = await open({ limits: { maxTokens: 20_000 } })
  await thread.run('one')
  await thread.run('two')
  assert.equal(server.requests.length, 2)
  assert.deepEqual(thread.limits, [])
  assert.equal(thread.all('unmapped').length, 0)
})

test('a limit of money over a model without a price is said to hold nothing', async (t) => {
  const { server, open } = await bench(t)
  assert.deepEqual((await open({ limits: { maxCost: 1 } })).hosted.notes, [])
  const free = await bench(t, {
    models: {
      providers: {
        free: { baseUrl: `${server.url}/v1`, api: 'openai-completions', apiKey: 'k', models: [{ id: 'x' }] },
      },
    },
  })
  const thread = await free.open({ model: 'free/x', limits: { maxCost: 1 } })
  assert.match(thread.hosted.notes.join(), /no price is known of free\/x/)
})
