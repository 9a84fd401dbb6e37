import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExtensionCommandContext, ExtensionUIContext } from '@mariozechner/pi-coding-agent'
import { QUESTIONNAIRE_COMPONENT_KEY } from '../../../src/core/index.js'
import type { EnsoDialogAnswer } from '../../../src/core/index.js'
import type { ThreadParts, ThreadPartsContext } from '../../../src/host/thread-parts.js'
import { bench } from '../host-bench.js'

/** Parts with one command `/ask` that asks through `ui`. */
function asking(ask: (ui: ExtensionUIContext, ctx: ExtensionCommandContext) => Promise<unknown>): {
  parts: ThreadParts
  answers: unknown[]
} {
  const answers: unknown[] = []
  return {
    answers,
    parts: {
      customTools: [],
      extensions: [
        (pi) =>
          pi.registerCommand('ask', {
            handler: async (_args, ctx) => void answers.push(await ask(ctx.ui, ctx)),
          }),
      ],
    },
  }
}

test('each kind of question is a dialog, and its answer reaches the asker as it was given', async (t) => {
  const { parts, answers } = asking(async (ui) => [
    await ui.select('Which?', ['a', 'b']),
    await ui.confirm('Sure?', 'It is final.'),
    await ui.input('Name?', 'your name'),
    await ui.editor('Edit', 'draft'),
  ])
  const { open } = await bench(t, { parts })
  const thread = await open()
  const { runtime } = thread.hosted
  const done = thread.run('/ask')
  const replies: EnsoDialogAnswer[] = [{ value: 'b' }, { confirmed: true }, { value: 'Ada' }, { value: 'final\ntext' }]
  const specs = []
  for (const [at, reply] of replies.entries()) {
    const { id } = await thread.nth('extension-ui-request', at + 1)
    const [open1] = runtime.openDialogs()
    assert.equal(open1?.id, id)
    specs.push(open1?.dialog)
    runtime.answerDialog({ id, ...reply })
  }
  await done
  assert.deepEqual(answers, [['b', true, 'Ada', 'final\ntext']])
  assert.deepEqual(specs, [
    { method: 'select', title: 'Which?', options: ['a', 'b'] },
    { method: 'confirm', title: 'Sure?', message: 'It is final.' },
    { method: 'input', title: 'Name?', placeholder: 'your name' },
    { method: 'editor', title: 'Edit', prefill: 'draft' },
  ])
  assert.deepEqual(runtime.openDialogs(), [])
  assert.deepEqual(new Set(thread.all('dialog-settled').map((one) => one.outcome)), new Set(['answered']))
  assert.ok(thread.all('extension-ui-request').every((one) => one.blocking && one.origin === 'run'))
  assert.ok(thread.ended.every((end) => end.by === 'answer'))
})

test('a cancelled question gives the asker its cancel value', async (t) => {
  const { parts, answers } = asking(async (ui) => [await ui.select('Which?', ['a']), await ui.confirm('Sure?', '')])
  const { open } = await bench(t, { parts })
  const thread = await open()
  const done = thread.run('/ask')
  for (const n of [1, 2]) {
    const { id } = await thread.nth('extension-ui-request', n)
    thread.hosted.runtime.answerDialog({ id, cancelled: true })
  }
  await done
  assert.deepEqual(answers, [[undefined, false]])
})

test('an answer that was never offered leaves the question open, and an unknown id is passed over', async (t) => {
  const { parts, answers } = asking((ui) => ui.select('Which?', ['a', 'b']))
  const { open } = await bench(t, { parts })
  const thread = await open()
  const done = thread.run('/ask')
  const { id } = await thread.when('extension-ui-request')
  const { runtime } = thread.hosted
  runtime.answerDialog({ id: 'nobody', value: 'a' })
  runtime.answerDialog({ id, value: 'c' })
  runtime.answerDialog({ id, confirmed: true })
  assert.equal(runtime.openDialogs().length, 1)
  runtime.answerDialog({ id, value: 'a' })
  runtime.answerDialog({ id, value: 'b' })
  await done
  assert.deepEqual(answers, ['a'])
  assert.equal(thread.all('dialog-settled').length, 1)
})

test("the asker's own deadline and signal end the wait, told apart", async (t) => {
  const { parts, answers } = asking(async (ui) => {
    const late = await ui.input('Late?', undefined, { timeout: 30 })
    const controller = new AbortController()
    const gone = ui.confirm('Gone?', '', { signal: controller.signal })
    controller.abort()
    const aborted = ui.confirm('Never?', '', { signal: AbortSignal.abort() })
    return [late, await gone, await aborted]
  })
  const { open } = await bench(t, { parts })
  const thread = await open()
  await thread.run('/ask')
  assert.deepEqual(answers, [[undefined, false, false]])
  assert.deepEqual(
    thread.all('dialog-settled').map((one) => one.outcome),
    ['timeout', 'aborted', 'aborted'],
  )
  assert.deepEqual(
    thread.ended.map((end) => end.by),
    ['timeout', 'asker', 'asker'],
  )
  const first = thread.all('extension-ui-request')[0]?.dialog
  assert.ok(first?.method === 'input' && first.timeout === 30)
})

test("the policy's deadline ends a question that has none, and the shorter of two counts", async (t) => {
  const { parts, answers } = asking(async (ui) => [
    await ui.editor('No deadline of its own'),
    await ui.input('A longer one', undefined, { timeout: 60_000 }),
  ])
  const { open } = await bench(t, { parts })
  const thread = await open({ dialogs: { timeoutMs: () => 25 } })
  await thread.run('/ask')
  assert.deepEqual(answers, [[undefined, undefined]])
  assert.deepEqual(
    thread.ended.map((end) => end.outcome),
    ['timeout', 'timeout'],
  )
})

test('where nobody can answer a question ends at once, and is still said', async (t) => {
  const { parts, answers } = asking((ui) => ui.confirm('Delete everything?', ''))
  const { open } = await bench(t, { parts })
  const thread = await open({ dialogs: { canAsk: () => false } })
  await thread.run('/ask')
  assert.deepEqual(answers, [false])
  const [request] = thread.all('extension-ui-request')
  assert.deepEqual(thread.all('dialog-settled'), [{ kind: 'dialog-settled', id: request?.id, outcome: 'cancelled' }])
  assert.equal(thread.ended[0]?.by, 'policy')
})

test('a standing answer is taken only when it fits, and never for a secret', async (t) => {
  const { parts, answers } = asking(async (ui) => [await ui.select('Which?', ['a']), await ui.select('Which?', ['b'])])
  const { open } = await bench(t, { parts })
  const thread = await open({ dialogs: { canAsk: () => false, ruleFor: () => ({ value: 'a' }) } })
  await thread.run('/ask')
  assert.deepEqual(answers, [['a', undefined]])
  assert.deepEqual(
    thread.ended.map((end) => end.by),
    ['rule', 'policy'],
  )
})

test('a policy that throws on the end of a question breaks nothing', async (t) => {
  const { parts, answers } = asking((ui) => ui.confirm('Sure?', ''))
  const { open } = await bench(t, { parts })
  const thread = await open({
    dialogs: {
      canAsk: () => false,
      ended: () => {
        throw new Error('policy')
      },
    },
  })
  await thread.run('/ask')
  assert.deepEqual(answers, [false])
})

const question = {
  header: 'Colour',
  question: 'Which colour?',
  multiSelect: false,
  options: [{ label: 'red', description: 'warm' }, { label: 'blue' }],
}

test('a component that carries a questionnaire is one dialog; any other custom component is undefined', async (t) => {
  const carrying = (questions: unknown[]) => ({
    render: () => [],
    invalidate: () => undefined,
    [QUESTIONNAIRE_COMPONENT_KEY]: { method: 'questionnaire', title: 'Choose', questions, extra: 'not for followers' },
  })
  const { parts, answers } = asking(async (ui) => [
    await ui.custom(() => carrying([question])),
    await ui.custom(() => carrying([question])),
    await ui.custom(() => carrying([question, question])),
    await ui.custom(() => ({ render: () => [], invalidate: () => undefined })),
    await ui.custom((tui) => tui.addChild as never),
  ])
  const { open } = await bench(t, { parts })
  const thread = await open()
  const done = thread.run('/ask')
  const first = await thread.nth('extension-ui-request', 1)
  assert.deepEqual(first.dialog, { method: 'questionnaire', title: 'Choose', questions: [question] })
  thread.hosted.runtime.answerDialog({ id: first.id, answers: [{ selected: ['blue'] }] })
  const second = await thread.nth('extension-ui-request', 2)
  thread.hosted.runtime.answerDialog({ id: second.id, cancelled: true })
  await done
  assert.deepEqual(answers, [
    [{ answers: [{ selected: ['blue'] }] }, { cancelled: true }, undefined, undefined, undefined],
  ])
  assert.equal(thread.all('extension-ui-request').length, 2)
})

test('a notice is a line on the feed; status, widgets and titles are dropped', async (t) => {
  const { parts } = asking(async (ui) => {
    ui.notify('saved', 'warning')
    ui.notify('plain')
    ui.setStatus('x', 'busy')
    ui.setWidget('w', ['line'])
    ui.setTitle('title')
    return ui.theme.fg('accent', 'text')
  })
  const { open } = await bench(t, { parts })
  const thread = await open()
  await thread.run('/ask')
  assert.deepEqual(
    thread
      .all('extension-ui-request')
      .map(({ method, blocking, message, notifyType }) => ({ method, blocking, message, notifyType })),
    [
      { method: 'notify', blocking: false, message: 'saved', notifyType: 'warning' },
      { method: 'notify', blocking: false, message: 'plain', notifyType: undefined },
    ],
  )
})

test("the host's own choice carries a text to decide on", async (t) => {
  let context: ThreadPartsContext | undefined
  const { open } = await bench(t, {
    parts: (given) => {
      context = given
      return { customTools: [], extensions: [] }
    },
  })
  const thread = await open()
  const choice = context!.askHostSelect({ title: 'Allow?', message: 'rm -rf dist', options: ['Allow', 'Deny'] })
  const { id, dialog } = await thread.when('extension-ui-request')
  assert.deepEqual(dialog, { method: 'select', title: 'Allow?', message: 'rm -rf dist', options: ['Allow', 'Deny'] })
  thread.hosted.runtime.answerDialog({ id, value: 'Deny' })
  assert.equal(await choice, 'Deny')
})
