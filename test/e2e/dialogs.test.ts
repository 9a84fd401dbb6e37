import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  assertEnded,
  checkedLines,
  createWorld,
  extension,
  LOCAL,
  observationsOf,
  resultOf,
  waitForQuestion,
} from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'

const asking = (...ask: string[]) => ({ toolCalls: [{ name: 'ask_things', args: { ask } }] })
const ARGS = [...LOCAL, ...extension('asks'), 'hello']
const answersOf = (stdout: string): unknown =>
  JSON.parse(/answers: (\[.*?\])"/.exec(stdout.replaceAll('\\"', "'"))![1]!.replaceAll("'", '"'))

test('a question nobody can answer never hangs: each kind gets its cancel value at once, and the run is blocked', async (t) => {
  const { server, place } = await createWorld(t)
  for (const [mode, stdin] of [
    [['--json'], 'null'],
    [['--json', '--auto-cancel-dialogs'], 'open'],
    [['--output-format', 'json'], 'null'],
    [[], 'null'],
  ] as const) {
    server.enqueue(asking('select', 'confirm', 'input', 'editor'), { text: 'went on' })
    const requests = server.requests.length
    const end = await runEnso(t, place, [...mode, ...ARGS], { stdin, boundMs: 15_000 })
    assert.equal(end.exitCode, 3, `${mode.join(' ')}\n${end.stderr}`)
    const told = JSON.stringify(server.requests[requests + 1]!.body.messages.at(-1))
    assert.match(told, /answers: \[null,false,null,null\]/)
    if (mode.length > 0) assert.equal(resultOf(end).dialogs.cancelled, 4)
  }
})

test('the end of input with a question open cancels it, and the run that goes on is blocked', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(asking('confirm', 'select'), { text: 'went on' })
  const run = startEnso(t, place, ['--json', ...ARGS], { stdin: 'open', boundMs: 15_000 })
  await waitForQuestion(run, 'confirm')
  run.endInput()
  const end = await run.ended
  const result = assertEnded(end, 'blocked', 3)
  assert.equal(result.dialogs.cancelled, 2)
  assert.equal(result.text, 'went on')
})

test('a person’s own cancel, and an answer, are not blocked', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(asking('confirm', 'input', 'editor'), { text: 'fine' })
  const run = startEnso(t, place, ['--json', ...ARGS], { stdin: 'open', boundMs: 15_000 })
  run.send({ type: 'dialog', id: (await waitForQuestion(run, 'confirm'))['id'], cancelled: true })
  run.send({ type: 'dialog', id: (await waitForQuestion(run, 'input'))['id'], value: 'a\nname' })
  run.send({ type: 'dialog', id: (await waitForQuestion(run, 'editor'))['id'], value: '' })
  const end = await run.ended
  const result = assertEnded(end, 'done', 0)
  assert.deepEqual([result.dialogs.cancelled, result.dialogs.answered], [1, 2])
})

test('answers that don’t answer are refused one by one and the question stays open', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(asking('select'), { text: 'ok' })
  const run = startEnso(t, place, ['--json', ...ARGS], { stdin: 'open', boundMs: 15_000 })
  const { id } = await waitForQuestion(run, 'select')
  const wrong: [object, string][] = [
    [{ id, value: 'yellow' }, 'refused'],
    [{ id, confirmed: true }, 'refused'],
    [{ id }, 'malformed'],
    [{ id, value: 'red', cancelled: true }, 'malformed'],
    [{ id, value: 7 }, 'malformed'],
    [{ value: 'red' }, 'malformed'],
    [{ id: 'no-such-question', value: 'red' }, 'unknown-dialog'],
    [{ id: 'no-such-question', cancelled: true }, 'unknown-dialog'],
  ]
  for (const [index, [body, code]] of wrong.entries()) {
    run.send({ type: 'dialog', requestId: `w${index}`, ...body })
    const reply = await run.waitForJson(({ requestId }) => requestId === `w${index}`)
    assert.equal((reply['refusal'] as { code: string } | undefined)?.code, code, JSON.stringify(body))
  }
  run.send({ type: 'dialog', id, value: 'blue' })
  const end = await run.ended
  assertEnded(end, 'done', 0)
  assert.equal(observationsOf(checkedLines(end.stdout), 'dialog-settled').length, 1)
})

test('a timeout is its own outcome, and after one that nobody said a word to, nobody is asked again', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(asking('confirm', 'select', 'input'), { text: 'went on' })
  const args = ['--json', '--dialog-timeout', '300ms', ...ARGS]
  const end = await runEnso(t, place, args, { stdin: 'open', boundMs: 15_000 })
  const result = assertEnded(end, 'blocked', 3)
  assert.deepEqual([result.dialogs.timedOut, result.dialogs.cancelled], [1, 2])
  const lines = checkedLines(end.stdout)
  const settled = observationsOf(lines, 'dialog-settled').map(({ outcome }) => outcome)
  assert.deepEqual(settled, ['timeout', 'cancelled', 'cancelled'])
  const first = observationsOf(lines, 'extension-ui-request').find(({ blocking }) => blocking)
  assert.equal(first!['dialog'].timeout, 300)
})

test('the asker’s own deadline counts too', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'], timeout: 200 } }] }, { text: 'went on' })
  const end = await runEnso(t, place, ['--json', ...ARGS], { stdin: 'open', boundMs: 15_000 })
  assert.equal(assertEnded(end, 'blocked', 3).dialogs.timedOut, 1)
})

test('standing answers: the first rule that fits answers, is said, and an unfit one never does', async (t) => {
  const { server, place } = await createWorld(t)
  const file = await place.write(
    'answers.json',
    JSON.stringify({
      answers: [
        { method: 'select', answer: { value: 'mauve' } },
        { method: 'select', title: 'colour', answer: { value: 'blue' } },
        { tool: 'ask_things', method: 'confirm', text: 'wall', answer: { confirmed: true } },
      ],
    }),
  )
  server.enqueue(asking('select', 'confirm'), { text: 'ok' })
  const end = await runEnso(t, place, ['--json', '--answers', file, ...ARGS])
  const result = assertEnded(end, 'done', 0)
  assert.equal(result.dialogs.byRule, 2)
  assert.deepEqual(answersOf(end.stdout), ['blue', true])
  assert.match(end.stderr, /answered by rule 2: Which colour\?/)

  server.enqueue(asking('select', 'input'), { text: 'ok' })
  const partly = await runEnso(t, place, ['--json', '--answers', file, ...ARGS])
  const blocked = assertEnded(partly, 'blocked', 3)
  assert.deepEqual([blocked.dialogs.byRule, blocked.dialogs.cancelled], [1, 1])
})

test('an answers file that can’t be used is a usage error that names it and the place', async (t) => {
  const { place } = await createWorld(t)
  const file = await place.write('answers.json', '{"answers":[{"answer":{"value":1}}]}')
  const end = await runEnso(t, place, ['--json', '--answers', file, ...ARGS])
  assert.match(assertEnded(end, 'usage', 2).reason ?? '', /answers\.json.*\/answers\/0/)
})

test('a question is on the stream with all a program needs to draw it itself', async (t) => {
  const { server, place } = await createWorld(t)
  const question = {
    header: 'Database',
    question: 'Which one?',
    options: [
      { label: 'SQLite', description: 'one file' },
      { label: 'Postgres', description: 'a server' },
    ],
    multiSelect: false,
  }
  server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] }, { text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { stdin: 'open', boundMs: 15_000 })
  const asked = await waitForQuestion(run, 'questionnaire')
  assert.deepEqual(asked['dialog'].questions, [question])
  run.send({ type: 'dialog', id: asked['id'], answers: [{ selected: ['SQLite'] }] })
  assertEnded(await run.ended, 'done', 0)
  assert.match(JSON.stringify(server.requests[1]!.body.messages.at(-1)), /SQLite/)
})

test('the agent’s own question where nobody can answer is a worded decline, not an empty one', async (t) => {
  const { server, place } = await createWorld(t)
  const question = {
    header: 'Db',
    question: 'Which?',
    options: [
      { label: 'a', description: '' },
      { label: 'b', description: '' },
    ],
    multiSelect: false,
  }
  server.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] }, { text: 'went on' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  const told = observationsOf(checkedLines(end.stdout), 'tool-result').find(({ complete }) => complete)
  assert.ok(String(told!['text']).length > 20, String(told!['text']))
  assert.equal(end.exitCode, 3)
})

test('a tool that needs an approval nobody can give is denied, by a rule that is named, and all denied is blocked', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'touch made' } }] }, { text: 'I could not.' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  const result = assertEnded(end, 'blocked', 3)
  assert.deepEqual(result.denials, { 'permission-mode': 1 })
  assert.match(end.stdout, /"customType":"enso-permission-denial"/)
  assert.equal(existsSync(join(place.cwd, 'made')), false)
})
