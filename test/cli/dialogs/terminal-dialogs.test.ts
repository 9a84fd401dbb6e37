import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerBody, TextEditor } from '../../../src/cli/dialogs/ask-context.js'
import { createTerminalDialogs } from '../../../src/cli/dialogs/terminal-dialogs.js'
import type { EnsoDialogSpec, EnsoObservation } from '../../../src/core/index.js'
import { validateDialogAnswer } from '../../../src/core/index.js'
import type { OperationOutcome } from '../../../src/thread/operations.js'
import { fakeIo, fakeTerminal } from '../../support/cli-io.js'

const DOWN = '\u001b[B'
const ENTER = '\r'
const ESC = '\u001b'
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const DONE: OperationOutcome = { ok: true, status: 204, result: null }

interface Answered {
  readonly id: string
  readonly answer: AnswerBody
}

function open(
  options: { timeoutMs?: number; editor?: TextEditor; outcome?: (answered: Answered) => OperationOutcome } = {},
) {
  const terminal = fakeTerminal()
  const { io, clock } = fakeIo({ terminal, env: { NO_COLOR: '1' } })
  const answers: Answered[] = []
  const waiting: ((answered: Answered) => void)[] = []
  let stopped: () => void = () => undefined
  const whenStopped = new Promise<void>((resolve) => {
    stopped = resolve
  })
  const events: string[] = []
  const dialogs = createTerminalDialogs({
    terminal,
    io,
    color: 'auto',
    answer: (id, answer) => {
      const answered = { id, answer }
      answers.push(answered)
      waiting.shift()?.(answered)
      return Promise.resolve(options.outcome?.(answered) ?? DONE)
    },
    stop: stopped,
    turn: () => {
      events.push('held')
      return Promise.resolve(() => void events.push('released'))
    },
    timeoutMs: options.timeoutMs,
    editor: options.editor,
  })
  const observe = (observation: EnsoObservation): void => dialogs.onFrame({ type: 'observation', seq: 1, observation })
  const ask = (id: string, dialog: EnsoDialogSpec): void =>
    observe({ kind: 'extension-ui-request', id, method: dialog.method, blocking: true, origin: 'run', dialog })

  /** Waits until the screen shows a text; what was typed ahead is let pass by the held clock. */
  async function shows(text: string | RegExp): Promise<void> {
    for (let turn = 0; turn < 5000; turn++) {
      const screen = terminal.screen.text()
      if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return
      clock.advance(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    throw new Error(`never showed ${String(text)}:\n${terminal.screen.text()}`)
  }
  const next = (): Promise<Answered> => new Promise((resolve) => waiting.push(resolve))
  return { terminal, clock, dialogs, observe, ask, shows, next, answers, whenStopped, events }
}

test('a select shows its detail above and answers the option as it was offered', async () => {
  const { ask, shows, next, terminal } = open()
  const dialog: EnsoDialogSpec = {
    method: 'select',
    title: 'Allow this?',
    options: ['Allow  once', 'Deny\u001b[31m'],
    message: 'rm -rf build\n+ new line',
  }
  ask('d1', dialog)
  await shows('Deny')
  assert.ok(terminal.screen.text().indexOf('rm -rf build') < terminal.screen.text().indexOf('Allow this?'))
  const answered = next()
  terminal.press(DOWN)
  terminal.press(ENTER)
  assert.deepEqual(await answered, { id: 'd1', answer: { value: 'Deny\u001b[31m' } })
})

test('a stray Enter never approves a confirm', async () => {
  const { ask, shows, next, terminal } = open()
  ask('d1', { method: 'confirm', title: 'Delete it?', message: 'all of it' })
  await shows('Delete it?')
  const first = next()
  terminal.press(ENTER)
  assert.deepEqual((await first).answer, { confirmed: false })
  ask('d2', { method: 'confirm', title: 'Really?', message: '' })
  await shows('Really?')
  const second = next()
  terminal.press('y')
  assert.deepEqual((await second).answer, { confirmed: true })
})

test('what was typed before the question was there answers nothing', async () => {
  const { ask, shows, terminal, answers, next } = open()
  terminal.press(`y${ENTER}${ENTER}`)
  ask('d1', { method: 'confirm', title: 'Delete it?', message: '' })
  await shows('Delete it?')
  assert.deepEqual(answers, [])
  const answered = next()
  terminal.press(ENTER)
  assert.deepEqual((await answered).answer, { confirmed: false })
})

test('Ctrl-C among what was typed before the question stops the run', async () => {
  const { ask, shows, whenStopped, terminal, answers } = open()
  ask('d1', { method: 'confirm', title: 'Delete it?', message: '' })
  await new Promise((resolve) => setImmediate(resolve))
  terminal.press(`x${CTRL_C}`)
  await Promise.race([whenStopped, shows('Delete it?')])
  await whenStopped
  assert.deepEqual(answers, [])
})

test('an input takes a text, shows where it comes from, and masks a secret', async () => {
  const { ask, shows, next, terminal } = open()
  ask('d1', {
    method: 'input',
    title: 'API key',
    secret: true,
    message: 'Paste the key.',
    link: { label: 'Get one', url: 'https://example.com/key' },
  })
  await shows('API key')
  const answered = next()
  terminal.press('sk-123')
  await shows('▪▪▪▪▪▪')
  terminal.press(ENTER)
  assert.deepEqual((await answered).answer, { value: 'sk-123' })
  const screen = terminal.screen.text()
  assert.match(screen, /Paste the key\.[^]*Get one: https:\/\/example\.com\/key/)
  assert.ok(!screen.includes('sk-123'))
})

test('Esc and Ctrl-D cancel the question, and only that', async () => {
  for (const key of [ESC, CTRL_D]) {
    const { ask, shows, next, terminal } = open()
    ask('d1', { method: 'input', title: 'Name?' })
    await shows('Name?')
    const answered = next()
    terminal.press(key)
    assert.deepEqual(await answered, { id: 'd1', answer: { cancelled: true } })
    assert.equal(terminal.raw(), false)
  }
})

test('Ctrl-C in a question stops the run and answers nothing', async () => {
  const { ask, shows, whenStopped, answers, terminal } = open()
  ask('d1', { method: 'select', title: 'Which?', options: ['a', 'b'] })
  await shows('Which?')
  terminal.press(CTRL_C)
  await whenStopped
  assert.deepEqual(answers, [])
})

test('several questions wait for each other, and each holds the terminal', async () => {
  const { ask, shows, next, terminal, events } = open()
  ask('d1', { method: 'input', title: 'First?' })
  ask('d2', { method: 'input', title: 'Second?' })
  await shows('First?')
  assert.ok(!terminal.screen.text().includes('Second?'))
  const first = next()
  terminal.press(`one${ENTER}`)
  assert.deepEqual(await first, { id: 'd1', answer: { value: 'one' } })
  await shows('Second?')
  const second = next()
  terminal.press(`two${ENTER}`)
  assert.deepEqual(await second, { id: 'd2', answer: { value: 'two' } })
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(events, ['held', 'released', 'held', 'released'])
})

test('a question settled elsewhere goes away, and the next one comes', async () => {
  const { ask, shows, observe, answers, next, terminal } = open()
  ask('d1', { method: 'input', title: 'First?' })
  ask('d2', { method: 'input', title: 'Never shown?' })
  ask('d3', { method: 'input', title: 'Third?' })
  await shows('First?')
  observe({ kind: 'dialog-settled', id: 'd2', outcome: 'cancelled' })
  observe({ kind: 'dialog-settled', id: 'd1', outcome: 'answered' })
  await shows('Third?')
  assert.deepEqual(answers, [])
  assert.ok(!terminal.screen.text().includes('Never shown?'))
  const answered = next()
  terminal.press(`3${ENTER}`)
  assert.equal((await answered).id, 'd3')
})

test('the settling of an answered question does not disturb the next one', async () => {
  const { ask, shows, observe, next, terminal } = open()
  ask('d1', { method: 'input', title: 'First?' })
  await shows('First?')
  const first = next()
  terminal.press(`1${ENTER}`)
  await first
  ask('d2', { method: 'input', title: 'Second?' })
  await shows('Second?')
  observe({ kind: 'dialog-settled', id: 'd1', outcome: 'answered' })
  const second = next()
  assert.equal(terminal.raw(), true)
  terminal.press(`2${ENTER}`)
  assert.deepEqual(await second, { id: 'd2', answer: { value: '2' } })
})

test('open questions of a snapshot are asked', async () => {
  const { dialogs, shows } = open()
  dialogs.onFrame({
    type: 'snapshot',
    threadId: 't',
    asOfSeq: 0,
    busy: true,
    live: true,
    cwd: '/',
    generation: 1,
    messages: [],
    model: null,
    openDialogs: [{ id: 'd1', dialog: { method: 'input', title: 'Still waiting?' } }],
    permissionMode: { mode: 'default', available: [] },
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
  })
  await shows('Still waiting?')
})

test('a time limit is counted down on the screen', async () => {
  const { ask, shows, clock } = open({ timeoutMs: 600_000 })
  ask('d1', { method: 'select', title: 'Which?', options: ['a'], timeout: 30_000 })
  await shows('Which? (ends in 30 s)')
  clock.advance(5000)
  await shows(/ends in 2[45] s/)
})

test('an answer that is refused is asked for again, a late one is not', async () => {
  let refuse = true
  const { ask, shows, next, terminal, answers } = open({
    outcome: () => (refuse ? { ok: false, refusal: { code: 'refused', reason: 'not like this' } } : DONE),
  })
  ask('d1', { method: 'input', title: 'Name?' })
  await shows('Name?')
  const first = next()
  terminal.press(`a${ENTER}`)
  await first
  await shows('not like this')
  refuse = false
  const second = next()
  terminal.press(`b${ENTER}`)
  await second
  assert.deepEqual(
    answers.map(({ answer }) => answer),
    [{ value: 'a' }, { value: 'b' }],
  )
})

test('a text is written in the editor, and cancelled by leaving it badly', async () => {
  const texts = ['edited', undefined]
  const editor: TextEditor = { name: 'vi', edit: (prefill) => Promise.resolve(texts.shift() && `${prefill}:edited`) }
  const { ask, shows, next, terminal } = open({ editor })
  for (const expected of [{ value: 'old:edited' }, { cancelled: true }]) {
    ask(`d-${JSON.stringify(expected)}`, { method: 'editor', title: `Commit message ${texts.length}`, prefill: 'old' })
    await shows(`Commit message ${texts.length}`)
    const answered = next()
    terminal.press('y')
    assert.deepEqual((await answered).answer, expected)
  }
})

test('without an editor the text is written in place', async () => {
  const { ask, shows, next, terminal } = open()
  ask('d1', { method: 'editor', title: 'Commit message', prefill: 'old' })
  await shows('Commit message')
  const answered = next()
  terminal.press(` new${ENTER}second`)
  await shows('second')
  terminal.press('\t')
  terminal.press(ENTER)
  assert.deepEqual((await answered).answer, { value: 'old new\nsecond' })
})

const QUESTIONNAIRE: Extract<EnsoDialogSpec, { method: 'questionnaire' }> = {
  method: 'questionnaire',
  title: '2 questions',
  questions: [
    {
      header: 'Store',
      question: 'Which one?',
      options: [{ label: 'SQLite', description: 'one file' }, { label: 'Postgres' }],
      multiSelect: false,
    },
    { header: 'Extras', question: 'What else?', options: [{ label: 'Cache' }, { label: 'Search' }], multiSelect: true },
  ],
}

test('a questionnaire is asked question by question and reviewed before it is sent', async () => {
  const { ask, shows, next, terminal } = open()
  ask('d1', QUESTIONNAIRE)
  await shows('Which one?')
  await shows('SQLite: one file')
  terminal.press(DOWN)
  terminal.press(ENTER)
  await shows('What else?')
  terminal.press(' ')
  terminal.press(DOWN)
  terminal.press(DOWN)
  terminal.press(' ')
  terminal.press(ENTER)
  await shows('Extras: in your own words')
  terminal.press(`a queue${ENTER}`)
  await shows('Send these answers?')
  await shows('Change Extras: Cache, "a queue"')
  const answered = next()
  terminal.press(ENTER)
  const { answer } = await answered
  assert.deepEqual(answer, { answers: [{ selected: ['Postgres'] }, { selected: ['Cache'], other: 'a queue' }] })
  assert.equal(validateDialogAnswer(QUESTIONNAIRE, answer), undefined)
})

test('an answer can be changed in the review, and all of it declined', async () => {
  const { ask, shows, next, terminal } = open()
  ask('d1', { ...QUESTIONNAIRE, questions: [QUESTIONNAIRE.questions[0]!] })
  await shows('Which one?')
  terminal.press(ENTER)
  await shows('Change Store: SQLite')
  terminal.press(DOWN)
  terminal.press(ENTER)
  await shows(/Which one\?[^]*Send these[^]*Which one\?/)
  terminal.press(DOWN)
  terminal.press(ENTER)
  await shows('Change Store: Postgres')
  const answered = next()
  terminal.press(DOWN)
  terminal.press(DOWN)
  terminal.press(ENTER)
  assert.deepEqual((await answered).answer, { cancelled: true })
})

test('a title of many lines and control characters can not draw on the screen', async () => {
  const { ask, shows, terminal } = open()
  ask('d1', {
    method: 'input',
    title: 'Name?\u001b[2J\u0007\u202e',
    placeholder: '\u001b[31mplace',
    message: 'why\u001b]0;x\u0007',
  })
  await shows('Name?')
  const screen = terminal.screen.text()
  assert.ok(!screen.includes('\u001b[2J') && !screen.includes('\u0007') && !screen.includes('\u202e'))
  assert.ok(!screen.includes('\u001b]0;'))
})

test('after close nothing is asked and the open question is taken away', async () => {
  const { ask, shows, dialogs, terminal, answers } = open()
  ask('d1', { method: 'input', title: 'First?' })
  await shows('First?')
  dialogs.close()
  ask('d2', { method: 'input', title: 'Second?' })
  await new Promise((resolve) => setImmediate(resolve))
  assert.ok(!terminal.screen.text().includes('Second?'))
  assert.deepEqual(answers, [])
  assert.equal(terminal.raw(), false)
})
