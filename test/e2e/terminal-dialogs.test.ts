import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { inRoot } from '../support/root.js'
import { createPlace } from '../support/run-enso.js'
import { openEnsoTerminal, openTerminal } from '../support/terminal.js'

const EXTENSION = inRoot('test/fixtures/extensions/ask-all.js')

/** A run on a terminal whose scripted model asks one question of a kind and then says that it is over. */
async function asks(
  t: TestContext,
  kind: string,
  options: { args?: readonly string[]; env?: Record<string, string> } = {},
) {
  const place = await createPlace(t)
  const turns = [{ toolCalls: [{ name: 'ask_kind', args: { kind } }] }, { text: 'That was all.' }]
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const args = ['--script', script, '-e', EXTENSION, ...(options.args ?? []), 'go']
  return { place, terminal: await openEnsoTerminal(t, place, args, { env: options.env ?? {}, columns: 80, rows: 30 }) }
}

test('a select is answered with the arrow keys', async (t) => {
  const { terminal } = await asks(t, 'select')
  await terminal.waitFor(/● Red\n/)
  await terminal.press('Down', 'Down', 'Enter')
  await terminal.waitFor('answer: "Blue"')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /That was all\./)
})

test('a confirm shows what it is about and is declined by Enter', async (t) => {
  const { terminal } = await asks(t, 'confirm')
  await terminal.waitFor(/This can not be undone\.[^]*Really\?[^]*● No/)
  await terminal.press('Enter')
  await terminal.waitFor('answer: false')
  assert.equal(await terminal.exitCode(), 0)
})

test('an input is typed, with its place-holder', async (t) => {
  const { terminal } = await asks(t, 'input')
  await terminal.waitFor(/Your name\?[^]*somebody/)
  await terminal.type('Ada Lovelace')
  await terminal.press('Enter')
  await terminal.waitFor('answer: "Ada Lovelace"')
  assert.equal(await terminal.exitCode(), 0)
})

test('Esc cancels the question: the run goes on, and it was a person, so it is not blocked', async (t) => {
  const { terminal } = await asks(t, 'input')
  await terminal.waitFor(/somebody/)
  await terminal.press('Escape')
  await terminal.waitFor('answer: null')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /\? Your name\?: cancelled/)
})

test('Ctrl-C in a question stops the run with exit 130', async (t) => {
  const { terminal } = await asks(t, 'select')
  await terminal.waitFor(/● Red\n/)
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
  const screen = await terminal.all()
  assert.match(screen, /✗ aborted/)
  assert.doesNotMatch(screen, /That was all/)
})

test('a text is written in the editor that the environment names', async (t) => {
  const { terminal } = await asks(t, 'editor', {
    env: { EDITOR: 'sh -c \'printf "%s, and edited\\n" "$(cat "$1")" >"$1"\' e' },
  })
  await terminal.waitFor('Commit message')
  await terminal.waitFor('○ Cancel')
  await terminal.press('y')
  await terminal.waitFor('answer: "prefilled text, and edited"')
  assert.equal(await terminal.exitCode(), 0)
})

test('a full-screen editor gets the terminal and gives it back', async (t) => {
  const editor = `${process.execPath} ${inRoot('test/fixtures/programs/tiny-editor.js')}`
  const { terminal } = await asks(t, 'editor', { env: { VISUAL: editor, EDITOR: 'false' } })
  await terminal.waitFor('○ Cancel')
  await terminal.press('y')
  await terminal.waitFor('TINY EDITOR', { visible: true })
  await terminal.type(', and more')
  await terminal.press('C-s')
  await terminal.waitFor('answer: "prefilled text, and more"')
  assert.equal(await terminal.exitCode(), 0)
})

test('an editor that is left without saving cancels the question', async (t) => {
  const editor = `${process.execPath} ${inRoot('test/fixtures/programs/tiny-editor.js')}`
  const { terminal } = await asks(t, 'editor', { env: { EDITOR: editor } })
  await terminal.waitFor('○ Cancel')
  await terminal.press('y')
  await terminal.waitFor('TINY EDITOR', { visible: true })
  await terminal.press('C-q')
  await terminal.waitFor('answer: null')
  assert.equal(await terminal.exitCode(), 0)
})

test('without an editor the text is written in place', async (t) => {
  const { terminal } = await asks(t, 'editor')
  await terminal.waitFor('[ submit ]')
  await terminal.type(', more')
  await terminal.press('Tab', 'Enter')
  await terminal.waitFor('answer: "prefilled text, more"')
  assert.equal(await terminal.exitCode(), 0)
})

test('a question that waits too long is counted down, ends as a timeout, and blocks the run', async (t) => {
  const { terminal } = await asks(t, 'select', { args: ['--dialog-timeout', '2s'] })
  await terminal.waitFor(/Which color\? \(ends in [12] s\)/)
  assert.equal(await terminal.exitCode(), 3)
  assert.match(await terminal.all(), /\? Which color\?: timeout[^]*✗ blocked/)
})

test('a permission is asked for with what it is about, and a person may allow it once or deny it', async (t) => {
  const place = await createPlace(t)
  const call = (command: string): object => ({ toolCalls: [{ name: 'bash', args: { command } }] })
  const turns = [call('touch allowed.txt'), call('touch denied.txt'), { text: 'That was all.' }]
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'go'], {})
  await terminal.waitFor(/touch allowed\.txt[^]*● Allow once/)
  await terminal.press('Enter')
  await terminal.waitFor(/touch denied\.txt\n[^]*● Allow once/)
  await terminal.press('Up', 'Enter')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /denied/)
  assert.deepEqual(readdirSync(place.cwd), ['allowed.txt'])
})

test('a piped standard input leaves the questions to the controlling terminal', async (t) => {
  const place = await createPlace(t)
  const turns = [
    { expect: { lastPromptIncludes: 'some context' }, toolCalls: [{ name: 'ask_kind', args: { kind: 'select' } }] },
    { text: 'That was all.' },
  ]
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const enso = [process.execPath, inRoot('bin/enso.js'), '--script', script, '-e', EXTENSION, 'go']
  const command = ['/bin/sh', '-c', 'echo some context | "$@" >"$0"', `${place.cwd}/out`, ...enso]
  const terminal = await openTerminal(t, command, { cwd: place.cwd, env: place.env })
  await terminal.waitFor(/● Red\n/)
  await terminal.press('Down', 'Enter')
  await terminal.waitFor('answer: "Green"')
  assert.equal(await terminal.exitCode(), 0)
  assert.doesNotMatch(await terminal.all(), /That was all/)
})

test('the line at the bottom says what runs and for how long, and is gone afterwards', async (t) => {
  const place = await createPlace(t)
  const turns = [{ toolCalls: [{ name: 'bash', args: { command: 'sleep 2' } }] }, { text: 'Slept.' }]
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'sleep'], {})
  await terminal.waitFor(/\n. bash sleep 2 · 1 s/)
  assert.equal(await terminal.exitCode(), 0)
  assert.doesNotMatch(await terminal.all(), /bash sleep 2 ·|waiting for the model/)
})

test('Ctrl-C stops a run on a terminal with exit 130 and a word about it', async (t) => {
  const place = await createPlace(t)
  const turns = [{ toolCalls: [{ name: 'bash', args: { command: 'sleep 60' } }] }, { text: 'Slept.' }]
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'sleep'], {})
  await terminal.waitFor(/bash sleep 60 · 1 s/)
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
  assert.match(await terminal.all(), /✗ aborted: stopped by SIGINT/)
})

test('a thread is picked from a list with -r', async (t) => {
  const place = await createPlace(t)
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns: [{ text: 'Noted.' }] }))
  for (const word of ['apples', 'pears']) {
    const terminal = await openEnsoTerminal(t, place, ['--script', script, 'remember', word])
    assert.equal(await terminal.exitCode(), 0)
  }
  const terminal = await openEnsoTerminal(t, place, ['--script', script, 'what was it', '-r'], {})
  await terminal.waitFor(/remember pears[^]*remember apples/)
  await terminal.press('Down', 'Enter')
  assert.equal(await terminal.exitCode(), 0)
  const list = await openEnsoTerminal(t, place, ['threads'])
  assert.equal(await list.exitCode(), 0)
  assert.match(await list.all(), / 4 {2}remember apples[^]* 2 {2}remember pears/)
})
