import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPrintSurface } from '../../../src/cli/print/print-surface.js'
import type { EnsoFollowFrame, EnsoObservation, EnsoResultLine } from '../../../src/core/index.js'
import { fakeIo, type FakeIoOptions } from '../../support/cli-io.js'

const RESULT: EnsoResultLine = {
  type: 'result',
  outcome: 'done',
  exitCode: 0,
  threadId: 't-1',
  text: '',
  usage: { input: 1234, output: 56, cacheRead: 0, cacheWrite: 0 },
  cost: 0.0123,
  turns: 2,
  durationMs: 4200,
  dialogs: { answered: 0, byRule: 0, cancelled: 0, timedOut: 0, aborted: 0 },
  denials: {},
  restored: [],
}

const SNAPSHOT: EnsoFollowFrame = {
  type: 'snapshot',
  threadId: 't-1',
  asOfSeq: 0,
  busy: false,
  live: true,
  cwd: '/work',
  generation: 0,
  messages: [],
  model: { model: { provider: 'p', id: 'one', name: 'One' }, thinkingLevel: 'off', availableThinkingLevels: ['off'] },
  openDialogs: [],
  permissionMode: { mode: 'default', available: ['default'] },
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
}

function start(options: FakeIoOptions & { quiet?: boolean; color?: 'auto' | 'always' | 'never' } = {}) {
  const fake = fakeIo(options)
  const surface = createPrintSurface(fake.io, { quiet: options.quiet ?? false, color: options.color ?? 'auto' })
  let seq = 0
  const frame = (value: EnsoFollowFrame): boolean => surface.frame(value, () => JSON.stringify(value))
  const observe = (...observations: EnsoObservation[]): void => {
    for (const observation of observations) frame({ type: 'observation', seq: ++seq, observation })
  }
  const say = (text: string): void => {
    observe({ kind: 'message-start', role: 'assistant' })
    for (const delta of text) observe({ kind: 'text-delta', contentIndex: 0, delta })
    observe({ kind: 'message-end', role: 'assistant' })
  }
  return {
    ...fake,
    surface,
    frame,
    observe,
    say,
    end: (result: Partial<EnsoResultLine> = {}) => surface.result({ ...RESULT, ...result }),
  }
}

test('the reply is all that standard output gets, with a line feed at its end', async () => {
  const { observe, say, end, out } = start()
  observe({ kind: 'message-start', role: 'user', text: 'the prompt' })
  observe({ kind: 'thinking-delta', contentIndex: 0, delta: 'hm' })
  say('Hello, world')
  await end()
  assert.equal(out.text(), 'Hello, world\n')
})

test('a reply that ends in a line feed gets no second one; several messages are a blank line apart', async () => {
  const { say, end, out } = start()
  say('one\n')
  say('')
  say('two')
  await end()
  assert.equal(out.text(), 'one\n\ntwo\n')
})

test('pieces of one message with something between stand on lines of their own', () => {
  const { observe, out } = start()
  observe({ kind: 'message-start', role: 'assistant' })
  observe({ kind: 'text-delta', contentIndex: 0, delta: 'first' })
  observe({ kind: 'text-delta', contentIndex: 2, delta: 'second' })
  observe({ kind: 'message-end', role: 'assistant' })
  assert.equal(out.text(), 'first\nsecond\n')
})

test('escape sequences of the model never arrive, though they come in pieces', async () => {
  const { say, observe, end, out, err } = start()
  say('a\u001b]52;c;aGk=\u0007b\u001b[31mred')
  observe({
    kind: 'tool-call',
    toolCallId: '1',
    toolName: 'ba\u001b[1msh',
    args: { command: 'echo \u001b]0;x\u0007hi\u202e' },
  })
  observe({
    kind: 'tool-result',
    toolCallId: '1',
    toolName: 'bash',
    text: '\u001b[32mok\u001b[0m\u0007',
    isError: false,
    complete: true,
  })
  observe({ kind: 'extension-error', extensionPath: '/x\u001b[2J', event: 'e', error: 'boom\u0007' })
  await end({ outcome: 'error', exitCode: 1, reason: 'bad\u001b[2J' })
  assert.equal(out.text(), 'abred\n')
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(err.text(), /[\u001b\u0007\u202e]/)
})

test('a tool call is one line with its subject, its result the first lines and how many follow', () => {
  const { observe, err } = start()
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'npm test' } })
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text: 'part', isError: false, complete: false })
  const text = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`).join('\n')
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text, isError: false, complete: true })
  assert.equal(
    err.text(),
    '● bash npm test\n  ⎿ line 1\n    line 2\n    line 3\n    line 4\n    line 5\n    … 4 more lines\n',
  )
})

test('a command that failed says its exit code first, a cut result of how much it is', () => {
  const { observe, err } = start()
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'make' } })
  const descriptor = {
    kind: 'bash',
    props: { command: 'make', exitCode: 2 },
    truncated: { shown: 2, total: 900, unit: 'lines' as const },
  }
  const text = 'one\ntwo\n\nCommand exited with code 2'
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text, isError: true, complete: true, descriptor })
  const lines = ['exit code 2', 'one', 'two', '… of 900 lines in all']
  assert.equal(err.text(), `● bash make\n  ⎿ ${lines.join('\n    ')}\n`)
})

test('of a command that failed its first and its last words are shown', () => {
  const { observe, err } = start()
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'make' } })
  const said = Array.from({ length: 12 }, (_none, index) => `step ${index}`)
  const text = `${said.join('\n')}\nno rule\n\nCommand exited with code 2`
  const descriptor = { kind: 'bash', props: { command: 'make', exitCode: 2 } }
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text, isError: true, complete: true, descriptor })
  const lines = ['exit code 2', 'step 0', 'step 1', 'step 2', '… 7 more lines', 'step 10', 'step 11', 'no rule']
  assert.equal(err.text(), `● bash make\n  ⎿ ${lines.join('\n    ')}\n`)
})

test('on a terminal a denial is whole: its reason says what to do; its rule is said once', () => {
  const { observe, out } = start({ stdoutColumns: 41, stderrColumns: 41, env: { NO_COLOR: '1' } })
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'edit', args: { path: 'a' } })
  const denial = { rule: 'read-before-write', toolCallId: '1', reason: 'r' }
  observe({ kind: 'custom-entry', customType: 'enso-guard-denial', data: denial })
  const text = 'it was not read in this thread. Read it first, then edit it. [read-before-write]'
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'edit', text, isError: true, complete: true })
  assert.equal(
    out.text(),
    '● edit a\n  ⎿ refused by policy:\n    read-before-write — it was not\n    read in this thread. Read it\n    first, then edit it.\n',
  )
})

test('the end names the model that answered', async () => {
  const { frame, end, err } = start()
  frame(SNAPSHOT)
  await end()
  assert.match(err.text(), /^1\.2k in · 56 out · \$0\.01 · 2 turns · 4\.2 s · p\/one · thread t-1\n$/)
})

test('on a terminal long lines break between words and stand in; elsewhere they stay whole', async () => {
  const reason = 'the model is far too busy at this moment to answer anything'
  const end = { outcome: 'provider', exitCode: 5, reason } as const
  const narrow = start({ stdoutColumns: 41, stderrColumns: 41, env: { NO_COLOR: '1' } })
  await narrow.end(end)
  assert.match(narrow.out.text(), /✗ provider: the model is far too busy\n {2}at this moment to answer anything\n/)
  const piped = start()
  await piped.end(end)
  assert.match(piped.err.text(), new RegExp(`✗ provider: ${reason}\n`))
})

test('a prompt that was refused before anything ran says why, once, and no account of nothing', () => {
  const { frame, observe, surface, err } = start()
  const reason = 'there is no model with credentials'
  frame({ type: 'status', busy: true, live: true, generation: 1 })
  observe({ kind: 'prompt-rejected', messageId: 'm', reason })
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const run = { generation: 1, outcome: 'error', exitCode: 1, reason, turns: 0, cost: 0, durationMs: 3, usage } as const
  surface.runEnded?.({ ...run, text: '', threadId: 't-1' } as never)
  frame({ type: 'status', busy: false, live: true, generation: 1 })
  assert.equal(err.text(), `✗ the prompt was refused: ${reason}\n`)
})

test('a reply’s Markdown stands out on a terminal that has colours, and is left alone elsewhere', () => {
  const on = start({ stdoutColumns: 60, stderrColumns: 60, env: {} })
  on.say('# A\nso **b**\n')
  assert.equal(on.out.text().replace(/\u001b\[\d+m/g, ''), '# A\nso **b**\n')
  assert.match(on.out.text(), /\u001b\[1m# /)
  for (const options of [{ env: { FORCE_COLOR: '1' } }, { stdoutColumns: 60, env: { NO_COLOR: '1' } }]) {
    const { say, out } = start(options)
    say('# A\nso **b**\n')
    assert.equal(out.text(), '# A\nso **b**\n')
  }
})

test('results that come in another order name their call again', () => {
  const { observe, err } = start()
  for (const id of ['1', '2'])
    observe({ kind: 'tool-call', toolCallId: id, toolName: 'read', args: { path: `f${id}` } })
  for (const id of ['1', '2']) {
    observe({ kind: 'tool-result', toolCallId: id, toolName: 'read', text: `of ${id}`, isError: false, complete: true })
  }
  assert.equal(err.text(), '● read f1\n● read f2\n○ read f1\n  ⎿ of 1\n○ read f2\n  ⎿ of 2\n')
})

test('an edit is shown as its change, coloured where colour is wanted', () => {
  const edit: EnsoObservation[] = [
    {
      kind: 'tool-call',
      toolCallId: '1',
      toolName: 'edit',
      args: { path: 'a.js', edits: [{ oldText: 'x\nlet a = 1\ny', newText: 'x\nlet a = 2\ny' }] },
    },
    { kind: 'tool-result', toolCallId: '1', toolName: 'edit', text: 'Edited', isError: false, complete: true },
  ]
  const plain = start()
  plain.observe(...edit)
  assert.equal(plain.err.text(), '● edit a.js\n  ⎿ - let a = 1\n    + let a = 2\n')
  const coloured = start({ color: 'always' })
  coloured.observe(...edit)
  assert.match(coloured.err.text(), /\u001b\[31m- let a = 1\u001b\[39m\n {4}\u001b\[32m\+ let a = 2/)
})

test('a denial names the rule and the reason', () => {
  const { observe, err } = start()
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'cat .env' } })
  observe({ kind: 'custom-entry', customType: 'enso-guard-denial', data: { toolCallId: '1', rule: 'secret-read' } })
  observe({
    kind: 'tool-result',
    toolCallId: '1',
    toolName: 'bash',
    text: '.env holds credentials',
    isError: true,
    complete: true,
  })
  assert.match(err.text(), /refused by policy: secret-read — \.env holds credentials/)
})

test('a provider refusal has its class and reason, a retry its wait', () => {
  const { observe, err } = start()
  observe({ kind: 'provider-refused', provider: 'acme', status: 429, message: '429 {"error":{"message":"slow down"}}' })
  observe({ kind: 'provider-retry', attempt: 1, maxAttempts: 3, delayMs: 2000 })
  observe({ kind: 'provider-retry-ended', success: false, attempt: 3, finalError: '429 slow down' })
  assert.equal(
    err.text(),
    '✗ acme: rate-limited (429): slow down\n! retry 1 of 3 in 2.0 s\n✗ gave up after 3 retries: slow down\n',
  )
})

test('notices of the start are said together, warnings at once', () => {
  const { observe, say, err } = start()
  const notice = (message: string, notifyType: 'info' | 'warning', id: string): EnsoObservation => ({
    kind: 'extension-ui-request',
    id,
    method: 'notify',
    blocking: false,
    origin: 'session-start',
    message,
    notifyType,
  })
  observe(notice('one', 'info', 'a'), notice('careful', 'warning', 'b'), notice('two', 'info', 'c'))
  assert.equal(err.text(), '! careful\n')
  say('hi')
  assert.equal(err.text(), '! careful\n· at the start:\n  one\n  two\n')
})

test('a change of the model or the mode is said, the first state is not', () => {
  const { frame, observe, err } = start()
  frame(SNAPSHOT)
  observe({ kind: 'model', ...SNAPSHOT.model! })
  observe({ kind: 'permission-mode', mode: 'default', available: ['default'] })
  assert.equal(err.text(), '')
  observe({
    kind: 'model',
    model: { provider: 'p', id: 'two', name: '' },
    thinkingLevel: 'high',
    availableThinkingLevels: ['off', 'high'],
  })
  observe({ kind: 'permission-mode', mode: 'plan', available: ['default', 'plan'] })
  assert.equal(err.text(), '· model: p/two, thinking high\n· mode: plan\n')
})

test('a question that ended without an answer is said, also when quiet', () => {
  for (const quiet of [false, true]) {
    const { observe, err } = start({ quiet })
    const dialog = { method: 'confirm' as const, title: 'Go on?', message: '' }
    observe({ kind: 'extension-ui-request', id: 'd', method: 'confirm', blocking: true, origin: 'run', dialog })
    observe({ kind: 'dialog-settled', id: 'd', outcome: 'timeout' })
    assert.equal(err.text(), '? Go on?: timeout\n')
  }
})

test('the end says what it cost, and what the outcome was when it is not done', async () => {
  const done = start()
  done.observe({
    kind: 'session-usage',
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
    context: { tokens: 1, window: 10, percent: 12.4 },
  })
  await done.end()
  assert.equal(done.err.text(), '1.2k in · 56 out · $0.01 · 2 turns · 4.2 s · 12 % of context · thread t-1\n')
  const limited = start()
  await limited.end({
    outcome: 'limit',
    exitCode: 4,
    reason: 'the turns limit of 3 turns was reached',
    hint: 'go on from here',
    restored: ['and then'],
  })
  const lines = limited.err.text().trimEnd().split('\n').slice(1)
  assert.deepEqual(lines, [
    'not sent any more:',
    '  and then',
    '✗ limit: the turns limit of 3 turns was reached',
    '  go on from here',
  ])
})

test('quiet leaves errors and nothing else', async () => {
  const { observe, say, end, surface, out, err } = start({ quiet: true })
  surface.note('a note')
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'x' } })
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text: 'y', isError: false, complete: true })
  observe({ kind: 'provider-retry', attempt: 1, maxAttempts: 3, delayMs: 2000 })
  say('reply')
  await end()
  assert.deepEqual([out.text(), err.text()], ['reply\n', ''])
  observe({ kind: 'extension-error', extensionPath: 'x', event: 'e', error: 'boom' })
  assert.match(err.text(), /boom/)
})

test('a reader that is behind is waited for', async () => {
  const { surface, frame, out } = start()
  const release = out.block()
  assert.equal(
    frame({
      type: 'observation',
      seq: 1,
      observation: { kind: 'text-delta', contentIndex: 0, delta: 'x'.repeat(100) },
    }),
    false,
  )
  const ready = new Promise<void>((resolve) => surface.onReady(resolve))
  release()
  await ready
  assert.equal(
    frame({ type: 'observation', seq: 2, observation: { kind: 'text-delta', contentIndex: 0, delta: 'y' } }),
    true,
  )
})

test('a closed standard output is told', async () => {
  const { surface, io } = start()
  const closed = new Promise<void>((resolve) => surface.onClosed(resolve))
  io.stdout.on('error', () => undefined)
  io.stdout.destroy(new Error('EPIPE'))
  await closed
  await surface.result(RESULT)
})

test('on a terminal a line at the bottom says what runs and for how long; it is gone before anything else is written', () => {
  const { frame, observe, err, clock } = start({ stderrColumns: 60, env: { TERM: 'xterm', NO_COLOR: '1' } })
  frame({ type: 'status', busy: true, live: true, generation: 1 })
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'bash', args: { command: 'make' } })
  clock.advance(5000)
  assert.match(err.text(), /\r\u001b\[2K. bash make · 4 s$/)
  observe({ kind: 'queue', interrupting: ['now'], enqueued: ['later'] })
  clock.advance(200)
  assert.match(err.text(), /bash make · 5 s · 2 prompts wait$/)
  observe({ kind: 'tool-result', toolCallId: '1', toolName: 'bash', text: 'ok', isError: false, complete: true })
  assert.match(err.text(), /\r\u001b\[2K {2}⎿ ok\n$/)
  frame({ type: 'status', busy: false, live: true, generation: 1 })
  const after = err.text()
  clock.advance(5000)
  assert.equal(err.text(), after)
})

test('without a terminal nothing is ever redrawn', () => {
  const { frame, err, clock } = start()
  frame({ type: 'status', busy: true, live: true, generation: 1 })
  clock.advance(5000)
  assert.equal(err.text(), '')
})

test('a retry is counted down in the line at the bottom', () => {
  const { frame, observe, err, clock } = start({ stderrColumns: 60, env: { NO_COLOR: '1' } })
  frame({ type: 'status', busy: true, live: true, generation: 1 })
  observe({ kind: 'provider-retry', attempt: 2, maxAttempts: 3, delayMs: 4000 })
  clock.advance(1500)
  assert.match(err.text(), /retry 2 of 3 in 3 s$/)
})

test('where both streams are the terminal the reply and the rest stay in order and apart', () => {
  const { frame, observe, out, err } = start({ stdoutColumns: 60, stderrColumns: 60, env: { NO_COLOR: '1' } })
  frame({ type: 'status', busy: false, live: true, generation: 1 })
  observe({ kind: 'message-start', role: 'assistant' })
  observe({ kind: 'text-delta', contentIndex: 0, delta: 'I look' })
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'read', args: { path: 'a' } })
  assert.equal(out.text(), 'I look\n● read a\n')
  assert.equal(err.text(), '')
})

test('held back output comes when it is let out, in order', () => {
  const { surface, say, observe, out, err } = start()
  const release = surface.hold()
  say('hello')
  observe({ kind: 'tool-call', toolCallId: '1', toolName: 'read', args: { path: 'a' } })
  assert.deepEqual([out.text(), err.text()], ['', ''])
  release()
  assert.deepEqual([out.text(), err.text()], ['hello\n', '● read a\n'])
})
