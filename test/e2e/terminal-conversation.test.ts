import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createPlace, ensoBin } from '../support/run-enso.js'
import { openEnsoTerminal, openTerminal } from '../support/terminal.js'

/** A conversation with a scripted model. `slow` is a turn that streams for a minute unless it is stopped. */
async function converse(t: TestContext, turns: readonly object[], args: readonly string[] = []) {
  const place = await createPlace(t)
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns }))
  const terminal = await openEnsoTerminal(t, place, ['--script', script, ...args], { columns: 90, rows: 30 })
  await terminal.waitFor(/^›/m)
  const enter = async (text: string): Promise<void> => {
    await terminal.type(text)
    await terminal.press('Enter')
  }
  return { ...terminal, enter }
}

const slow = (word: string): object => ({
  text: { deltas: Array.from({ length: 600 }, (_, index) => `${word}${index} `), delayMs: 100 },
})

test('prompt after prompt, with the history, until Ctrl-D', async (t) => {
  const terminal = await converse(t, [{ text: 'First answer.' }, { text: 'Second answer.' }])
  await terminal.enter('one question')
  await terminal.waitFor(/First answer\.\n+.* turn.*\n+›/)
  await terminal.press('Up')
  await terminal.waitFor(/First answer\.\n+.* turn.*\n+› one question/)
  await terminal.press('Enter')
  await terminal.waitFor(/Second answer\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), /2 turns/)
})

test('Ctrl-C stops the run and not the conversation; Ctrl-C at the prompt says how to leave', async (t) => {
  const terminal = await converse(t, [slow('w'), { text: 'Still here.' }])
  await terminal.enter('go')
  await terminal.waitFor('w3')
  await terminal.press('C-c')
  await terminal.waitFor(/stopping…[^]*\n›/)
  assert.match(await terminal.all(), /^stopping…$/m)
  await terminal.enter('are you there?')
  await terminal.waitFor(/Still here\.\n+.* turn.*\n+›/)
  await terminal.press('C-c')
  await terminal.waitFor(/Still here[^]*Ctrl-D leaves\n›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('a letter typed during a run opens a line; what is sent interrupts, Esc takes it back', async (t) => {
  const terminal = await converse(
    t,
    [
      { text: 'Looking.', toolCalls: [{ name: 'bash', args: { command: 'sleep 3' } }] },
      { expect: { lastPromptIncludes: 'look elsewhere' }, text: 'Elsewhere it is.' },
    ],
    ['--permission-mode', 'default'],
  )
  await terminal.enter('go')
  await terminal.waitFor('● bash sleep 3')
  await terminal.type('never mind')
  await terminal.waitFor('+ never mind')
  await terminal.press('Escape')
  await terminal.waitFor(/● bash sleep 3\n(?![^]*never mind)/)
  await terminal.enter('look elsewhere')
  await terminal.waitFor(/Elsewhere it is\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('what waited when the run was stopped is offered again', async (t) => {
  const terminal = await converse(t, [
    slow('w'),
    { expect: { lastPromptIncludes: 'and then this' }, text: 'Both done.' },
  ])
  await terminal.enter('go')
  await terminal.waitFor('w2')
  await terminal.enter('and then this')
  await terminal.waitFor('waiting: "and then this"')
  await terminal.press('C-c')
  await terminal.waitFor(/\n› and then this/)
  await terminal.press('Enter')
  await terminal.waitFor(/Both done\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.doesNotMatch(await terminal.all(), /not sent any more/)
})

test('slash commands are listed, completed, run by their kind, and refused when there is none', async (t) => {
  const terminal = await converse(t, [{ text: 'Hi.' }])
  await terminal.enter('hello')
  await terminal.waitFor(/Hi\.\n+.* turn.*\n+›/)
  await terminal.enter('/')
  await terminal.waitFor(/\/help +this list[^]*\/model [^]*\/thinking /)
  await terminal.type('/thin')
  await terminal.press('Tab')
  await terminal.waitFor('› /thinking')
  await terminal.press('Enter')
  await terminal.waitFor('● medium')
  await terminal.press('Down', 'Enter')
  await terminal.waitFor(/model: [^ ]+, thinking high/)
  await terminal.enter('/thinkin')
  await terminal.waitFor('did you mean /thinking?')
  await terminal.enter('/context')
  await terminal.waitFor(/context: /)
  await terminal.enter('/quit')
  assert.equal(await terminal.exitCode(), 0)
})

test('settings can be made before the first prompt: commands begin the thread', async (t) => {
  const terminal = await converse(t, [{ text: 'Hi.' }])
  await terminal.enter('/thinking')
  await terminal.waitFor('● medium')
  await terminal.press('Down', 'Enter')
  await terminal.waitFor(/model: [^ ]+, thinking high\n›/)
  await terminal.enter('/nosuch')
  await terminal.waitFor('there is no command /nosuch')
  await terminal.enter('hello')
  await terminal.waitFor(/Hi\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('without a model the first word says what helps, once, and /login is there', async (t) => {
  const place = await createPlace(t)
  const terminal = await openEnsoTerminal(t, place, [], { columns: 100, rows: 30 })
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor(/✗ [^\n]*no model with credentials[^]*\n›/)
  const all = await terminal.all()
  assert.equal(all.match(/no model with credentials/g)?.length, 1, all)
  assert.doesNotMatch(all, /0 in/)
  await terminal.type('/login')
  await terminal.press('Enter')
  await terminal.waitFor(/anthropic/i)
  await terminal.press('Escape')
  await terminal.waitFor(/\n›$/, { visible: true })
  await terminal.press('C-d')
})

test('a text of several lines is one prompt, pasted or continued', async (t) => {
  const terminal = await converse(t, [
    { expect: { lastPromptIncludes: 'first\nsecond' }, text: 'Two lines.' },
    { expect: { lastPromptIncludes: 'third\nfourth' }, text: 'Two more.' },
  ])
  await terminal.type('\u001b[200~first\rsecond\u001b[201~')
  await terminal.waitFor('… second')
  await terminal.press('Enter')
  await terminal.waitFor(/Two lines\.\n+.* turn.*\n+›/)
  await terminal.enter('third\\')
  await terminal.enter('fourth')
  await terminal.waitFor(/Two more\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('a question takes the terminal from a line that was being written, and gives it back', async (t) => {
  const question = {
    header: 'Kind',
    question: 'Which kind?',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
  }
  const terminal = await converse(t, [
    { text: 'Thinking.', toolCalls: [{ name: 'bash', args: { command: 'sleep 2' } }] },
    { toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] },
    { expect: { lastResultIncludes: 'Blue' }, text: 'Blue it is.' },
  ])
  await terminal.enter('go')
  await terminal.waitFor('● bash sleep 2')
  await terminal.type('half a thou')
  await terminal.waitFor('Kind: Which kind?')
  await terminal.press('Down', 'Enter')
  await terminal.waitFor('Send these answers?')
  await terminal.press('Enter')
  await terminal.waitFor(/[+›] half a thou/)
  await terminal.press('Escape')
  await terminal.waitFor(/Blue it is\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('Ctrl-C in a question stops the run, and the conversation goes on', async (t) => {
  const question = {
    header: 'Kind',
    question: 'Which kind?',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
  }
  const terminal = await converse(t, [
    { toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] },
    { text: 'Going on.' },
    { text: 'Going on.' },
  ])
  await terminal.enter('go')
  await terminal.waitFor('Kind: Which kind?')
  await terminal.press('C-c')
  await terminal.waitFor(/stopping…[^]*\n›/)
  await terminal.enter('and now?')
  await terminal.waitFor(/Going on\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
})

test('the terminal is left as it was found', async (t) => {
  const place = await createPlace(t)
  const script = await place.write('script.json', JSON.stringify({ version: 1, turns: [{ text: 'Hi.' }] }))
  const command = ['/bin/sh', '-c', '"$0" "$@"; stty -a', process.execPath, ensoBin, '--script', script]
  const terminal = await openTerminal(t, command, { cwd: place.cwd, env: place.env })
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor(/Hi\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  assert.match(await terminal.all(), / icanon [^]* echo /)
})

test('each run of a conversation ends with what it cost, and where it failed with why; nothing is said twice', async (t) => {
  const terminal = await converse(t, [
    { text: 'First.', usage: { input: 700, output: 30, cost: 0.02 } },
    { error: { message: 'no such key', status: 401 } },
  ])
  await terminal.enter('one')
  await terminal.waitFor(/First\.\n+700 in · 30 out · \$0\.02 · 1 turn · [^\n]*\n+›/)
  await terminal.enter('two')
  await terminal.waitFor(/✗ provider: [^\n]*no such key[^\n]*\n[^]*\n›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 5)
  const all = await terminal.all()
  assert.equal(all.match(/✗ provider: /g)?.length, 1, all)
})

test('a fault that ends a conversation is said once', async (t) => {
  const place = await createPlace(t)
  const script = await place.write('script.json', '{"version":1,"turns":[]}')
  const terminal = await openTerminal(t, [process.execPath, ensoBin, '--script', script], {
    cwd: place.cwd,
    env: place.env,
  })
  await terminal.waitFor(/^›/m)
  await terminal.type('hello')
  await terminal.press('Enter')
  assert.equal(await terminal.exitCode(), 2)
  const all = await terminal.all()
  assert.equal(all.match(/✗/g)?.length, 1, all)
  assert.match(all, /✗ usage: .*script/)
})
