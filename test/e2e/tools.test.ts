// The agent's own tools end to end: asked on a terminal, over JSON lines, where nobody is, and without any program.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import {
  checkedLines,
  createWorld,
  LOCAL,
  type Line,
  observationsOf,
  resultOf,
  waitForQuestion,
} from '../support/e2e.js'
import { createPlace, type Place, runEnso, startEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const option = (label: string): object => ({ label, description: `means ${label}` })
const COLOUR = {
  header: 'Colour',
  question: 'Which colour?',
  options: [option('red'), option('blue')],
  multiSelect: false,
}
const DAYS = { header: 'Days', question: 'Which days?', options: [option('Mon'), option('Tue')], multiSelect: true }

/** A place and a script in which the model calls tools, one a turn, and then says that it is over. */
async function scripted(t: TestContext, ...calls: readonly object[]): Promise<{ place: Place; script: string }> {
  const place = await createPlace(t)
  const turns = [...calls.map((call) => ({ toolCalls: [call] })), { text: 'That was all.' }]
  return { place, script: await place.write('script.json', JSON.stringify({ version: 1, turns })) }
}

const ask = (...questions: readonly object[]): object => ({ name: 'ask_user', args: { questions } })

/** The results of tools, in order. */
const results = (lines: readonly Line[]): Line[] =>
  observationsOf(lines, 'tool-result').filter((result) => result['complete'] === true)

const ANSWERED =
  '[Colour] Which colour?\nAnswer: blue\n\n[Days] Which days?\nAnswer: Mon, in their own words: not too early'

test('ask_user on a terminal: one question after another, own words, a review, and what the model reads', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR, DAYS))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'go'], { columns: 100, rows: 40 })
  await terminal.waitFor(/2 questions[^]*1 of 2 · Colour: Which colour\?[^]*red: means red/)
  await terminal.press('Down', 'Enter')
  await terminal.waitFor(/2 of 2 · Days: Which days\?[^]*Other: in your own words/)
  await terminal.press('Space', 'Down', 'Down', 'Space', 'Enter')
  await terminal.waitFor('Days: in your own words')
  await terminal.type('not too early')
  await terminal.press('Enter')
  await terminal.waitFor(/Send these answers\?[^]*Change Colour: blue[^]*Change Days: Mon, "not too early"/)
  await terminal.press('Enter')
  assert.equal(await terminal.exitCode(), 0)
  const screen = await terminal.all()
  assert.match(screen, /● ask_user Which colour\?[^]*Colour: blue\n {4}Days: Mon, "not too early"[^]*That was all\./)
  assert.equal(storedResult(place), ANSWERED)
})

test('ask_user declined on a terminal is told in words, and the run goes on', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'go'])
  await terminal.waitFor('Colour: Which colour?')
  await terminal.press('Escape')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /The person declined to answer\.[^]*That was all\./)
})

test('Ctrl-C in ask_user stops the run', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'go'])
  await terminal.waitFor('Colour: Which colour?')
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
  assert.doesNotMatch(await terminal.all(), /That was all/)
})

test('ask_user over JSON lines is one line and one answer; what does not answer it is refused and leaves it open', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR, DAYS))
  const run = startEnso(t, place, ['--json', '--script', script, 'go'], { stdin: 'open' })
  const { id, dialog } = await waitForQuestion(run, 'questionnaire')
  assert.deepEqual(dialog, { method: 'questionnaire', title: '2 questions', questions: [COLOUR, DAYS] })
  const wrong: readonly [unknown, RegExp][] = [
    [[{ selected: ['green'] }, { selected: ['Mon'] }], /question 1 \(Colour\): "green" is not one of the offered/],
    [[{ selected: ['red', 'blue'] }, { selected: ['Mon'] }], /question 1 \(Colour\): it takes one answer/],
    [[{ selected: ['red'] }], /2 question\(s\) and got 1 answer/],
    [[{ selected: ['red'] }, { selected: [] }], /question 2 \(Days\): it is not answered/],
    [[{ selected: ['red'] }, { selected: [], other: '  ' }], /question 2 \(Days\): the free text is blank/],
  ]
  for (const [at, [answers, reason]] of wrong.entries()) {
    run.send({ type: 'dialog', requestId: `wrong-${at}`, id, answers })
    const reply = await run.waitForJson<Line>(({ requestId }) => requestId === `wrong-${at}`)
    assert.deepEqual([reply['ok'], reply['refusal'].code], [false, 'refused'])
    assert.match(reply['refusal'].reason, reason)
  }
  run.send({
    type: 'dialog',
    requestId: 'right',
    id,
    answers: [{ selected: ['blue'] }, { selected: ['Mon'], other: 'not too early' }],
  })
  const reply = await run.waitForJson<Line>(({ requestId }) => requestId === 'right')
  assert.deepEqual([reply['ok'], reply['result']], [true, null])
  const end = await run.ended
  const lines = checkedLines(end.stdout)
  assert.equal(resultOf(end).outcome, 'done')
  assert.equal(observationsOf(lines, 'extension-ui-request').filter(({ blocking }) => blocking).length, 1)
  assert.deepEqual(
    observationsOf(lines, 'dialog-settled').map(({ outcome }) => outcome),
    ['answered'],
  )
  const [result] = results(lines)
  assert.equal(result?.['text'], ANSWERED)
  assert.equal(result?.['descriptor'].kind, 'ask_user')
})

test('an abort while ask_user waits ends the question, and the run', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR))
  const run = startEnso(t, place, ['--json', '--script', script, 'go'], { stdin: 'open' })
  await waitForQuestion(run, 'questionnaire')
  run.send({ type: 'abort' })
  const end = await run.ended
  assert.deepEqual([resultOf(end).outcome, end.exitCode], ['aborted', 130])
  const settled = observationsOf(checkedLines(end.stdout), 'dialog-settled')
  assert.deepEqual(
    settled.map(({ outcome }) => outcome),
    ['aborted'],
  )
})

const UNATTENDED: Readonly<Record<string, { args: readonly string[]; stdin: 'null' | { text: string } }>> = {
  'a text run without a terminal': { args: [], stdin: 'null' },
  'a run told to cancel its questions': { args: ['--json', '--auto-cancel-dialogs'], stdin: 'null' },
  'JSON lines whose input has ended': { args: ['--json'], stdin: { text: '' } },
  'a run with one result at its end': { args: ['--output-format', 'json'], stdin: 'null' },
}

for (const [what, { args, stdin }] of Object.entries(UNATTENDED)) {
  test(`ask_user in ${what} is declined in words, the run goes on and is blocked`, async (t) => {
    const { place, script } = await scripted(t, ask(COLOUR))
    const end = await runEnso(t, place, [...args, '--script', script, 'go'], { stdin })
    assert.equal(end.exitCode, 3, end.stderr)
    assert.equal(storedResult(place), 'Nobody is there to answer: take the questions as declined.')
    assert.match(end.stdout, /That was all\./)
  })
}

test('questions that repeat are refused by what repeats: nobody is asked, the run is not blocked', async (t) => {
  const { place, script } = await scripted(t, ask(COLOUR, COLOUR))
  const end = await runEnso(t, place, ['--json', '--script', script, 'go'], { stdin: 'open' })
  assert.equal(resultOf(end).outcome, 'done')
  const lines = checkedLines(end.stdout)
  assert.match(String(results(lines)[0]?.['text']), /question 2 repeats the header "Colour"/)
  assert.deepEqual(observationsOf(lines, 'dialog-settled'), [])
})

test('a request names ask_user only where somebody, or a standing answer, can answer; the run says where it does not', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const rules = async (rule: object): Promise<string> =>
    place.write('answers.json', JSON.stringify({ answers: [rule] }))
  const fitting = { tool: 'ask_user', answer: { answers: [{ selected: ['red'] }] } }
  const runs: readonly [readonly string[], 'null' | 'open', boolean][] = [
    [['--json'], 'open', true],
    [[], 'null', false],
    [['--json', '--auto-cancel-dialogs'], 'open', false],
    [['--answers', await rules(fitting)], 'null', true],
  ]
  for (const [args, stdin, isOffered] of runs) {
    const end = await runEnso(t, place, [...LOCAL, ...args, 'go'], { stdin })
    assert.equal(end.exitCode, 0, end.stderr)
    const { body } = server.requests.at(-1)!
    const names = (body.tools as Line[]).map((tool) => tool['function'].name as string)
    assert.equal(names.includes('ask_user'), isOffered, args.join(' '))
    assert.equal(/ask_user is not offered to the model/.test(end.stdout + end.stderr), !isOffered, args.join(' '))
  }
  const other = await rules({ method: 'confirm', answer: { confirmed: true } })
  await runEnso(t, place, [...LOCAL, '--answers', other, 'go'])
  assert.doesNotMatch(JSON.stringify(server.requests.at(-1)!.body), /ask_user/)
})

test('find and grep work where neither fd nor rg is, and say what they found as data', async (t) => {
  const calls = [
    { name: 'find', args: { pattern: '*.js' } },
    { name: 'grep', args: { pattern: 'needle' } },
  ]
  const { place, script } = await scripted(t, ...calls)
  await place.write('work/src/a.js', 'before\nneedle\n')
  await place.write('work/.env', 'KEY=needle-secret\n')
  const env = { PATH: place.tmp }
  const end = await runEnso(t, place, ['--json', '--script', script, 'go'], { env })
  assert.equal(resultOf(end).outcome, 'done')
  const [found, lines] = results(checkedLines(end.stdout))
  assert.deepEqual(
    [found?.['text'], found?.['descriptor']],
    ['src/a.js', { kind: 'find', props: { pattern: '*.js', paths: 1 } }],
  )
  assert.deepEqual([lines?.['text'], lines?.['descriptor'].props.matches], ['src/a.js:2: needle', 1])
})

test('web_fetch refuses what is not listed, and this machine, also when it is; the log has no secret of an address', async (t) => {
  const urls = [
    'https://elsewhere.example/?token=hunter2-hunter2-hunter2',
    'http://127.0.0.1/',
    'https://docs.example.com@elsewhere.example/',
  ]
  const { place, script } = await scripted(t, ...urls.map((url) => ({ name: 'web_fetch', args: { url } })))
  await place.write(
    'work/enso.config.json',
    JSON.stringify({ webFetch: { allowedHosts: ['docs.example.com', '127.0.0.1'] } }),
  )
  const env = { SERVICE_TOKEN: 'hunter2-hunter2-hunter2' }
  const end = await runEnso(t, place, ['--json', '--script', script, 'go'], { env })
  const [unlisted, own, login] = results(checkedLines(end.stdout))
  assert.match(String(unlisted?.['text']), /^web_fetch refused \(host-not-allowed\): elsewhere\.example is not listed/)
  assert.match(String(own?.['text']), /^web_fetch refused \(private-address\)/)
  assert.match(String(login?.['text']), /^web_fetch refused \(credentials\)/)
  assert.deepEqual(unlisted?.['descriptor'].props.refused, 'host-not-allowed')
  const log = readdirSync(join(place.ensoHome, 'logs'))
    .map((name) => readFileSync(join(place.ensoHome, 'logs', name), 'utf8'))
    .join('')
  assert.match(log, /elsewhere\.example\/\?token=/)
  assert.doesNotMatch(log, /hunter2/)
})

test('a list with a wildcard grants nothing, and the start, the configuration and web_fetch all say so', async (t) => {
  const { place, script } = await scripted(t, { name: 'web_fetch', args: { url: 'https://a.docs.example.com/' } })
  const webFetch = { allowedHosts: ['docs.example.com', '*.docs.example.com'] }
  await place.write('work/enso.config.json', JSON.stringify({ webFetch }))
  for (const _time of ['first', 'again']) {
    const end = await runEnso(t, place, ['--script', script, 'go'])
    assert.match(end.stderr, /lists '\*\.docs\.example\.com', which is no plain host name: no page is read/)
    assert.doesNotMatch(end.stderr, /lets the agent read pages/)
    assert.match(end.stderr, /web_fetch refused \(config-unreadable\): '\*\.docs\.example\.com'/)
  }
  const shown = await runEnso(t, place, ['config'])
  assert.match(
    shown.stdout,
    /webFetch\.allowedHosts of enso\.config\.json is not counted: '\*\.docs\.example\.com' is no/,
  )
})

test('web_fetch without a configuration says what to add; a shell command that would fetch points to it', async (t) => {
  const calls = [
    { name: 'web_fetch', args: { url: 'https://docs.example.com/' } },
    { name: 'bash', args: { command: 'curl https://docs.example.com/' } },
  ]
  const { place, script } = await scripted(t, ...calls)
  const end = await runEnso(t, place, ['--script', script, 'go'])
  assert.match(end.stderr, /web_fetch refused \(config-unreadable\): there is no enso\.config\.json/)
  assert.match(end.stderr, /refused by policy: network-egress — .*web_fetch/)
})

/** The text of the last stored tool result of the place's only thread. */
function storedResult(place: Place): string {
  const threads = join(place.ensoHome, 'threads')
  const files = readdirSync(threads, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  assert.equal(files.length, 1)
  const entries = readFileSync(join(threads, files[0]!), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const result = entries.findLast(({ message }) => message?.role === 'toolResult')
  return result?.['message'].content[0].text as string
}
