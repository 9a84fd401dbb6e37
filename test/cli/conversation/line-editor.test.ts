import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLineEditor, type LineRead } from '../../../src/cli/conversation/line-editor.js'
import { fakeTerminal } from '../../support/cli-io.js'

const ESC = '\u001b'

function open(complete: (line: string) => readonly string[] = () => []) {
  const terminal = fakeTerminal()
  const editor = createLineEditor(terminal, complete)
  const closed = new AbortController()
  const read = (draft = '', keys: readonly string[] = []): Promise<LineRead> => {
    const reading = editor.read({ prompt: '> ', draft, closed: closed.signal })
    for (const key of keys) terminal.press(key)
    return reading
  }
  return { terminal, read, closed }
}

test('a line is what was typed, after what was there already', async () => {
  const { read, terminal } = open()
  assert.deepEqual(await read('half ', ['done\r']), { kind: 'line', text: 'half done' })
  assert.equal(terminal.raw(), false)
})

test('the history is kept from one reading to the next', async () => {
  const { read } = open()
  await read('', ['one\r'])
  await read('', ['two\r'])
  assert.deepEqual(await read('', [`${ESC}[A`, `${ESC}[A`, '\r']), { kind: 'line', text: 'one' })
})

test('several readings never see a key twice', async () => {
  const { read } = open()
  for (const word of ['a', 'b', 'c', 'd']) assert.deepEqual(await read('', [`${word}\r`]), { kind: 'line', text: word })
})

test('a pasted text of several lines is one text, and a backslash goes on', async () => {
  const { read } = open()
  const pasted = await read('', [`${ESC}[200~one\rtwo\r`, `three${ESC}[201~\r`])
  assert.deepEqual(pasted, { kind: 'line', text: 'one\ntwo\nthree' })
  assert.deepEqual(await read('', ['one\\\r', 'two\r']), { kind: 'line', text: 'one\ntwo' })
})

test('a draft of several lines comes back whole', async () => {
  const { read } = open()
  assert.deepEqual(await read('one\ntwo', ['!\r']), { kind: 'line', text: 'one\ntwo!' })
})

test('Ctrl-C, Esc and a closing from outside leave what was typed; Ctrl-D on an empty line ends', async () => {
  const { read, terminal, closed } = open()
  assert.deepEqual(await read('', ['abc', '\u0003']), { kind: 'interrupt', draft: 'abc' })
  assert.deepEqual(await read('', ['abc', ESC]), { kind: 'escape', draft: 'abc' })
  assert.deepEqual(await read('', ['\u0004']), { kind: 'end' })
  const reading = read('', ['abc'])
  await new Promise((resolve) => setImmediate(resolve))
  closed.abort()
  assert.deepEqual(await reading, { kind: 'closed', draft: 'abc' })
  assert.equal(terminal.raw(), false)
})

test('an interruption that is only said leaves an empty line, and no key is lost', async () => {
  const terminal = fakeTerminal()
  const editor = createLineEditor(terminal, () => [])
  const closed = new AbortController().signal
  const reading = editor.read({ prompt: '> ', draft: 'a\nb', closed, interrupted: (draft) => `was ${draft.length}` })
  terminal.press('\u0003next\r')
  assert.deepEqual(await reading, { kind: 'line', text: 'next' })
  assert.match(terminal.screen.text(), /was 3\n/)
})

test('a word is completed', async () => {
  const { read, terminal } = open((line) => ['/model', '/thinking'].filter((word) => word.startsWith(line)))
  const reading = read('', ['/mo\t'])
  for (let turn = 0; turn < 1000 && !terminal.screen.text().includes('del'); turn++) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  terminal.press('\r')
  assert.deepEqual(await reading, { kind: 'line', text: '/model' })
})

test('a terminal that goes away ends the reading', async () => {
  const { read, terminal } = open()
  const reading = read()
  terminal.input.push(null)
  assert.deepEqual(await reading, { kind: 'end' })
})
