import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@mariozechner/pi-ai'
import type { ThreadParts } from '../../../src/host/thread-parts.js'
import { bench, gate } from '../host-bench.js'

/** One tool of the test's own. */
function toolParts(
  execute: ThreadParts['customTools'][number]['execute'],
  extensions: ThreadParts['extensions'] = [],
): ThreadParts {
  return {
    extensions,
    customTools: [{ name: 'slow', label: 'slow', description: 'slow', parameters: Type.Object({}), execute }],
  }
}

test('Stop ends a reply that hangs, says so once, and the thread goes on', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' }, { text: 'next' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  await thread.hosted.runtime.abort()
  assert.equal(thread.hosted.isBusy(), false)
  assert.equal(thread.all('settled').length, 1)
  assert.equal(thread.all('provider-refused').length, 0)
  assert.equal(thread.hosted.lastStopReason(), 'aborted')
  await thread.run('two')
  assert.equal(thread.replies().at(-1), 'next')
})

test('Stop hands a waiting prompt back and runs it never', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  await thread.prompt('two')
  assert.deepEqual(thread.hosted.runtime.clearQueue(), { interrupting: [], enqueued: ['two'] })
  await thread.hosted.runtime.abort()
  assert.equal(server.requests.length, 1)
})

test("Stop during a retry's wait ends the retrying and says that it was cancelled", async (t) => {
  const { server, open } = await bench(t, { settings: { retry: { baseDelayMs: 60_000, maxRetries: 3 } } })
  server.enqueue({ status: 503 })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('provider-retry')
  await thread.hosted.runtime.abort()
  assert.equal(thread.all('provider-retry-ended')[0]?.success, false)
  assert.equal(thread.all('settled').length, 1)
  assert.equal(server.requests.length, 1)
})

test('Stop settles an open question as aborted, and one asked after it opens no more', async (t) => {
  const answers: unknown[] = []
  const { server, open } = await bench(t, {
    parts: toolParts(async (_id, _params, _signal, _update, ctx) => {
      answers.push(await ctx.ui.select('First?', ['a', 'b']))
      answers.push(await ctx.ui.select('Second?', ['a', 'b']))
      return { content: [{ type: 'text', text: 'ok' }], details: {} }
    }),
  })
  server.enqueue({ toolCalls: [{ name: 'slow', args: {} }] }, { text: 'never' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('extension-ui-request')
  await thread.hosted.runtime.abort()
  assert.deepEqual(answers, [undefined, undefined])
  assert.deepEqual(
    thread.all('extension-ui-request').map((one) => one.dialog?.title),
    ['First?'],
  )
  assert.deepEqual(
    thread.all('dialog-settled').map((one) => one.outcome),
    ['aborted'],
  )
  assert.deepEqual(
    thread.ended.map(({ title, outcome, by }) => ({ title, outcome, by })),
    [
      { title: 'First?', outcome: 'aborted', by: 'stop' },
      { title: 'Second?', outcome: 'aborted', by: 'stop' },
    ],
  )
  assert.deepEqual(thread.hosted.runtime.openDialogs(), [])
  assert.equal(thread.all('settled').length, 1)
})

test('a tool that ignores its signal holds a Stop for no longer than its grace, and its late updates go nowhere', async (t) => {
  let update: ((text: string) => void) | undefined
  const never = gate()
  const { server, open } = await bench(t, {
    parts: toolParts(async (_id, _params, _signal, onUpdate) => {
      update = (text) => onUpdate?.({ content: [{ type: 'text', text }], details: {} })
      await never.opened
      return { content: [], details: {} }
    }),
  })
  server.enqueue({ toolCalls: [{ name: 'slow', args: {} }] }, { text: 'after' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('tool-call')
  const before = Date.now()
  await thread.hosted.runtime.abort()
  assert.ok(Date.now() - before < 3000)
  const result = thread.all('tool-result').at(-1)
  assert.equal(result?.isError, true)
  assert.match(result?.text ?? '', /did not stop/)
  const seen = thread.seen.length
  update?.('too late')
  never.open()
  assert.equal(thread.seen.length, seen)
  await thread.run('two')
  assert.equal(thread.replies().at(-1), 'after')
})

test('a check of a tool call that never ends is bounded by a Stop too, and blocks the call', async (t) => {
  let ran = false
  const { server, open } = await bench(t, {
    parts: toolParts(async () => {
      ran = true
      return { content: [], details: {} }
    }, [(pi) => pi.on('tool_call', () => new Promise(() => undefined))]),
  })
  server.enqueue({ toolCalls: [{ name: 'slow', args: {} }] }, { text: 'never' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('tool-call')
  await thread.hosted.runtime.abort()
  assert.equal(ran, false)
  assert.equal(thread.all('settled').length, 1)
  assert.equal(thread.hosted.isBusy(), false)
})

test('Stop kills what a bash command has started', async (t) => {
  const { server, open, cwd } = await bench(t)
  const { existsSync, readFileSync } = await import('node:fs')
  server.enqueue(
    { toolCalls: [{ name: 'bash', args: { command: `sleep 300 & echo $! > ${cwd}/pid; echo started; wait` } }] },
    { text: 'never' },
  )
  const thread = await open()
  await thread.prompt('one')
  await thread.when('tool-result', (one) => one.text.includes('started'))
  await thread.hosted.runtime.abort()
  assert.ok(existsSync(`${cwd}/pid`))
  const pid = Number(readFileSync(`${cwd}/pid`, 'utf8'))
  const stat = (): string => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? 'gone'
    } catch {
      return 'gone'
    }
  }
  assert.match(stat(), /gone|Z/)
})

test('a handler that never resolves makes Stop give up in bounded time, and the thread refuses to go on', async (t) => {
  const { server, open } = await bench(t, {
    parts: { customTools: [], extensions: [(pi) => pi.on('message_end', () => new Promise(() => undefined))] },
  })
  server.enqueue({ text: 'first' })
  const thread = await open()
  await thread.prompt('one')
  await server.waitForRequest(1)
  const before = Date.now()
  await thread.hosted.runtime.abort()
  assert.ok(Date.now() - before < 4000)
  assert.equal(thread.all('settled').length, 1)
  assert.match(thread.all('extension-error').at(-1)?.error ?? '', /did not stop/)
  const next = await thread.prompt('two')
  assert.equal(next.accepted, false)
})

test('Stop on an idle thread does nothing', async (t) => {
  const { open } = await bench(t)
  const thread = await open()
  await thread.hosted.runtime.abort()
  assert.equal(thread.all('settled').length, 0)
})

test('a prompt sent while a Stop is under way begins after it', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' }, { text: 'next' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  const stopped = thread.hosted.runtime.abort()
  const admitted = thread.prompt('two')
  await stopped
  assert.deepEqual(await admitted, { accepted: true })
  await thread.nth('settled', 2)
  assert.equal(thread.replies().at(-1), 'next')
})

test('close ends a run, tells the extensions once, and takes no prompt any more', async (t) => {
  let told = 0
  const { server, open } = await bench(t, {
    parts: { customTools: [], extensions: [(pi) => pi.on('session_shutdown', () => void told++)] },
  })
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' })
  server.otherwise({ text: 'no' })
  const thread = await open()
  await thread.prompt('one')
  await thread.when('text-delta')
  await Promise.all([thread.hosted.close(), thread.hosted.close()])
  await thread.hosted.close()
  assert.equal(told, 1)
  assert.equal(thread.all('settled').length, 1)
  assert.deepEqual(await thread.prompt('two'), { accepted: false, reason: 'the thread is closed' })
  assert.equal(server.requests.length, 1)
})

test('close is bounded when a shutdown handler never resolves, and cancels an open question', async (t) => {
  const { open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) => {
          pi.on('session_shutdown', () => new Promise(() => undefined))
          pi.registerCommand('ask', { handler: async (_args, ctx) => void (await ctx.ui.input('Name?')) })
        },
      ],
    },
  })
  const thread = await open()
  void thread.prompt('/ask')
  await thread.when('extension-ui-request')
  const before = Date.now()
  await thread.hosted.close()
  assert.ok(Date.now() - before < 3000)
  assert.deepEqual(
    thread.all('dialog-settled').map((one) => one.outcome),
    ['cancelled'],
  )
})
