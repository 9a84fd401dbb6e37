import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtensionAPI } from '@mariozechner/pi-coding-agent'
import type { EnsoObservation } from '../../../src/core/index.js'
import { bench, gate } from '../host-bench.js'
import type { BenchThread } from '../host-bench.js'

const call = { toolCalls: [{ name: 'ls', args: {} }] }

/** The kinds that were observed, with runs of the same kind as one. */
function kinds(thread: BenchThread, ...of: EnsoObservation['kind'][]): string[] {
  const seen = thread.seen.map(({ kind }) => kind).filter((kind) => of.includes(kind))
  return seen.filter((kind, index) => kind !== seen[index - 1])
}

test('what was spent is said after each turn and before each settled, and rises', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ ...call, usage: { input: 100, output: 10 } }, { text: 'done', usage: { input: 200, output: 20 } })
  const thread = await open()
  thread.seen.length = 0
  await thread.run('hello')
  assert.deepEqual(kinds(thread, 'turn-end', 'session-usage', 'settled'), [
    'turn-end',
    'session-usage',
    'turn-end',
    'session-usage',
    'settled',
  ])
  assert.deepEqual(
    thread.all('session-usage').map(({ input }) => input),
    [100, 300, 300],
  )
  const { context } = thread.all('session-usage').at(-1)!
  assert.ok(context?.window === 32_000 && (context.tokens ?? 0) >= 220)
})

test('a compaction says the usage anew: nothing given back, the context unknown until the next reply', async (t) => {
  const { server, open } = await bench(t, { settings: { compaction: { keepRecentTokens: 1 } } })
  server.enqueue({ text: 'a', usage: { input: 900, output: 50 } }, { text: 'b', usage: { input: 950, output: 60 } })
  server.otherwise({ text: 'a summary' })
  const thread = await open()
  await thread.run('one')
  await thread.run('two')
  thread.seen.length = 0
  const over = gate()
  thread.hosted.runtime.startHostFlow(
    { name: 'compact' },
    { onAccepted: () => undefined, onRejected: () => undefined, onSettled: over.open },
  )
  await over.opened
  const [said] = thread.all('session-usage')
  assert.deepEqual(said && [said.input, said.context], [1850, { tokens: null, window: 32_000, percent: null }])
})

test('a model that an extension chooses is observed like one that a person chooses, and the usage with its window', async (t) => {
  let pi: ExtensionAPI | undefined
  const { server, open } = await bench(t, {
    parts: { customTools: [], extensions: [(api) => void (pi = api)] },
  })
  server.otherwise({ text: 'ok' })
  const thread = await open()
  await thread.run('hello')
  thread.seen.length = 0
  await pi!.setModel(LARGER)
  const model = await thread.when('model')
  assert.deepEqual([model.model?.provider, model.model?.id], ['local', 'think'])
  assert.equal(thread.all('session-usage').at(-1)?.context?.window, 64_000)
  thread.seen.length = 0
  pi!.setThinkingLevel('low')
  assert.equal((await thread.when('model')).thinkingLevel, 'low')
  await thread.hosted.runtime.runHostCommand({ name: 'thinking', value: 'low' })
  assert.equal(thread.all('model').length, 1, 'what is so already is no change')
})

type Model = Parameters<ExtensionAPI['setModel']>[0]

const LARGER: Model = {
  id: 'think',
  name: 'Local think',
  provider: 'local',
  api: 'openai-completions',
  baseUrl: 'http://127.0.0.1:0/v1',
  reasoning: true,
  input: ['text'],
  cost: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 1.25 },
  contextWindow: 64_000,
  maxTokens: 4096,
}
