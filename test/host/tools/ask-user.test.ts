// ask_user through the real host, from the model's call to what the model reads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EnsoDialogAnswer } from '../../../src/core/index.js'
import type { BenchThread } from '../host-bench.js'
import { callTool, lastCall, offeredTools, toolsBench } from './tools-bench.js'

const option = (label: string): object => ({ label, description: `means ${label}` })
const colour = {
  header: 'Colour',
  question: 'Which colour?',
  options: [option('red'), option('blue')],
  multiSelect: false,
}
const days = { header: 'Days', question: 'Which days?', options: [option('Mon'), option('Tue')], multiSelect: true }

/** The open question, once it is there. */
async function question(thread: BenchThread) {
  const request = await thread.when('extension-ui-request', ({ blocking }) => blocking)
  return { id: request.id, dialog: request.dialog }
}

test('the questions are one questionnaire, and the model reads the answers in words', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  bench.server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [colour, days] } }] }, { text: 'seen' })
  const run = thread.run('ask')
  const { id, dialog } = await question(thread)
  assert.deepEqual(dialog, { method: 'questionnaire', title: '2 questions', questions: [colour, days] })
  const answers = [{ selected: ['blue'] }, { selected: ['Mon', 'Tue'], other: 'not too early' }]
  thread.hosted.runtime.answerDialog({ id, answers })
  await run
  const { observed, stored } = lastCall(thread)
  assert.equal(
    observed.text,
    '[Colour] Which colour?\nAnswer: blue\n\n' +
      '[Days] Which days?\nAnswer: Mon, Tue, in their own words: not too early',
  )
  assert.deepEqual(observed.descriptor, {
    kind: 'ask_user',
    props: { outcome: 'answered', questions: [colour, days], answers },
  })
  assert.deepEqual(stored.descriptor, observed.descriptor)
  assert.match(JSON.stringify(bench.server.requests[1]?.body), /in their own words: not too early/)
})

test('an answer that was not offered leaves the question open; a valid one is taken', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  bench.server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [colour, days] } }] }, { text: 'seen' })
  const run = thread.run('ask')
  const { id } = await question(thread)
  const wrong: EnsoDialogAnswer[] = [
    { value: 'blue' },
    { answers: [{ selected: ['green'] }, { selected: ['Mon'] }] },
    { answers: [{ selected: ['red', 'blue'] }, { selected: ['Mon'] }] },
    { answers: [{ selected: ['red'], other: 'or not' }, { selected: ['Mon'] }] },
    { answers: [{ selected: ['red'] }] },
    { answers: [{ selected: ['red'] }, { selected: [] }] },
    { answers: [{ selected: ['red'] }, { selected: [], other: '  ' }] },
  ]
  for (const answer of wrong) thread.hosted.runtime.answerDialog({ id, ...answer })
  assert.equal(thread.hosted.runtime.openDialogs().length, 1)
  thread.hosted.runtime.answerDialog({ id, answers: [{ selected: [], other: 'teal' }, { selected: ['Tue'] }] })
  await run
  assert.match(lastCall(thread).observed.text, /Answer: in their own words: teal[^]*Answer: Tue$/)
})

test('each way in which nobody answers is told apart, in words', async (t) => {
  const bench = await toolsBench(t)
  const decline = async (dialogs: object, then?: (thread: BenchThread) => Promise<void>): Promise<string> => {
    const thread = await bench.openFree({ dialogs })
    bench.server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [colour] } }] }, { text: 'seen' })
    const run = thread.run('ask')
    await then?.(thread)
    await run
    const { observed } = lastCall(thread)
    assert.equal(observed.isError, false)
    assert.deepEqual(observed.descriptor?.props['questions'], [colour])
    assert.deepEqual(thread.hosted.runtime.openDialogs(), [])
    return `${String(observed.descriptor?.props['outcome'])}: ${observed.text}`
  }
  const cancel = async (thread: BenchThread): Promise<void> => {
    thread.hosted.runtime.answerDialog({ id: (await question(thread)).id, cancelled: true })
  }
  assert.equal(await decline({}, cancel), 'declined: The person declined to answer.')
  assert.equal(
    await decline({ canAsk: () => false }),
    'nobody: Nobody is there to answer: take the questions as declined.',
  )
  assert.equal(
    await decline({ timeoutMs: () => 20 }),
    'timeout: Nobody answered in time: take the questions as declined.',
  )
})

test('a standing answer is one', async (t) => {
  const bench = await toolsBench(t)
  const ruleFor = (): EnsoDialogAnswer => ({ answers: [{ selected: ['red'] }] })
  const thread = await bench.openFree({ dialogs: { canAsk: () => false, ruleFor, mayHaveRule: () => true } })
  const { observed } = await callTool(bench, thread, 'ask_user', { questions: [colour] })
  assert.match(observed.text, /Answer: red$/)
  assert.equal(thread.ended[0]?.by, 'rule')
})

test('questions that repeat are refused by what repeats, and nobody is asked', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  const twice = { ...colour, options: [option('red'), option('red')] }
  for (const [questions, reason] of [
    [[colour, colour], /question 2 repeats the header "Colour"/],
    [[days, twice], /question 2 repeats the option "red"/],
  ] as const) {
    const { observed } = await callTool(bench, thread, 'ask_user', { questions })
    assert.equal(observed.isError, true)
    assert.match(observed.text, reason)
  }
  const same = { ...days, options: colour.options, header: 'Same options' }
  bench.server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [colour, same] } }] }, { text: 'seen' })
  const run = thread.run('the same option in two questions is fine')
  const { id } = await question(thread)
  thread.hosted.runtime.answerDialog({ id, cancelled: true })
  await run
  assert.equal(thread.all('extension-ui-request').filter(({ blocking }) => blocking).length, 1)
})

test('malformed questions are no dialog', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  const malformed = [
    {},
    { questions: [] },
    { questions: [colour, colour, colour, colour, colour] },
    { questions: [{ ...colour, options: [option('one')] }] },
    { questions: [{ ...colour, options: ['a', 'b', 'c', 'd', 'e'].map(option) }] },
    { questions: [{ ...colour, header: '' }] },
    { questions: [{ header: 'H', question: 'Q?', options: colour.options }] },
    { questions: [{ ...colour, more: 1 }] },
  ]
  for (const args of malformed) {
    const { observed } = await callTool(bench, thread, 'ask_user', args)
    assert.equal(observed.isError, true, JSON.stringify(args))
  }
  assert.deepEqual(thread.all('dialog-settled'), [])
})

test('Stop while the tool waits leaves no card and ends the run', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  bench.server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [colour] } }] })
  const admitted = await thread.prompt('ask')
  assert.ok(admitted.accepted)
  const { id } = await question(thread)
  await thread.hosted.runtime.abort()
  await thread.when('settled')
  assert.deepEqual(thread.hosted.runtime.openDialogs(), [])
  assert.deepEqual(thread.all('dialog-settled'), [{ kind: 'dialog-settled', id, outcome: 'aborted' }])
  assert.equal(lastCall(thread).observed.descriptor?.props['outcome'], 'stopped')
  assert.equal(bench.server.requests.length, 1)
})

const notices = (thread: BenchThread): (string | undefined)[] =>
  thread.all('extension-ui-request').flatMap(({ method, message }) => (method === 'notify' ? [message] : []))

test('the model is offered the tool where an answer can come from, and the run says where it is not', async (t) => {
  const bench = await toolsBench(t)
  bench.server.otherwise({ text: 'ok' })
  const offered = async (dialogs: object): Promise<{ offered: boolean; notices: unknown }> => {
    const thread = await bench.openFree({ dialogs })
    await thread.run('go')
    await thread.run('go on')
    const last = bench.server.requests.at(-1)!
    assert.equal(JSON.stringify(last.body).includes('ask_user'), offeredTools(last).includes('ask_user'))
    return { offered: offeredTools(last).includes('ask_user'), notices: notices(thread) }
  }
  assert.deepEqual(await offered({}), { offered: true, notices: [] })
  assert.deepEqual(await offered({ canAsk: () => false, mayHaveRule: () => true }), { offered: true, notices: [] })
  assert.deepEqual(await offered({ canAsk: () => false }), {
    offered: false,
    notices: ['ask_user is not offered to the model: nobody is there to answer its questions'],
  })
  const asked: unknown[] = []
  await offered({ canAsk: () => false, mayHaveRule: (...about: unknown[]) => void asked.push(about) })
  assert.deepEqual(asked[0], ['questionnaire', { toolName: 'ask_user' }])
})
