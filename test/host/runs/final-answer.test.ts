import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ASKED_AGAIN_MAX, FINAL_ANSWER_TOOL } from '../../../src/host/runs/final-answer.js'
import { bench } from '../host-bench.js'

const outputSchema = {
  type: 'object',
  properties: { verdict: { enum: ['good', 'bad'] }, lines: { type: 'integer' } },
  required: ['verdict', 'lines'],
  additionalProperties: false,
}

const answers = (args: object) => ({ toolCalls: [{ name: FINAL_ANSWER_TOOL, args: args as Record<string, unknown> }] })

interface Body {
  readonly messages: unknown[]
  readonly tools: { function: { name: string; parameters: unknown; description: string } }[]
}

test('the model is asked through a tool with the schema, and its call ends the run', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ toolCalls: [{ name: 'ls', args: {} }] }, answers({ verdict: 'good', lines: 3 }))
  const thread = await open({ outputSchema })
  await thread.run('look at it')
  assert.deepEqual(thread.hosted.structured?.(), { ok: true, value: { verdict: 'good', lines: 3 } })
  assert.equal(server.requests.length, 2)
  const body = server.requests[0]!.body as Body
  const offered = body.tools.find(({ function: { name } }) => name === FINAL_ANSWER_TOOL)?.function
  assert.deepEqual(offered?.parameters, outputSchema)
  assert.match(offered.description, /additionalProperties/)
  assert.match(JSON.stringify(body.messages[0]), /calling final_answer once/)
})

test('a wrong answer is asked for again, with what is wrong, and is no answer meanwhile', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue(answers({ verdict: 'great', lines: '3' }), answers({ verdict: 'good', lines: 3 }))
  const thread = await open({ outputSchema })
  await thread.run('look at it')
  assert.deepEqual(thread.hosted.structured?.(), { ok: true, value: { verdict: 'good', lines: 3 } })
  const told = JSON.stringify((server.requests[1]!.body as Body).messages.at(-1))
  assert.match(told, /\/verdict must be equal to one of the allowed values/)
  assert.match(told, /\/lines must be integer/)
  const first = thread.all('tool-result').find((one) => one.complete)
  assert.equal(first?.isError, true)
})

test('a reply without the call is asked for it, in the same run', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'It is good.' }, answers({ verdict: 'good', lines: 1 }))
  const thread = await open({ outputSchema })
  await thread.run('look at it')
  assert.equal(thread.hosted.structured?.().ok, true)
  assert.match(JSON.stringify((server.requests[1]!.body as Body).messages.at(-1)), /not given the answer yet/)
  assert.equal(thread.all('settled').length, 1)
})

for (const [what, reply] of [
  ['answers that never fit', answers({ verdict: 'great' })],
  ['replies that never call', { text: 'I won’t.' }],
] as const) {
  test(`${what} end the run after a bounded number of requests, without an answer`, async (t) => {
    const { server, open } = await bench(t)
    server.otherwise(reply)
    const thread = await open({ outputSchema })
    await thread.run('look at it')
    assert.equal(server.requests.length, 1 + ASKED_AGAIN_MAX)
    const outcome = thread.hosted.structured?.()
    assert.equal(outcome?.ok, false)
    assert.match(outcome.ok ? '' : outcome.reason, /no answer that fits the output schema/)
    for (const result of thread.all('tool-result').filter((one) => one.complete)) assert.equal(result.isError, true)
  })
}

test('arguments that are no object, or broken, are wrong answers too', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue(
    { toolCalls: [{ name: FINAL_ANSWER_TOOL, args: '{"verdict":' }] },
    answers({ verdict: 'bad', lines: 0 }),
  )
  const thread = await open({ outputSchema })
  await thread.run('look at it')
  assert.deepEqual(thread.hosted.structured?.(), { ok: true, value: { verdict: 'bad', lines: 0 } })
})

test('an answer is the last prompt’s: the next one begins without', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue(answers({ verdict: 'good', lines: 1 }), { status: 400, body: { error: { message: 'no' } } })
  const thread = await open({ outputSchema })
  assert.equal(thread.hosted.structured?.().ok, false)
  await thread.run('one')
  assert.equal(thread.hosted.structured?.().ok, true)
  await thread.run('two')
  assert.equal(thread.hosted.structured?.().ok, false)
})

test('a prompt that waits is answered before the answer is asked for again', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['thinking', ' aloud'] }, answers({ verdict: 'bad', lines: 2 }))
  const thread = await open({ outputSchema })
  await thread.prompt('one')
  await thread.prompt({ message: 'two', admission: 'enqueue' })
  await thread.when('settled')
  assert.equal(server.requests.length, 2)
  assert.match(JSON.stringify((server.requests[1]!.body as Body).messages.at(-1)), /two/)
  assert.deepEqual(thread.hosted.structured?.(), { ok: true, value: { verdict: 'bad', lines: 2 } })
})

test('asking again is a request like any other: a limit ends it', async (t) => {
  const { server, open } = await bench(t)
  server.otherwise({ text: 'I won’t.' })
  const thread = await open({ outputSchema, limits: { maxTurns: 2 } })
  await thread.run('look at it')
  assert.equal(server.requests.length, 2)
  assert.equal(thread.limits[0]?.name, 'turns')
})

test('an answer that is a list goes through every provider’s wire whole', async (t) => {
  const { server, open } = await bench(t, { api: 'anthropic-messages' })
  server.enqueue(answers({ answer: ['a', 'b'] }))
  const thread = await open({
    outputSchema: { type: 'array', items: { $ref: '#/$defs/w' }, $defs: { w: { type: 'string' } } },
  })
  await thread.run('list it')
  assert.deepEqual(thread.hosted.structured?.(), { ok: true, value: ['a', 'b'] })
  const { tools } = server.requests[0]!.body as { tools: { name: string; description: string }[] }
  // This wire passes on properties only; the definitions are in the words.
  assert.match(tools.find(({ name }) => name === FINAL_ANSWER_TOOL)?.description ?? '', /"\$defs"/)
})

test('a schema that is none keeps the thread from opening', async (t) => {
  const { open } = await bench(t)
  await assert.rejects(open({ outputSchema: { type: 'strin' } }), { code: 'bad-input' })
})

test('a thread without a schema offers no such tool', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'ok' })
  const thread = await open()
  await thread.run('hello')
  assert.equal(thread.hosted.structured, undefined)
  assert.equal(JSON.stringify(server.requests[0]!.body).includes(FINAL_ANSWER_TOOL), false)
})
