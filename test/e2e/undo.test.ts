import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { EnsoUndoReport } from '../../src/cli/undo/undo-thread.js'
import { lazyValidator } from '../../src/core/index.js'
import { allowTools, createWorld, extension, LOCAL } from '../support/e2e.js'
import { type Place, runEnso, startEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const write = (path: string, content: string) => ({ name: 'write', args: { path, content } })
const edit = (path: string, oldText: string, newText: string) => ({
  name: 'edit',
  args: { path, edits: [{ oldText, newText }] },
})
const read = (path: string) => ({ name: 'read', args: { path } })

interface Changed {
  readonly place: Place
  readonly server: Awaited<ReturnType<typeof createWorld>>['server']
  text(name: string): string | undefined
}

/** A thread of two runs: the first makes notes.txt and edits main.txt, the second edits main.txt again. */
async function changed(t: TestContext): Promise<Changed> {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'write', 'edit')
  await place.write('work/main.txt', 'one\ntwo\nthree\n')
  server.enqueue(
    { toolCalls: [read('main.txt')] },
    { toolCalls: [write('notes.txt', 'remember\n'), edit('main.txt', 'two', '2')] },
    { text: 'changed' },
    { toolCalls: [read('main.txt')] },
    { toolCalls: [edit('main.txt', 'three', '3')] },
    { text: 'changed again' },
  )
  for (const args of [
    ['--thread-id', 'undoable', ...LOCAL, 'first'],
    ['-r', 'undoable', ...LOCAL, 'second'],
  ]) {
    assert.equal((await runEnso(t, place, args)).exitCode, 0)
  }
  const text = (name: string): string | undefined => {
    const file = join(place.cwd, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  assert.deepEqual([text('main.txt'), text('notes.txt')], ['one\n2\n3\n', 'remember\n'])
  return { place, server, text }
}

test('undo shows the difference, gives the last run’s files back, then the one’s before it', async (t) => {
  const { place, text } = await changed(t)
  const last = await runEnso(t, place, ['threads', 'undo', 'undoable', '--yes'])
  assert.equal(last.exitCode, 0, last.stderr)
  assert.match(last.stdout, /^~ main\.txt\n[^]*-3\n\s+\+three/m)
  assert.equal(last.stderr, 'given back to before prompt 2\n')
  assert.deepEqual([text('main.txt'), text('notes.txt')], ['one\n2\nthree\n', 'remember\n'])
  const first = await runEnso(t, place, ['threads', 'undo', 'undoable', '--yes'])
  assert.match(first.stdout, /- notes\.txt is removed/)
  assert.deepEqual([text('main.txt'), text('notes.txt')], ['one\ntwo\nthree\n', undefined])
  const nothing = await runEnso(t, place, ['threads', 'undo', 'undoable', '--yes'])
  assert.equal(nothing.exitCode, 2)
  assert.match(nothing.stderr, /nothing of thread undoable to undo/)
})

test('--to gives back everything from a prompt on; --json looks, and with --yes does it', async (t) => {
  const { place, text } = await changed(t)
  const look = await runEnso(t, place, ['threads', 'undo', 'undoable', '--to', '1', '--json'])
  const report = JSON.parse(look.stdout) as EnsoUndoReport
  assert.ok(lazyValidator(EnsoUndoReport).check(report))
  assert.deepEqual([report.prompt, report.undone, report.files.length], [1, false, 2])
  assert.equal(text('main.txt'), 'one\n2\n3\n')
  const done = await runEnso(t, place, ['threads', 'undo', 'undoable', '--to', '1', '--json', '--yes'])
  assert.equal((JSON.parse(done.stdout) as EnsoUndoReport).undone, true)
  assert.deepEqual([text('main.txt'), text('notes.txt')], ['one\ntwo\nthree\n', undefined])
})

test('a file that has changed since keeps everything as it is', async (t) => {
  const { place, text } = await changed(t)
  writeFileSync(join(place.cwd, 'main.txt'), 'mine\n')
  const end = await runEnso(t, place, ['threads', 'undo', 'undoable', '--to', '1', '--yes'])
  assert.equal(end.exitCode, 1)
  assert.match(end.stdout, /✗ main\.txt: it has changed since/)
  assert.equal(end.stderr, 'nothing was given back\n')
  assert.deepEqual([text('main.txt'), text('notes.txt')], ['mine\n', 'remember\n'])
})

test('without a terminal it has to be said with --yes; on one it is asked', async (t) => {
  const { place, text } = await changed(t)
  const silent = await runEnso(t, place, ['threads', 'undo', 'undoable'])
  assert.equal(silent.exitCode, 2)
  assert.match(silent.stdout, /~ main\.txt/)
  assert.match(silent.stderr, /--yes/)
  assert.equal(text('main.txt'), 'one\n2\n3\n')
  const no = await openEnsoTerminal(t, place, ['threads', 'undo', 'undoable'])
  await no.waitFor('Give this file back?')
  await no.press('Enter')
  assert.equal(await no.exitCode(), 0)
  assert.equal(text('main.txt'), 'one\n2\n3\n')
  const yes = await openEnsoTerminal(t, place, ['threads', 'undo', 'undoable'])
  await yes.waitFor('Give this file back?')
  await yes.press('y')
  assert.equal(await yes.exitCode(), 0)
  assert.equal(text('main.txt'), 'one\n2\nthree\n')
})

test('what is kept is private, and goes with the thread; an ephemeral thread keeps nothing', async (t) => {
  const { place, server } = await changed(t)
  const kept = join(place.ensoHome, 'undo', 'undoable')
  assert.equal(statSync(kept).mode & 0o777, 0o700)
  assert.equal((await runEnso(t, place, ['threads', 'rm', 'undoable'])).exitCode, 0)
  assert.equal(existsSync(kept), false)
  server.enqueue({ toolCalls: [write('gone.txt', 'x')] }, { text: 'done' })
  await runEnso(t, place, ['--ephemeral', '--thread-id', 'fleeting', ...LOCAL, 'write'])
  assert.equal(existsSync(join(place.ensoHome, 'undo', 'fleeting')), false)
})

test('a thread that is at work is not undone under it', async (t) => {
  const { place, server } = await changed(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }, { text: 'done' })
  const run = startEnso(t, place, ['--json', '-r', 'undoable', ...LOCAL, ...extension('asks'), 'ask'], {
    stdin: 'open',
  })
  await run.waitForLine(/"extension-ui-request"/)
  const end = await runEnso(t, place, ['threads', 'undo', 'undoable', '--yes'])
  assert.equal(end.exitCode, 6, end.stderr)
  run.kill('SIGTERM')
  await run.ended
})
