import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { type ModelRequest, type ModelServer, startModelServer } from './model-server.js'

async function started(t: TestContext): Promise<ModelServer> {
  const server = await startModelServer()
  t.after(() => server.close())
  return server
}

function post(server: ModelServer, path = '/v1/chat/completions', signal?: AbortSignal): Promise<Response> {
  const body = JSON.stringify({ model: 'x', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  return fetch(server.url + path, { method: 'POST', body, ...(signal ? { signal } : {}) })
}

/** Read freely, like a request's body. */
type Wire = ModelRequest['body']

function events(body: string): Wire[] {
  return [...body.matchAll(/^data: (.*)$/gm)].map(([, data]) => (data === '[DONE]' ? data : JSON.parse(data!)))
}

test('chat completions stream role, text, tool calls, finish, usage and the end mark', async (t) => {
  const server = await started(t)
  server.enqueue({
    thinking: 'hm',
    deltas: ['a', 'b'],
    toolCalls: [{ name: 'read', args: { path: 'f' } }],
    usage: { input: 7, output: 3, cacheRead: 2 },
  })
  const all = events(await (await post(server)).text())
  assert.equal(all.at(-1), '[DONE]')
  const deltas = all.slice(0, -1).flatMap((event) => event.choices.map((choice: Wire) => choice.delta))
  assert.deepEqual(
    deltas.flatMap((delta) => delta.content ?? []),
    ['', 'a', 'b'],
  )
  assert.equal(deltas[1].reasoning_content, 'hm')
  assert.equal(deltas.map((delta) => delta.tool_calls?.[0].function.arguments ?? '').join(''), '{"path":"f"}')
  assert.equal(all.at(-3).choices[0].finish_reason, 'tool_calls')
  assert.deepEqual([all.at(-2).usage.prompt_tokens, all.at(-2).usage.completion_tokens], [9, 3])
})

test('messages stream named events with blocks in order', async (t) => {
  const server = await started(t)
  server.enqueue({ thinking: 'hm', text: 'hello', stopReason: 'refusal' })
  const body = await (await post(server, '/v1/messages')).text()
  const names = [...body.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
  assert.deepEqual(names, [
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
  assert.equal(events(body).at(-2).delta.stop_reason, 'refusal')
})

test('responses stream typed events, numbered in order, and end with the whole output', async (t) => {
  const server = await started(t)
  server.enqueue({ thinking: 'hm', deltas: ['a', 'b'], toolCalls: [{ name: 'read', args: { path: 'f' } }] })
  const all = events(await (await post(server, '/v1/responses')).text())
  assert.deepEqual(
    all.map(({ sequence_number }) => sequence_number),
    all.map((_, index) => index),
  )
  assert.equal(all[0].type, 'response.created')
  const deltas = all.filter(({ type }) => type === 'response.output_text.delta')
  assert.deepEqual(
    deltas.map(({ delta, output_index }) => [delta, output_index]),
    [
      ['a', 1],
      ['b', 1],
    ],
  )
  const { type, response } = all.at(-1)
  assert.equal(type, 'response.completed')
  assert.deepEqual(
    response.output.map((item: Wire) => item.content?.[0].text ?? item.arguments ?? item.summary[0].text),
    ['hm', 'ab', '{"path":"f"}'],
  )
  assert.deepEqual([response.usage.input_tokens, response.usage.total_tokens], [10, 15])
})

test('a reply cut for its length is an incomplete response, and a Gemini one that hit its most', async (t) => {
  const server = await started(t)
  server.otherwise({ text: 'half', stopReason: 'length' })
  const response = events(await (await post(server, '/v1/responses')).text()).at(-1)
  assert.deepEqual(
    [response.type, response.response.incomplete_details.reason],
    ['response.incomplete', 'max_output_tokens'],
  )
  const gemini = events(await (await post(server, '/v1beta/models/x:streamGenerateContent?alt=sse')).text())
  assert.equal(gemini.at(-1).candidates[0].finishReason, 'MAX_TOKENS')
})

test('Gemini’s wire streams thoughts, text, calls and usage', async (t) => {
  const server = await started(t)
  server.enqueue({ thinking: 'hm', deltas: ['a', 'b'], toolCalls: [{ name: 'read', args: { path: 'f' } }] })
  const all = events(await (await post(server, '/v1beta/models/x:streamGenerateContent?alt=sse')).text())
  assert.deepEqual(
    all.map(({ candidates }) => candidates[0].content.parts[0]),
    [
      { text: 'hm', thought: true },
      { text: 'a' },
      { text: 'b' },
      { functionCall: { name: 'read', args: { path: 'f' } } },
      { text: '' },
    ],
  )
  assert.equal(all.at(-1).candidates[0].finishReason, 'STOP')
  assert.equal(all.at(-1).usageMetadata.totalTokenCount, 15)
})

test('each delta has left the server before the rest is waited for', async (t) => {
  const server = await started(t)
  let release!: () => void
  server.enqueue({ deltas: ['first', 'second'], delayUntil: new Promise<void>((resolve) => (release = resolve)) })
  const reader = (await post(server)).body!.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  while (!seen.includes('first')) seen += (await reader.read()).value
  assert.ok(!seen.includes('second'))
  release()
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    seen += value
  }
  assert.ok(seen.includes('second') && seen.includes('[DONE]'))
})

test('a status, an empty queue and a reply made from the request are answered', async (t) => {
  const server = await started(t)
  server.enqueue({ status: 429, headers: { 'retry-after': '1' } }, (body) => ({
    text: `to ${body.messages[0].content}`,
  }))
  const first = await post(server)
  assert.deepEqual([first.status, first.headers.get('retry-after')], [429, '1'])
  assert.match(await (await post(server)).text(), /to hi/)
  const empty = await post(server)
  assert.equal(empty.status, 500)
  assert.match(await empty.text(), /queue is empty/)
  assert.equal((await server.waitForRequest(3)).body.model, 'x')
})

test('a cut destroys the socket after the counted chunks', async (t) => {
  const server = await started(t)
  server.enqueue({ deltas: ['a', 'b', 'c'], cut: 2 })
  const response = await post(server)
  let seen = ''
  await assert.rejects(async () => {
    for await (const part of response.body!) seen += Buffer.from(part).toString()
  })
  assert.ok(seen.includes('"b"') && !seen.includes('"c"'))
})

test('a hang keeps the connection open until the client leaves', async (t) => {
  const server = await started(t)
  server.enqueue({ hang: true }, { hang: 'no-headers' }, { text: 'all', hang: 'mid' })
  for (const expected of ['headers', undefined, 'content']) {
    const stop = new AbortController()
    const answered = post(server, undefined, stop.signal)
    const left = assert.rejects(answered.then((response) => response.text()))
    const request = await server.waitForRequest(server.requests.length + 1)
    if (expected) assert.equal((await answered).status, 200)
    stop.abort()
    await left
    await request.closed
  }
})

test('a large reply honours back-pressure and has the exact size', async (t) => {
  const server = await started(t)
  server.enqueue({ large: { bytes: 300_001, chunk: 1000 } })
  const all = events(await (await post(server)).text()).slice(0, -1)
  const text = all.flatMap((event) => event.choices.map((choice: Wire) => choice.delta.content ?? '')).join('')
  assert.equal(text.length, 300_001)
})
