import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutOurStdio } from '../../../src/cli/run/child-stdio.js'
import { runCode, sourceUrl } from '../../support/run-code.js'

const guarded = `
  import { guardChildStdio } from '${sourceUrl('cli/run/child-stdio.js')}'
  let started = 0
  const guard = guardChildStdio(() => started++)
  import { once } from 'node:events'
`

test('descriptors 0 and 1 are never handed on, under any of their names', () => {
  const err = process.stderr.fd
  assert.deepEqual(withoutOurStdio('inherit', undefined), ['ignore', err, 'inherit'])
  assert.deepEqual(withoutOurStdio([0, 1, 2], undefined), ['ignore', err, 2])
  assert.deepEqual(withoutOurStdio(['inherit', 'inherit', 1], undefined), ['ignore', err, err])
  assert.deepEqual(withoutOurStdio([{ fd: 0 } as never, { fd: 1 } as never, 'pipe'], undefined), [
    'ignore',
    err,
    'pipe',
  ])
  assert.deepEqual(withoutOurStdio(['pipe', null, undefined, 'ipc'], undefined), ['pipe', null, undefined, 'ipc'])
  for (const kept of ['pipe', 'ignore', undefined] as const) assert.equal(withoutOurStdio(kept, undefined), kept)
})

test('children that inherit write to standard error and read nothing, however they are started', async () => {
  const { stdout, stderr, exitCode } = await runCode(
    `${guarded}
    import cp, { spawn, spawnSync, execSync, execFileSync } from 'node:child_process'
    const sh = (word) => ['-c', 'echo ' + word + '; cat']
    await once(spawn('sh', sh('spawn'), { stdio: 'inherit' }), 'close')
    await once(cp.spawn('sh', sh('default import'), { stdio: [0, 1, 2] }), 'close')
    await once(spawn('echo shell', { shell: true, stdio: 'inherit' }), 'close')
    spawnSync('sh', sh('spawnSync'), { stdio: 'inherit' })
    execSync('echo execSync; cat', { stdio: 'inherit' })
    execFileSync('sh', sh('execFileSync'), { stdio: ['inherit', 'inherit', 'inherit'] })
    const piped = spawn('sh', ['-c', 'echo piped'])
    piped.stdout.on('data', (text) => process.stderr.write('got ' + text))
    await once(piped, 'close')
    process.stderr.write('started ' + started)
  `,
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  assert.equal(exitCode, 0)
  assert.equal(stdout, '')
  for (const word of [
    'spawn',
    'default import',
    'shell',
    'spawnSync',
    'execSync',
    'execFileSync',
    'got piped',
    'started 7',
  ]) {
    assert.ok(stderr.includes(word), word)
  }
})

test('a forked child still speaks over its channel, and its console lands on standard error', async () => {
  const { stdout, stderr } = await runCode(`${guarded}
    import { fork } from 'node:child_process'
    import { writeFileSync, mkdtempSync } from 'node:fs'
    const file = mkdtempSync('/tmp/enso-fork-') + '/child.mjs'
    writeFileSync(file, 'console.log("from the fork"); process.send("hello"); process.disconnect()')
    for (const options of [{ execArgv: [] }, { execArgv: [], stdio: "inherit" }]) {
      const child = fork(file, [], options)
      const [message] = await once(child, 'message')
      process.stderr.write('heard ' + message + '\\n')
      await once(child, 'close')
    }
  `)
  assert.equal(stdout, '')
  assert.equal(stderr.match(/from the fork/g)?.length, 2)
  assert.equal(stderr.match(/heard hello/g)?.length, 2)
})

test('exec and execFile keep their promise forms and their pipes', async () => {
  const { stderr } = await runCode(`${guarded}
    import { exec, execFile } from 'node:child_process'
    import { promisify } from 'node:util'
    const one = await promisify(exec)('echo one')
    const two = await promisify(execFile)('echo', ['two'])
    process.stderr.write(one.stdout + two.stdout)
  `)
  assert.equal(stderr, 'one\ntwo\n')
})

test('a person’s own program may have the terminal', async () => {
  const { stdout } = await runCode(`${guarded}
    import { OWNS_TERMINAL } from '${sourceUrl('cli/run/child-stdio.js')}'
    import { spawnSync } from 'node:child_process'
    spawnSync('echo', ['edited'], { stdio: 'inherit', [OWNS_TERMINAL]: true })
  `)
  assert.equal(stdout, 'edited\n')
})

test('children are known while they run or have left a group behind', async () => {
  const { stderr } = await runCode(`${guarded}
    import { spawn } from 'node:child_process'
    const quick = spawn('true', { stdio: 'ignore' })
    await once(quick, 'exit')
    const leader = spawn('sh', ['-c', 'sleep 60 &'], { detached: true, stdio: 'ignore' })
    await once(leader, 'exit')
    process.stderr.write(JSON.stringify([...guard.children()].map((pid) => pid === leader.pid)))
    process.kill(-leader.pid, 'SIGKILL')
  `)
  assert.equal(stderr, '[true]')
})
