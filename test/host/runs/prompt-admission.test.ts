import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@mariozechner/pi-ai'
import { bench, gate } from '../host-bench.js'

const prompts = (body: { messages: { role: string; content: unknown }[] }): string[] =>
  body.messages.filter((one) => one.role === 'user').map((one) => JSON.stringify(one.content))

test('two prompts at once on an idle thread are both answered, and it settles once', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'first' }, { text: 'second' })
  const thread = await open()
  const both = await Promise.all([thread.prompt('one'), thread.prompt('two')])
  assert.deepEqual(both, [{ accepted: true }, { accepted: true }])
  await thread.when('settled')
  assert.deepEqual(thread.replies(), ['first', 'second'])
  assert.deepEqual(
    thread.all('message-start').flatMap((one) => (one.role === 'user' ? [one.text] : [])),
    ['one', 'two'],
  )
  assert.equal(thread.all('settled').length, 1)
})

test('a prompt during a run waits behind it, shows in the queue, and is answered in the same run', async (t) => {
  const { server, open } = await bench(t)
  const held = gate()
  server.enqueue({ deltas: ['a', 'b'], delayUntil: held.opened }, { text: 'second' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  assert.deepEqual(await thread.prompt({ message: 'two', admission: 'enqueue' }), { accepted: true })
  assert.deepEqual(thread.all('queue').at(-1), { kind: 'queue', interrupting: [], enqueued: ['two'] })
  held.open()
  await thread.when('settled')
  assert.deepEqual(thread.all('queue').at(-1), { kind: 'queue', interrupting: [], enqueued: [] })
  assert.deepEqual(thread.replies(), ['ab', 'second'])
  assert.equal(thread.all('settled').length, 1)
})

test('an interrupting prompt is taken at the next step, before one that is enqueued', async (t) => {
  const { server, open } = await bench(t)
  const held = gate()
  server.enqueue(
    { text: 'x', toolCalls: [{ name: 'bash', args: { command: 'true' } }], delayUntil: held.opened },
    { text: 'steered' },
    { text: 'last' },
  )
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  await thread.prompt({ message: 'later', admission: 'enqueue' })
  await thread.prompt({ message: 'now', admission: 'interrupt' })
  assert.deepEqual(thread.all('queue').at(-1), { kind: 'queue', interrupting: ['now'], enqueued: ['later'] })
  held.open()
  await thread.when('settled')
  assert.deepEqual(
    thread.all('message-start').flatMap((one) => (one.role === 'user' ? [one.text] : [])),
    ['one', 'now', 'later'],
  )
  assert.match(prompts(server.requests[1]!.body).at(-1)!, /now/)
})

test("a prompt during a retry's wait is queued, and the retry still happens", async (t) => {
  const { server, open } = await bench(t, { settings: { retry: { baseDelayMs: 200, maxRetries: 2 } } })
  server.enqueue({ status: 503 }, { text: 'recovered' }, { text: 'second' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('provider-retry')
  assert.equal(thread.hosted.isBusy(), true)
  assert.deepEqual(await thread.prompt('two'), { accepted: true })
  assert.equal(server.requests.length, 1)
  assert.deepEqual(thread.all('queue').at(-1)?.enqueued, ['two'])
  await thread.when('settled')
  assert.deepEqual(thread.replies().filter(Boolean), ['recovered', 'second'])
  assert.deepEqual(thread.all('provider-retry-ended'), [{ kind: 'provider-retry-ended', success: true, attempt: 1 }])
  assert.deepEqual(
    thread.all('run-ended').map((one) => one.willRetry),
    [true, false],
  )
  assert.equal(thread.all('settled').length, 1)
})

test('a prompt queued in the last moment of a run is not left behind', async (t) => {
  let late = (): void => undefined
  const { server, open } = await bench(t, {
    parts: { customTools: [], extensions: [(pi) => pi.on('agent_end', () => late())] },
  })
  server.enqueue({ text: 'first' }, { text: 'second' })
  const thread = await open()
  late = () => {
    late = () => undefined
    void thread.prompt({ message: 'two', admission: 'enqueue' })
  }
  await thread.prompt('one')
  await thread.when('settled')
  assert.deepEqual(thread.replies(), ['first', 'second'])
})

test('a message an extension queues as the run ends is delivered, not left waiting for the next prompt', async (t) => {
  let sent = false
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.on('agent_end', () => {
            if (!sent) pi.sendUserMessage('and go on', { deliverAs: 'followUp' })
            sent = true
          }),
      ],
    },
  })
  server.enqueue({ text: 'first' }, { text: 'second' })
  const thread = await open()
  await thread.run('one')
  assert.deepEqual(thread.replies(), ['first', 'second'])
  assert.equal(thread.all('settled').length, 1)
})

test("an extension's own messages beside a prompt start no rival run and none is lost", async (t) => {
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.registerCommand('remind', {
            handler: async () => {
              pi.sendUserMessage('from the extension')
              pi.sendUserMessage('once more from it')
            },
          }),
      ],
    },
  })
  server.otherwise({ text: 'ok' })
  const thread = await open()
  const both = await Promise.all([thread.prompt('/remind'), thread.prompt('from the person')])
  assert.deepEqual(both, [{ accepted: true }, { accepted: true }])
  await thread.when('settled')
  const said = thread.all('message-start').flatMap((one) => (one.role === 'user' ? [one.text] : []))
  assert.deepEqual(new Set(said), new Set(['from the extension', 'once more from it', 'from the person']))
})

test('prompts that have not begun are taken back as typed and refused', async (t) => {
  const held = gate()
  const { server, open } = await bench(t, {
    parts: { customTools: [], extensions: [(pi) => pi.on('session_start', () => held.opened)] },
  })
  const thread = await open()
  const one = thread.prompt('one')
  const two = thread.prompt({ message: 'two', admission: 'interrupt' })
  assert.deepEqual(thread.hosted.runtime.clearQueue(), { interrupting: ['two'], enqueued: ['one'] })
  held.open()
  assert.equal((await one).accepted, false)
  assert.equal((await two).accepted, false)
  assert.equal(server.requests.length, 0)
  assert.equal(thread.all('settled').length, 0)
})

test('a prompt taken back while an extension still looks at it never starts a run', async (t) => {
  const held = gate()
  const looking = gate()
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.on('before_agent_start', async () => {
            looking.open()
            await held.opened
          }),
      ],
    },
  })
  server.otherwise({ text: 'no' })
  const thread = await open()
  const admission = thread.prompt('one')
  await looking.opened
  assert.deepEqual(thread.hosted.runtime.clearQueue(), { interrupting: [], enqueued: ['one'] })
  held.open()
  assert.equal((await admission).accepted, false)
  assert.equal(server.requests.length, 0)
})

test('an input hook sees every prompt once, also one that is queued', async (t) => {
  const seen: string[] = []
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.on('input', ({ text }) => {
            seen.push(text)
            return { action: 'transform', text: text.toUpperCase() }
          }),
      ],
    },
  })
  const held = gate()
  server.enqueue({ deltas: ['a', 'b'], delayUntil: held.opened }, { text: 'c' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  await thread.prompt('two')
  assert.deepEqual(thread.all('queue').at(-1)?.enqueued, ['two'])
  held.open()
  await thread.when('settled')
  assert.deepEqual(seen, ['one', 'two'])
  assert.match(JSON.stringify(server.requests[1]?.body), /TWO/)
})

test('a tool may be given by the host and its question names it', async (t) => {
  const tools: (string | undefined)[] = []
  const { server, open } = await bench(t, {
    parts: {
      extensions: [],
      customTools: [
        {
          name: 'asker',
          label: 'asker',
          description: 'asks',
          parameters: Type.Object({}),
          async execute(_id, _params, _signal, _update, ctx) {
            const yes = await ctx.ui.confirm('Sure?', 'really')
            return { content: [{ type: 'text', text: yes ? 'yes' : 'no' }], details: {} }
          },
        },
      ],
    },
  })
  server.enqueue({ toolCalls: [{ name: 'asker', args: {} }] }, { text: 'done' })
  const thread = await open({
    dialogs: {
      canAsk: () => false,
      ruleFor: (_dialog, { toolName }) => {
        tools.push(toolName)
        return { confirmed: true }
      },
    },
  })
  await thread.run('ask')
  assert.deepEqual(tools, ['asker'])
  assert.equal(thread.all('tool-result').at(-1)?.text, 'yes')
  assert.deepEqual(
    thread.ended.map(({ outcome, by, method }) => ({ outcome, by, method })),
    [{ outcome: 'answered', by: 'rule', method: 'confirm' }],
  )
})
