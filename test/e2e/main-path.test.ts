import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertEnded,
  checkedLines,
  createWorld,
  extension,
  LOCAL,
  observationsOf,
  waitForQuestion,
} from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'

test('a prompt streams its reply on standard output and exits 0', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ deltas: ['Hello', ', ', 'world.'] })
  const end = await runEnso(t, place, [...LOCAL, 'hello'])
  assert.deepEqual([end.exitCode, end.stdout], [0, 'Hello, world.\n'], end.stderr)
})

test('over JSON lines a tool asks select and confirm, a wrong answer is refused, the right ones finish the run', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['select', 'confirm'] } }] }, { text: 'Painted.' })
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('asks'), 'paint'], { stdin: 'open' })
  const select = await waitForQuestion(run, 'select')
  assert.deepEqual(select['dialog'].options, ['red', 'green', 'blue'])
  run.send({ type: 'dialog', requestId: 'wrong', id: select['id'], value: 'purple' })
  const refused = await run.waitForJson(({ requestId }) => requestId === 'wrong')
  assert.deepEqual([refused['ok'], refused['line']], [false, 1])
  assert.equal((refused['refusal'] as { code: string }).code, 'refused')
  run.send({ type: 'dialog', requestId: 'right', id: select['id'], value: 'green' })
  assert.deepEqual(await run.waitForJson(({ requestId }) => requestId === 'right'), {
    type: 'reply',
    requestId: 'right',
    ok: true,
    result: null,
  })
  const confirm = await waitForQuestion(run, 'confirm')
  run.send({ type: 'dialog', requestId: 'late', id: select['id'], value: 'red' })
  assert.equal(
    ((await run.waitForJson(({ requestId }) => requestId === 'late'))['refusal'] as { code: string }).code,
    'unknown-dialog',
  )
  run.send({ type: 'dialog', id: confirm['id'], confirmed: true })
  const end = await run.ended
  const result = assertEnded(end, 'done', 0)
  assert.equal(result.text, 'Painted.')
  assert.equal(result.dialogs.answered, 2)
  const told = observationsOf(checkedLines(end.stdout), 'tool-result').find(({ complete }) => complete)
  assert.equal(told!['text'], 'answers: ["green",true]')
})

test('the same with --auto-cancel-dialogs says both questions and how they ended, and exits 3', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(
    { toolCalls: [{ name: 'ask_things', args: { ask: ['select', 'confirm'] } }] },
    { text: 'Left as it is.' },
  )
  const args = ['--json', '--auto-cancel-dialogs', ...LOCAL, ...extension('asks'), 'paint']
  const end = await runEnso(t, place, args, { stdin: 'open' })
  const result = assertEnded(end, 'blocked', 3)
  assert.equal(result.dialogs.cancelled, 2)
  const lines = checkedLines(end.stdout)
  assert.equal(observationsOf(lines, 'extension-ui-request').filter(({ blocking }) => blocking).length, 2)
  assert.deepEqual(
    observationsOf(lines, 'dialog-settled').map(({ outcome }) => outcome),
    ['cancelled', 'cancelled'],
  )
})

test('a second prompt while the first runs is admitted, queued and answered', async (t) => {
  const { server, place } = await createWorld(t)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  server.enqueue({ deltas: ['first ', 'reply'], delayUntil: held }, { text: 'second reply' })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'one'], { stdin: 'open' })
  await run.waitForJson(({ observation }) => (observation as { kind?: string } | undefined)?.kind === 'text-delta')
  run.send({ type: 'prompt', requestId: 'two', message: 'and two' })
  const reply = await run.waitForJson(({ requestId }) => requestId === 'two')
  assert.equal((reply['result'] as { queued: boolean }).queued, true)
  release()
  const end = await run.ended
  assert.equal(assertEnded(end, 'done', 0).text, 'second reply')
  const asked = server.requests[1]!.body.messages as { role: string; content: unknown }[]
  assert.deepEqual(asked.filter(({ role }) => role === 'user').length, 2)
})

test('-c continues the newest thread with its history, and says which', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'I will remember 42.' }, { text: 'It was 42.' })
  assert.equal((await runEnso(t, place, [...LOCAL, 'remember 42'])).exitCode, 0)
  const end = await runEnso(t, place, [...LOCAL, '-c', 'which number?'])
  assert.deepEqual([end.exitCode, end.stdout], [0, 'It was 42.\n'], end.stderr)
  assert.match(end.stderr, /continuing thread/)
  const asked = JSON.stringify(server.requests[1]!.body.messages)
  assert.match(asked, /remember 42.*I will remember 42\..*which number/)
})

test('no model at all is exit 5 and says what to do, the demo included', async (t) => {
  const { place } = await createWorld(t)
  await place.write('home/.enso/agent/models.json', '{"providers":{}}')
  const end = await runEnso(t, place, ['hello'])
  assert.equal(end.exitCode, 5, end.stderr)
  assert.match(end.stderr, /enso demo/)
})
