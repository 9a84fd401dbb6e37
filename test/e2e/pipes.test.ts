import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { allowTools, assertEnded, createWorld, LOCAL } from '../support/e2e.js'
import { createPlace, ensoBin, type EnsoProcess, startEnso } from '../support/run-enso.js'

const sh = promisify(execFile)
const MB = 1024 * 1024
/** Resident megabytes; 0 once the process is gone. */
function rss({ pid }: EnsoProcess): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

for (const [name, bytes] of [
  ['300 KB', 300 * 1024],
  ['50 MB', 50 * MB],
] as const) {
  test(`a reply of ${name} to a reader that sleeps first arrives whole, as text and as JSON lines`, async (t) => {
    const { server, place } = await createWorld(t)
    server.otherwise({ large: { bytes, chunk: 4096 } })
    for (const [index, mode] of [[], ['--json']].entries()) {
      const child = spawn(process.execPath, [ensoBin, ...mode, ...LOCAL, 'hello'], {
        cwd: place.cwd,
        env: place.env,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const chunks: Buffer[] = []
      child.stdout.pause()
      // The model has said all of it before anybody reads a word.
      await (
        await server.waitForRequest(index + 1)
      ).closed
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
      const exitCode = await new Promise((resolve) => child.on('close', resolve))
      const stdout = Buffer.concat(chunks).toString()
      if (mode.length === 0) assert.deepEqual([exitCode, stdout.length], [0, bytes + 1])
      else assert.equal(assertEnded({ stdout, exitCode: Number(exitCode), stderr: '' }, 'done', 0).text.length, bytes)
    }
  })
}

test('a reader that is slow all the way loses nothing and costs bounded memory', async (t) => {
  const { server, place } = await createWorld(t)
  const bytes = 20 * MB
  server.otherwise({ large: { bytes, chunk: 256 } })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { paused: true, boundMs: 120_000 })
  const stdout = run.child.stdout!
  let highest = 0
  // A sip now and then, for a while; then the rest.
  const sips = setInterval(() => {
    highest = Math.max(highest, rss(run))
    stdout.resume()
    setImmediate(() => stdout.pause())
  }, 4)
  setTimeout(() => {
    clearInterval(sips)
    setImmediate(() => stdout.resume())
  }, 6000)
  const end = await run.ended
  clearInterval(sips)
  assert.equal(assertEnded(end, 'done', 0).text.length, bytes)
  assert.ok(highest < 600, `${Math.round(highest)} MB at most`)
})

test('`| head -1` prints nothing on standard error and ends the run', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ large: { bytes: 2 * MB, chunk: 256 } })
  for (const mode of ['', '--json']) {
    const line = `${process.execPath} ${ensoBin} ${mode} --quiet ${LOCAL.join(' ')} hello | head -1 >/dev/null; echo "exit \${PIPESTATUS[0]}"`
    const { stdout, stderr } = await sh('bash', ['-c', line], { cwd: place.cwd, env: place.env, timeout: 30_000 })
    assert.deepEqual([stdout, stderr], ['exit 141\n', ''], mode)
  }
})

test('a reader that leaves stops the run, its tools included: 141, no result, nothing more is asked or changed', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  server.enqueue({
    text: 'first',
    toolCalls: [
      { name: 'bash', args: { command: 'for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.3; done; touch changed' } },
    ],
  })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
  await run.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'tool-call')
  run.child.stdout!.destroy()
  const end = await run.ended
  assert.deepEqual([end.exitCode, end.stderr], [141, ''])
  assert.equal(end.stdout.includes('"type":"result"'), false)
  assert.equal(server.requests.length, 1)
  await assert.rejects(sh('ls', ['changed'], { cwd: place.cwd }))
})

test('what every other command prints is no success when it got nowhere: said on a full disk, quiet without a reader', async (t) => {
  const place = await createPlace(t)
  for (const command of [
    '--version',
    '--help',
    'help --man',
    'schema',
    'completion bash',
    'config',
    'stats',
    'threads',
  ]) {
    const enso = `${process.execPath} ${ensoBin} ${command}`
    const full = await sh('bash', ['-c', `${enso} >/dev/full; echo "exit $?"`], { cwd: place.cwd, env: place.env })
    assert.equal(full.stdout, 'exit 1\n', command)
    assert.equal(full.stderr.match(/^enso: standard output can't be written: ENOSPC$/gm)?.length, 1, command)
    if (command === 'threads') continue
    // The reader is gone before the first word: it has opened the pipe, no more.
    const quiet = await sh('bash', ['-c', `mkfifo p; (${enso} >p; echo "exit $?") & exec 3<p; exec 3<&-; wait`], {
      cwd: place.cwd,
      env: place.env,
    })
    assert.deepEqual([quiet.stdout, quiet.stderr], ['exit 141\n', ''], command)
    await sh('rm', ['p'], { cwd: place.cwd })
  }
})

test('a full disk behind standard output is said and exits 1', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hello' })
  for (const mode of [[], ['--json']]) {
    const line = `exec ${process.execPath} ${ensoBin} ${[...mode, ...LOCAL].join(' ')} hello >/dev/full`
    const child = spawn('bash', ['-c', line], { cwd: place.cwd, env: place.env, stdio: ['ignore', 'ignore', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += String(chunk)))
    const code = await new Promise((resolve) => child.on('close', resolve))
    assert.equal(code, 1, mode.join(''))
    assert.match(stderr, /ENOSPC/)
  }
})

test('standard error that nobody reads does not stop the run', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hello' })
  const run = startEnso(t, place, [...LOCAL, 'hello'], { boundMs: 20_000 })
  run.child.stderr!.destroy()
  assert.deepEqual([(await run.ended).exitCode, run.stdout()], [0, 'hello\n'])
})
