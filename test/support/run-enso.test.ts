import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlace, jsonLines, startProcess } from './run-enso.js'
import { openTerminal } from './terminal.js'

test('a started process hands out its lines as they come, then its end', async (t) => {
  const place = await createPlace(t)
  const script = `process.stdin.once('data', (d) => { console.log(JSON.stringify({ got: String(d).trim() })); process.exit(7) })
    console.log('{"type":"ready"}'); console.error('note ' + Object.keys(process.env).includes('OPENAI_API_KEY'))`
  const child = startProcess(t, process.execPath, ['-e', script], { stdin: 'open', cwd: place.cwd, env: place.env })
  assert.deepEqual(await child.waitForJson((line) => line['type'] === 'ready'), { type: 'ready' })
  assert.equal(await child.waitForLine(/^note/, 'stderr'), 'note false')
  child.send('hello\n')
  const end = await child.ended
  assert.equal(end.exitCode, 7)
  assert.deepEqual(jsonLines(end.stdout), [{ type: 'ready' }, { got: 'hello' }])
  await assert.rejects(child.waitForLine(/never/), /ended without the expected line/)
})

test('standard input can be closed, and a signal is an exit code', async (t) => {
  const place = await createPlace(t)
  const closed = startProcess(t, '/bin/sh', ['-c', 'test -e /proc/self/fd/0 && echo open || echo none'], {
    stdin: 'closed',
    cwd: place.cwd,
    env: place.env,
  })
  assert.equal((await closed.ended).stdout, 'none\n')
  const sleeper = startProcess(t, process.execPath, ['-e', 'setInterval(() => {}, 1e6); console.log("up")'], {
    cwd: place.cwd,
    env: place.env,
  })
  await sleeper.waitForLine(/up/)
  sleeper.kill('SIGTERM')
  assert.deepEqual([(await sleeper.ended).exitCode, (await sleeper.ended).signal], [143, 'SIGTERM'])
})

test('a terminal takes keys, shows the screen, changes size and tells the exit code', async (t) => {
  const place = await createPlace(t)
  const script = `process.stdout.on('resize', () => console.log('width ' + process.stdout.columns))
    console.log('tty ' + process.stdin.isTTY + ' ' + process.stdout.columns)
    process.stdin.on('data', (d) => { console.log('got ' + String(d).trim()); if (/bye/.test(d)) process.exit(5) })`
  const terminal = await openTerminal(t, [process.execPath, '-e', script], {
    cwd: place.cwd,
    env: place.env,
    columns: 70,
  })
  await terminal.waitFor('tty true 70')
  await terminal.resize(90, 20)
  await terminal.waitFor('width 90')
  await terminal.type('hello')
  await terminal.press('Enter')
  await terminal.waitFor(/^got hello$/m)
  assert.ok((await terminal.pid()) > 0)
  await terminal.type('bye')
  await terminal.press('Enter')
  assert.equal(await terminal.exitCode(), 5)
  assert.match(await terminal.all(), /got bye/)
  await assert.rejects(terminal.waitFor('never there', { boundMs: 100 }), /never showed/)
})

test('a program on a terminal that a signal ended has 128 and its number', async (t) => {
  const place = await createPlace(t)
  const terminal = await openTerminal(t, ['sh', '-c', 'echo up; exec sleep 600'], {
    cwd: place.cwd,
    env: place.env,
  })
  await terminal.waitFor(/^up$/m)
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
})
