import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bench } from './host-bench.js'

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
