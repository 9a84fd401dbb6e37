import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { estimateTokens, SessionManager } from '@mariozechner/pi-coding-agent'
import {
  estimateRecord,
  foldContextRequest,
  foldThreadContext,
  foldThreadStats,
  type ThreadLogAccount,
  type ThreadRecords,
} from '../../../src/core/index.js'
import { contextRecords } from '../../../src/host/context/context-records.js'
import { createSessionStore } from '../../../src/host/session/session-store.js'
import type { ThreadPartsFactory } from '../../../src/host/thread-parts.js'
import { bench, type Bench, type BenchThread } from '../host-bench.js'

const NONE = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, meanMs: 0 }
const NO_LOG: ThreadLogAccount = { latency: { firstDelta: NONE, prompts: NONE }, callDurations: new Map(), days: [] }

/** Threads with the recorder, and an extension before it where one is given. */
const recorded =
  (...before: ReturnType<typeof contextRecords>[]): ThreadPartsFactory =>
  (thread) => ({ extensions: [...before, contextRecords(thread)], customTools: [] })

const usage = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({
  input,
  output,
  cacheRead,
  cacheWrite,
})

/** A thread of three prompts with reads, an edit, a search, a failed call and a refused request. */
async function busyThread(t: TestContext, api?: 'anthropic-messages'): Promise<{ it: Bench; thread: BenchThread }> {
  const it = await bench(t, { parts: recorded(), ...(api === undefined ? {} : { api }) })
  writeFileSync(join(it.cwd, 'AGENTS.md'), 'Answer in one line.')
  writeFileSync(join(it.cwd, 'sum.js'), 'const a = 1\nconst b = 2\nmodule.exports = a - b\n')
  it.server.enqueue(
    {
      text: 'Looking.',
      toolCalls: [
        { name: 'read', args: { path: 'sum.js' } },
        { name: 'read', args: { path: 'missing.js' } },
      ],
      usage: usage(100, 20),
    },
    {
      thinking: 'It subtracts.',
      toolCalls: [{ name: 'edit', args: { path: 'sum.js', edits: [{ oldText: 'a - b', newText: 'a +\n  b' }] } }],
      usage: usage(150, 30, 90),
    },
    { text: 'Fixed.', usage: usage(200, 5, 120, 40) },
    { status: 400 },
    { text: 'Third.', usage: usage(220, 6) },
  )
  const thread = await it.open()
  await thread.run('fix the sum')
  await thread.run('and again')
  await thread.run('once more')
  return { it, thread }
}

async function storedRecords({ threadsDir, cwd }: Bench, thread: BenchThread): Promise<ThreadRecords> {
  const { threadId, sessionFile } = thread.hosted
  return createSessionStore({ threadsDir }).records({ threadId, projectId: 'project', file: sessionFile!, cwd })
}

const stats = (records: ThreadRecords, live = false) => foldThreadStats({ threadId: 'one', live, records, log: NO_LOG })

test('a live thread and its file give the same statistics, and both the library’s own totals', async (t) => {
  const { it, thread } = await busyThread(t)
  const live = thread.hosted.records()
  const stored = await storedRecords(it, thread)
  assert.deepEqual(stats(live).turnStats, stats(stored).turnStats)
  assert.deepEqual(stats(live).promptStats, stats(stored).promptStats)
  assert.deepEqual(stats(live).callStats, stats(stored).callStats)

  const entries = SessionManager.open(thread.hosted.sessionFile!).getEntries()
  const spent = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'assistant' ? [entry.message.usage] : [],
  )
  const total = (pick: (one: (typeof spent)[number]) => number): number =>
    spent.reduce((sum, one) => sum + pick(one), 0)
  const { usage: summed, branchCost, turnStats, promptStats } = stats(stored)
  assert.deepEqual(summed, {
    input: total((one) => one.input),
    output: total((one) => one.output),
    cacheRead: total((one) => one.cacheRead),
    cacheWrite: total((one) => one.cacheWrite),
    cost: total((one) => one.cost.total),
    context: null,
  })
  assert.ok(summed.cost > 0)
  assert.equal(branchCost, summed.cost)
  assert.equal(turnStats.length, spent.length)
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  assert.ok(Math.abs(sum(promptStats.map(({ cost }) => cost)) - branchCost) < 1e-12)
})

test('prompts, requests and calls of a run are told apart', async (t) => {
  const { it, thread } = await busyThread(t)
  const { promptStats, turnStats, callStats } = stats(await storedRecords(it, thread))
  assert.deepEqual(
    promptStats.map(({ text, turnCount, toolCalls, failedToolCalls }) => [text, turnCount, toolCalls, failedToolCalls]),
    [
      ['fix the sum', 3, 3, 1],
      ['and again', 1, 0, 0],
      ['once more', 1, 0, 0],
    ],
  )
  assert.deepEqual(
    turnStats.map(({ model, stopReason, toolCalls }) => [model, stopReason, toolCalls]),
    [
      ['local/x', 'toolUse', 2],
      ['local/x', 'toolUse', 1],
      ['local/x', 'stop', 0],
      ['local/x', 'error', 0],
      ['local/x', 'stop', 0],
    ],
  )
  assert.deepEqual(
    callStats.map(({ toolName, isError, pending }) => [toolName, isError, pending]),
    [
      ['read', false, false],
      ['read', true, false],
      ['edit', false, false],
    ],
  )
})

test('the recorded prompt is the one that was sent, in pieces, and so are the tools', async (t) => {
  const { it, thread } = await busyThread(t)
  const detail = foldContextRequest({ threadId: 'one', live: false, records: await storedRecords(it, thread) }, 1)
  assert.ok(detail)
  const sent = it.server.requests[0]!.body
  const system = detail.elements
    .filter(({ key }) => key.startsWith('system:'))
    .map(({ body }) => (body.kind === 'text' ? body.text : ''))
  assert.equal(system.join(''), sent.messages[0].content)
  const injected = detail.elements.filter(({ category }) => category === 'injected')
  assert.deepEqual(
    injected.map(({ label }) => label),
    [join(it.cwd, 'AGENTS.md')],
  )
  assert.match(JSON.stringify(injected[0]?.body), /Answer in one line\./)
  const tools = detail.elements.flatMap(({ body }) => (body.kind === 'tool' ? [body] : []))
  assert.deepEqual(
    tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    sent.tools.map((tool: { function: { name: string; description: string; parameters: unknown } }) => ({
      name: tool.function.name,
      description: tool.function.description,
      parameters: tool.function.parameters,
    })),
  )
})

test('each request’s elements are the messages that were sent, a failed reply left out', async (t) => {
  const { it, thread } = await busyThread(t)
  const records = await storedRecords(it, thread)
  for (const [index, { body }] of it.server.requests.entries()) {
    const detail = foldContextRequest({ threadId: 'one', live: false, records }, index + 1)
    const roles = detail?.elements.flatMap(({ category }) =>
      category === 'user'
        ? ['user']
        : category === 'assistant'
          ? ['assistant']
          : category === 'toolResults'
            ? ['tool']
            : [],
    )
    const sent = (body.messages as { role: string }[]).map(({ role }) => role).filter((role) => role !== 'system')
    assert.deepEqual(
      roles,
      sent.filter((role) => role !== 'developer'),
      `request ${index + 1}`,
    )
  }
})

test('an estimate is the library’s own for every message without a picture', async (t) => {
  const { it, thread } = await busyThread(t)
  const { branch } = await storedRecords(it, thread)
  const entries = SessionManager.open(thread.hosted.sessionFile!).getEntries()
  let compared = 0
  for (const entry of entries) {
    if (entry.type !== 'message') continue
    const record = branch.find(({ id }) => id === entry.id)
    assert.equal(estimateRecord(record!), estimateTokens(entry.message), entry.id)
    compared++
  }
  assert.equal(compared, 11)
})

test('nothing is recorded twice, and a change is: another prompt file, another set of tools', async (t) => {
  const it = await bench(t, {
    parts: recorded((pi) => {
      pi.registerCommand('fewer', { handler: async () => pi.setActiveTools(['read']) })
      pi.on('before_agent_start', ({ systemPrompt, prompt }) =>
        prompt === 'shout' ? { systemPrompt: `${systemPrompt}\nShout.` } : undefined,
      )
    }),
  })
  it.server.otherwise({ text: 'ok' })
  const thread = await it.open()
  await thread.run('one')
  await thread.run('two')
  const records = (): string[] =>
    thread.hosted.entries().flatMap((entry) => (entry.kind === 'custom' ? [entry.customType] : []))
  assert.deepEqual(records(), ['enso-context-system', 'enso-context-tools'])
  await thread.run('shout')
  assert.deepEqual(records().slice(2), ['enso-context-system'])
  await thread.run('/fewer')
  await thread.run('three')
  assert.deepEqual(records().slice(3), ['enso-context-system', 'enso-context-tools'])
  assert.equal(thread.all('custom-entry').length, 0)

  const context = foldThreadContext({ threadId: 'one', live: true, records: thread.hosted.records() })
  assert.deepEqual(
    context.events.map(({ kind, label, turn }) => [kind, label.replace(/(-\w+ ?)+$/, '…'), turn]),
    [
      ['inject', 'added by extensions', 3],
      ['inject', 'system prompt changed', 4],
      ['inject', 'tools changed: …', 4],
    ],
  )
  const shouted = foldContextRequest({ threadId: 'one', live: true, records: thread.hosted.records() }, 3)
  assert.deepEqual(
    shouted?.elements.flatMap(({ category, body }) =>
      category === 'injected' && body.kind === 'text' ? [body.text] : [],
    ),
    ['\nShout.'],
  )
})

test('a thread that goes on in another process records nothing anew', async (t) => {
  const it = await bench(t, { parts: recorded() })
  it.server.otherwise({ text: 'ok' })
  const first = await it.open()
  await first.run('one')
  await first.hosted.close()
  const { threadId, sessionFile } = first.hosted
  const again = await it.open({ threadId, session: { kind: 'stored', file: sessionFile! } })
  await again.run('two')
  const lines = readFileSync(sessionFile!, 'utf8').split('\n')
  assert.equal(lines.filter((line) => line.includes('"enso-context-system"')).length, 1)
})

test('a compaction replaces what it summarised, and the next request says so', async (t) => {
  const it = await bench(t, {
    parts: recorded(),
    settings: { compaction: { enabled: false, keepRecentTokens: 30 }, retry: { enabled: false } },
  })
  it.server.enqueue({ text: 'first answer '.repeat(40) }, { text: 'second answer '.repeat(40) })
  it.server.otherwise({ text: 'a summary' })
  const thread = await it.open()
  await thread.run('one '.repeat(40))
  await thread.run('two '.repeat(40))
  await new Promise<void>((resolve, reject) => {
    thread.hosted.runtime.startHostFlow(
      { name: 'compact' },
      { onAccepted: () => undefined, onRejected: (reason) => reject(new Error(reason)), onSettled: resolve },
    )
  })
  await thread.run('three')
  const records = await storedRecords(it, thread)
  const context = foldThreadContext({ threadId: 'one', live: false, records })
  const compact = context.events.find(({ kind }) => kind === 'compact')
  assert.ok(compact !== undefined && compact.tokens < 0 && compact.turn === 3)
  assert.ok((context.requests[2]?.compaction?.tokensBefore ?? 0) > 0)
  const detail = foldContextRequest({ threadId: 'one', live: false, records }, 3)
  const sent = JSON.stringify(it.server.requests.at(-1)!.body.messages)
  assert.ok(sent.includes('a summary'))
  const manager = SessionManager.open(thread.hosted.sessionFile!)
  const whole = manager.buildSessionContext().messages
  // What the next request would carry, by the library's own account.
  const next = foldContextRequest({ threadId: 'one', live: false, records }, 'next')
  const conversation = next?.elements.filter(({ key }) => !/^(?:system|tool):/.test(key))
  assert.equal(conversation?.length, whole.length)
  assert.ok(detail !== undefined && detail.left.length > 0)
})

test('a file that the library’s own sessions wrote has no record of the prompt, and says so', async (t) => {
  const it = await bench(t)
  it.server.otherwise({ text: 'ok' })
  const thread = await it.open()
  await thread.run('one')
  const context = foldThreadContext({ threadId: 'one', live: false, records: await storedRecords(it, thread) })
  assert.deepEqual(
    context.events.map(({ key, turn, tokens }) => [key, turn, tokens]),
    [
      ['unknown:system', 1, 0],
      ['unknown:tools', 1, 0],
    ],
  )
  assert.deepEqual([context.next.system, context.next.tools], [0, 0])
})

test('the same line twice is one reply', async (t) => {
  const it = await bench(t)
  it.server.otherwise({ text: 'ok', usage: usage(100, 10) })
  const thread = await it.open()
  await thread.run('one')
  const file = thread.hosted.sessionFile!
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)!
  appendFileSync(file, `${last}\n`)
  const { usage: summed, turnStats } = stats(await storedRecords(it, thread))
  assert.deepEqual([summed.input, summed.output, turnStats.length], [100, 10, 1])
})
