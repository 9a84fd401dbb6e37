import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { textEditor } from '../../../src/cli/dialogs/text-editor.js'
import { fakeTerminal } from '../../support/cli-io.js'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'enso-editor-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const never = new AbortController().signal

test('VISUAL goes before EDITOR, and without either there is no editor', (t) => {
  const dir = folder(t)
  assert.equal(textEditor({ VISUAL: 'a', EDITOR: 'b' }, fakeTerminal(), dir)?.name, 'a')
  assert.equal(textEditor({ VISUAL: '', EDITOR: 'b' }, fakeTerminal(), dir)?.name, 'b')
  assert.equal(textEditor({}, fakeTerminal(), dir), undefined)
})

test('the text lies in a private file that is gone afterwards', async (t) => {
  const dir = folder(t)
  const seen: unknown[] = []
  const editor = textEditor({ EDITOR: 'ed' }, fakeTerminal(), dir, (command, file) => {
    seen.push(command, readFileSync(file, 'utf8'), statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777)
    return Promise.resolve(true)
  })
  assert.equal(await editor?.edit('before', never), 'before')
  assert.deepEqual(seen, ['ed', 'before', 0o600, 0o700])
  assert.deepEqual(readdirSync(dir), [])
})

test('a real program edits the text; its last line feed is not part of it', async (t) => {
  const dir = folder(t)
  const script = `sh -c 'printf "%s and more\\n" "$(cat "$1")" > "$1"' edit`
  const editor = textEditor({ EDITOR: script }, fakeTerminal(), dir)
  assert.equal(await editor?.edit('before', never), 'before and more')
})

test('an editor that fails, or is closed from outside, gives no text', async (t) => {
  const dir = folder(t)
  assert.equal(await textEditor({ EDITOR: 'false' }, fakeTerminal(), dir)?.edit('x', never), undefined)
  const closed = new AbortController()
  const editing = textEditor({ EDITOR: 'sleep 600 #' }, fakeTerminal(), dir)?.edit('x', closed.signal)
  closed.abort()
  assert.equal(await editing, undefined)
  assert.deepEqual(readdirSync(dir), [])
})

test('a program that is not there is a failure to edit, not a hang', async (t) => {
  const editor = textEditor({ EDITOR: '/no/such/editor' }, fakeTerminal(), folder(t))
  assert.equal(await editor?.edit('x', never), undefined)
})
