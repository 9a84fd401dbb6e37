import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoFollowFrame, EnsoFollowSnapshot, EnsoObservation, EnsoUiMessage } from '../../src/core/index.js'
import { createFold, shownMessages } from '../../src/page/model/fold.js'
import type { PageMessage, PageTool } from '../../src/page/model/messages.js'
import { createThreadState } from '../../src/page/model/thread-state.js'

function snapshotOf(messages: readonly EnsoUiMessage[], facts: Partial<EnsoFollowSnapshot> = {}): EnsoFollowSnapshot {
  return {
    type: 'snapshot',
    threadId: 't1',
    cwd: '/work',
    asOfSeq: 0,
    generation: 1,
    busy: false,
    live: true,
    messages: [...messages],
    openDialogs: [],
    permissionMode: { mode: 'default', available: ['default', 'plan'] },
    model: null,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
    ...facts,
  }
}

const text = (id: string, role: 'user' | 'assistant', content: string): EnsoUiMessage => ({
  id,
  role,
  parts: [{ type: 'text', content }],
})

/** A thread whose words are drawn when the test says so. */
function folded() {
  const state = createThreadState('t1')
  const waiting: (() => void)[] = []
  let time = 1000
  const fold = createFold(state, { now: () => time, soon: (callback) => waiting.push(callback) })
  let seq = 0
  const observe = (...observations: readonly EnsoObservation[]): void => {
    for (const observation of observations) fold.frame({ type: 'observation', seq: ++seq, observation })
  }
  return {
    state,
    fold,
    observe,
    frame: (frame: EnsoFollowFrame) => fold.frame(frame),
    draw: () => {
      for (const callback of waiting.splice(0)) callback()
    },
    pass: (ms: number) => {
      time += ms
    },
    words: () => shownMessages(state).map(({ role, parts }) => [role, parts.map(wordsOf).join('|')]),
    tool: () => toolOf(shownMessages(state).at(-1)),
  }
}

function wordsOf(part: PageMessage['parts'][number]): string {
  if (part.type === 'text' || part.type === 'thinking') return part.text
  return part.type === 'tool' ? `${part.tool.name}:${part.tool.state}` : part.mimeType
}

function toolOf(message: PageMessage | undefined): PageTool | undefined {
  const part = message?.parts.find(({ type }) => type === 'tool')
  return part?.type === 'tool' ? part.tool : undefined
}

const start = (role: string, words?: string): EnsoObservation =>
  words === undefined ? { kind: 'message-start', role } : { kind: 'message-start', role, text: words }
const delta = (words: string, contentIndex = 0): EnsoObservation => ({ kind: 'text-delta', contentIndex, delta: words })

test('a run is drawn from its observations, its words together', () => {
  const { frame, observe, draw, words, state } = folded()
  frame(snapshotOf([]))
  frame({ type: 'status', generation: 1, busy: true, live: true })
  observe(start('user', 'hi'), start('assistant'), delta('Hel'), delta('lo'))
  assert.deepEqual(words(), [
    ['user', 'hi'],
    ['assistant', ''],
  ])
  draw()
  assert.deepEqual(words().at(-1), ['assistant', 'Hello'])
  observe({ kind: 'settled' })
  assert.equal(state.current.value, undefined)
  assert.deepEqual(words(), [
    ['user', 'hi'],
    ['assistant', 'Hello'],
  ])
})

test('thinking and text stand apart by their content blocks', () => {
  const { frame, observe, draw, words } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('assistant'), { kind: 'thinking-delta', contentIndex: 0, delta: 'hm' }, delta('a', 1), delta('b', 1))
  draw()
  assert.deepEqual(words(), [['assistant', 'hm|ab']])
})

test('a tool call is told by its state, its time and the rule that refused it', () => {
  const { frame, observe, draw, pass, tool } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('assistant'), { kind: 'tool-call', toolCallId: 'c1', toolName: 'bash', args: { command: 'ls' } })
  assert.deepEqual([tool()?.state, tool()?.text], ['running', ''])
  const result = { kind: 'tool-result', toolCallId: 'c1', toolName: 'bash', isError: false } as const
  observe({ ...result, text: 'so far', complete: false })
  draw()
  assert.deepEqual([tool()?.state, tool()?.text], ['running', 'so far'])
  pass(1500)
  observe({ kind: 'custom-entry', customType: 'enso-guard-denial', data: { rule: 'network-egress', toolCallId: 'c1' } })
  observe({ ...result, text: 'no', complete: true, isError: true })
  draw()
  assert.deepEqual([tool()?.state, tool()?.ms, tool()?.rule], ['failed', 1500, 'network-egress'])
})

test('a call that the person or the mode denied says who', () => {
  const { frame, observe, tool } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('assistant'), { kind: 'tool-call', toolCallId: 'c1', toolName: 'bash', args: {} })
  const data = { toolCallId: 'c1', mode: 'plan', by: 'mode' }
  observe({ kind: 'custom-entry', customType: 'enso-permission-denial', data })
  assert.equal(tool()?.deniedBy, 'mode')
})

test('tools that still run when a run settles did not finish', () => {
  const { frame, observe, words } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('assistant'), { kind: 'tool-call', toolCallId: 'c1', toolName: 'bash', args: {} }, { kind: 'settled' })
  assert.deepEqual(words(), [['assistant', 'bash:cut']])
})

test('a reconnect leaves what did not change the very same, and goes on in the message that is being written', () => {
  const { frame, observe, draw, state, words } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('user', 'hi'), start('assistant'), delta('One'), { kind: 'message-end', role: 'assistant' })
  observe(start('user', 'more'), start('assistant'), delta('Tw'))
  draw()
  const before = shownMessages(state)
  frame(
    snapshotOf(
      [
        text('e1', 'user', 'hi'),
        text('e2', 'assistant', 'One'),
        text('e3', 'user', 'more'),
        text('in-flight', 'assistant', 'Two'),
      ],
      { busy: true, asOfSeq: 9 },
    ),
  )
  const after = shownMessages(state)
  assert.deepEqual(
    after.map(({ key }) => key),
    before.map(({ key }) => key),
  )
  assert.equal(after[0], before[0])
  assert.equal(after[1], before[1])
  observe(delta(' and three'))
  draw()
  assert.deepEqual(words().at(-1), ['assistant', 'Two and three'])
})

test('a page that comes between a prompt and the first word of its reply puts nothing into the prompt', () => {
  const { frame, observe, draw, words } = folded()
  frame(snapshotOf([text('u', 'user', 'hi')], { busy: true }))
  observe({ kind: 'tool-call', toolCallId: 'c1', toolName: 'ls', args: {} }, delta('so', 1))
  draw()
  assert.deepEqual(words(), [
    ['user', 'hi'],
    ['assistant', 'ls:running|so'],
  ])
})

test('a snapshot joins results to their calls and says what did not finish', () => {
  const { frame, words } = folded()
  const reply: EnsoUiMessage = {
    id: 'e1',
    role: 'assistant',
    parts: [
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"path":"a"}', state: 'complete' },
      { type: 'tool-call', id: 'c2', name: 'bash', arguments: '{}', state: 'input-complete' },
      { type: 'tool-result', toolCallId: 'c1', name: 'read', content: 'x', state: 'complete' },
    ],
  }
  frame(snapshotOf([reply]))
  assert.deepEqual(words(), [['assistant', 'read:done|bash:cut']])
  frame(snapshotOf([reply], { busy: true }))
  assert.deepEqual(words(), [['assistant', 'read:done|bash:running']])
})

test('questions come and go, and count down, at most where the page did not see them being asked', () => {
  const { frame, observe, state } = folded()
  const dialog = { method: 'confirm', title: 'Sure?', message: '', timeout: 5000 } as const
  frame(snapshotOf([], { openDialogs: [{ id: 'd0', dialog }] }))
  observe({ kind: 'extension-ui-request', id: 'd1', method: 'confirm', blocking: true, origin: 'run', dialog })
  assert.deepEqual(
    state.dialogs.value.map(({ id, endsAt, isMost }) => [id, endsAt, isMost]),
    [
      ['d0', 6000, true],
      ['d1', 6000, undefined],
    ],
  )
  frame(snapshotOf([], { openDialogs: [{ id: 'd1', dialog }] }))
  assert.deepEqual(
    state.dialogs.value.map(({ id, endsAt }) => [id, endsAt]),
    [['d1', 6000]],
  )
  observe({ kind: 'dialog-settled', id: 'd1', outcome: 'timeout' })
  assert.deepEqual(state.dialogs.value, [])
})

test('a prompt of this page gives way to its message and keeps its images', () => {
  const { frame, observe, state } = folded()
  frame(snapshotOf([]))
  const images = [{ data: 'QQ==', mimeType: 'image/png' }] as const
  state.sent.value = [{ messageId: 'm1', text: 'look', images, queued: false }]
  observe(start('user', 'look'))
  assert.deepEqual(state.sent.value, [])
  assert.deepEqual(
    state.current.value?.parts.map(({ type }) => type),
    ['text', 'image'],
  )
})

test('a prompt that was sent as a run ended keeps its images; one that its own run has left behind goes', () => {
  const { frame, observe, state } = folded()
  frame(snapshotOf([], { busy: true, generation: 3 }))
  const images = [{ data: 'QQ==', mimeType: 'image/png' }] as const
  const sent = { messageId: 'm1', text: 'look', images, queued: false }
  state.sent.value = [sent, { ...sent, messageId: 'm2', generation: 4 }, { ...sent, messageId: 'm0', generation: 3 }]
  observe({ kind: 'settled' })
  frame({ type: 'status', generation: 3, busy: false, live: true })
  assert.deepEqual(
    state.sent.value.map(({ messageId }) => messageId),
    ['m1', 'm2'],
  )
})

test('a refused prompt of this page goes back to the composer; another’s is only said', () => {
  const { frame, observe, state } = folded()
  frame(snapshotOf([]))
  state.sent.value = [{ messageId: 'm1', text: 'mine', images: [], queued: false }]
  observe({ kind: 'prompt-rejected', messageId: 'm1', reason: 'no model' })
  observe({ kind: 'prompt-rejected', messageId: 'm2', reason: 'no model' })
  assert.deepEqual(state.returned.value, ['mine'])
  assert.deepEqual([...state.rejected], ['m2'])
  assert.equal(state.notices.value.length, 2)
})

test('a provider’s refusal stands where the reply would have been, and its retry is waited for', () => {
  const { frame, observe, state } = folded()
  frame(snapshotOf([], { busy: true }))
  observe(start('user', 'hi'), { kind: 'provider-refused', message: '429 slow down', status: 429 })
  assert.equal(shownMessages(state).at(-1)?.refusal?.status, 429)
  observe({ kind: 'provider-retry', attempt: 1, maxAttempts: 3, delayMs: 2000 })
  assert.equal(state.retry.value?.at, 3000)
  observe({ kind: 'provider-retry-ended', success: false, attempt: 3, finalError: 'still no' })
  assert.equal(state.retry.value, undefined)
  assert.match(state.notices.value.at(-1)?.text ?? '', /still no/)
})

test('a snapshot says which retry is waited for, and who denied a call', () => {
  const { frame, state, tool } = folded()
  const retry = { attempt: 1, maxAttempts: 3, delayMs: 2000, refusal: { message: 'slow down' } }
  const denial = { toolCallId: 'c1', mode: 'default', by: 'person' }
  const reply: EnsoUiMessage = {
    id: 'e1',
    role: 'assistant',
    parts: [
      { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{}', state: 'complete' },
      {
        type: 'tool-result',
        toolCallId: 'c1',
        name: 'bash',
        content: 'no',
        state: 'error',
        metadata: { 'enso:permissionDenial': denial },
      },
    ],
    metadata: { 'enso:providerRetry': retry },
  }
  frame(snapshotOf([reply], { busy: true }))
  assert.deepEqual([state.retry.value?.attempt, state.retry.value?.at, tool()?.deniedBy], [1, 3000, 'person'])
  frame(snapshotOf([{ ...reply, metadata: {} }]))
  assert.equal(state.retry.value, undefined)
})

test('what the feed does not name is passed over, but a compaction is said', () => {
  const { frame, observe, state } = folded()
  frame(snapshotOf([], { busy: true }))
  observe({ kind: 'unmapped', event: { type: 'whatever' } }, { kind: 'unmapped', event: null })
  observe({ kind: 'unmapped', event: { type: 'compaction_start', reason: 'threshold' } })
  assert.equal(state.compacting.value, true)
  observe({ kind: 'unmapped', event: { type: 'compaction_end' } })
  assert.equal(state.compacting.value, false)
})

test('notices of the start are apart from those of a run', () => {
  const { frame, observe, state } = folded()
  const notice = { kind: 'extension-ui-request', method: 'notify', blocking: false, message: 'x' } as const
  frame(snapshotOf([]))
  observe({ ...notice, id: 'n1', origin: 'session-start' }, { ...notice, id: 'n2', origin: 'run', notifyType: 'error' })
  assert.deepEqual(
    state.notices.value.map(({ atStart, level }) => [atStart, level]),
    [
      [true, 'info'],
      [false, 'error'],
    ],
  )
})
