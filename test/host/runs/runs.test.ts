import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoObservation } from '../../../src/core/index.js'
import { bench } from '../host-bench.js'

const kinds = (seen: readonly EnsoObservation[]): string[] => {
  const names = seen.map((one) => (one.kind === 'message-start' ? `start:${one.role}` : one.kind))
  return names.filter((name, at) => name !== names[at - 1] && name !== 'session-usage')
}

for (const api of ['openai-completions', 'anthropic-messages'] as const) {
  test(`a prompt is streamed and settles once over ${api}`, async (t) => {
    const { server, open } = await bench(t, { api })
    server.enqueue({ deltas: ['Hel', 'lo ', 'there'], usage: { input: 7, output: 3 } })
    const thread = await open()
    await thread.run('hello')
    assert.deepEqual(kinds(thread.seen), [
      'model',
      'turn-start',
      'start:user',
      'message-end',
      'start:assistant',
      'text-delta',
      'message-end',
      'turn-end',
      'run-ended',
      'settled',
    ])
    assert.deepEqual(thread.replies(), ['Hello there'])
    const end = thread.all('message-end').find((one) => one.role === 'assistant')
    assert.equal(end?.usage?.input, 7)
    assert.equal(end?.usage?.output, 3)
    assert.equal(end?.model, 'x')
    assert.deepEqual(thread.all('run-ended'), [{ kind: 'run-ended', willRetry: false }])
    assert.equal(thread.all('message-start')[0]?.text, 'hello')
    assert.equal(thread.hosted.isBusy(), false)
    assert.equal(thread.hosted.lastStopReason(), 'stop')
  })
}

test('a tool call is announced, its running text accumulates, and its result is complete', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue(
    { toolCalls: [{ name: 'bash', args: { command: 'echo one; sleep 0.2; echo two' } }] },
    { text: 'done' },
  )
  const thread = await open()
  await thread.run('go')
  const [call] = thread.all('tool-call')
  assert.deepEqual(call?.args, { command: 'echo one; sleep 0.2; echo two' })
  const results = thread.all('tool-result')
  assert.ok(results.some((one) => !one.complete && one.text === 'one\n'))
  assert.deepEqual(
    results.filter((one) => one.complete).map(({ text, isError, toolCallId }) => ({ text, isError, toolCallId })),
    [{ text: 'one\ntwo\n', isError: false, toolCallId: call?.toolCallId }],
  )
  assert.deepEqual(thread.replies(), ['', 'done'])
})

test('thinking arrives as its own deltas', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ thinking: 'let me see', text: 'yes' })
  const thread = await open({ model: 'local/think:high' })
  await thread.run('well?')
  assert.equal(
    thread
      .all('thinking-delta')
      .map((one) => one.delta)
      .join(''),
    'let me see',
  )
  assert.equal(thread.hosted.runtime.modelState().thinkingLevel, 'high')
})

test('images of a prompt reach the model', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'a dot' })
  const thread = await open()
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await thread.run({ message: 'what is it?', images: [{ type: 'image', data, mimeType: 'image/png' }] })
  const entries = thread.hosted.entries()
  const prompt = entries.find((entry) => entry.kind === 'message' && entry.role === 'user')
  assert.ok(prompt?.kind === 'message' && prompt.parts.some((part) => part.type === 'image' && part.data === data))
})

test('usage is summed over every reply of the thread, and the context window is known', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'a', usage: { input: 10, output: 5 } }, { text: 'b', usage: { input: 20, output: 7 } })
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  const usage = thread.hosted.runtime.sessionUsage()
  assert.equal(usage.input, 30)
  assert.equal(usage.output, 12)
  assert.ok(usage.cost > 0)
  assert.equal(usage.context?.window, 32000)
  assert.deepEqual({ ...thread.all('session-usage').at(-1), kind: undefined }, { ...usage, kind: undefined })
})

test('the runtime offers exactly the members of the contract', async (t) => {
  const { open } = await bench(t)
  const { hosted } = await open()
  assert.deepEqual(Object.keys(hosted.runtime).sort(), [
    'abort',
    'answerDialog',
    'clearQueue',
    'dispose',
    'listCommands',
    'modelState',
    'openDialogs',
    'permissionModeState',
    'prompt',
    'runHostCommand',
    'sessionUsage',
    'setPermissionMode',
    'startHostFlow',
    'subscribe',
  ])
})

test('the agent is told of the project by its AGENTS.md, and of the person by --append-system-prompt', async (t) => {
  const { server, open, cwd } = await bench(t)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${cwd}/AGENTS.md`, 'Always answer in haiku.')
  server.enqueue({ text: 'ok' })
  const thread = await open({ appendSystemPrompt: 'The person is called Ada.' })
  await thread.run('hello')
  const system = JSON.stringify(server.requests[0]?.body)
  assert.match(system, /Always answer in haiku/)
  assert.match(system, /The person is called Ada/)
})

test('read, bash, edit, write, grep, find and ls are offered to the model', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'ok' })
  const thread = await open()
  await thread.run('hello')
  const names = server.requests[0]?.body.tools.map((tool: { function: { name: string } }) => tool.function.name)
  assert.deepEqual(names.sort(), ['bash', 'edit', 'find', 'grep', 'ls', 'read', 'write'])
})
