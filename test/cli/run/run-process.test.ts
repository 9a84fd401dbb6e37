import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { isProcessAlive } from '../../../src/system/processes.js'
import { testFolder } from '../../support/fake-cli.js'
import { runCode, sourceUrl } from '../../support/run-code.js'

async function run(t: TestContext, code: string) {
  const folder = await testFolder(t)
  const ended = await runCode(`
    import { takeStdout } from '${sourceUrl('cli/run/take-stdout.js')}'
    import { guardChildStdio } from '${sourceUrl('cli/run/child-stdio.js')}'
    import { createRunProcess } from '${sourceUrl('cli/run/run-process.js')}'
    import { spawn } from 'node:child_process'
    const stdout = takeStdout()
    const recordDir = '${folder}/run'
    const runProcess = createRunProcess({ stdout, guardChildren: guardChildStdio, recordDir })
    const faults = []
    const hold = runProcess.hold({
      fault: (fault) => {
        faults.push(fault)
        process.stderr.write(fault.kind + ':' + (fault.error?.message ?? fault.code) + '\\n')
        if (faults.length === 1) setTimeout(() => { stdout.stream.write('orderly\\n'); hold.release(); process.exitCode = 1 }, 50)
      },
      lastLine: (code) => 'last ' + code + '\\n',
    })
    ${code}
  `)
  return { ...ended, folder }
}

test('an uncaught exception and an unhandled rejection are told, and the process goes on to its own end', async (t) => {
  const thrown = await run(t, 'setTimeout(() => { throw new Error("boom") }, 1)')
  assert.deepEqual([thrown.exitCode, thrown.stdout, thrown.stderr], [1, 'orderly\n', 'uncaught:boom\n'])
  const rejected = await run(t, 'Promise.reject(new Error("nobody cares"))')
  assert.deepEqual([rejected.exitCode, rejected.stdout, rejected.stderr], [1, 'orderly\n', 'uncaught:nobody cares\n'])
})

test('process.exit of somebody else is told and does not go through; the code after it does not run', async (t) => {
  const { exitCode, stdout, stderr } = await run(
    t,
    'setTimeout(() => { process.exit(0); process.stderr.write("went on") }, 1)',
  )
  assert.deepEqual([exitCode, stdout, stderr], [1, 'orderly\n', 'exit:0\n'])
})

test('a process that ends although nobody asked says its last line and never exit code 0', async (t) => {
  const { exitCode, stdout } = await run(
    t,
    'stdout.stream.write("before\\n"); process.reallyExit = ((real) => (code) => real.call(process, code))(process.reallyExit); process.emit("exit", 0); process.reallyExit(process.exitCode)',
  )
  assert.deepEqual([exitCode, stdout], [1, 'before\nlast 1\n'])
})

test('a process that must end at once says its last line and takes its children with it', async (t) => {
  const { exitCode, stdout, stderr, folder } = await run(
    t,
    `const child = spawn('bash', ['-c', 'trap "" TERM; echo on; while :; do sleep 1; done'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
     child.stdout.once('data', () => { process.stderr.write(String(child.pid)); hold.endNow(143) })`,
  )
  assert.deepEqual([exitCode, stdout], [143, 'last 143\n'])
  assert.equal(isProcessAlive(Number(stderr)), false)
  assert.deepEqual(readdirSync(join(folder, 'run')), [])
})

test('a run is recorded when it starts its first process, and its record goes with it', async (t) => {
  const { stderr } = await run(
    t,
    `import { readdirSync, existsSync } from 'node:fs'
     const before = existsSync(recordDir)
     spawn('true', { stdio: 'ignore' }).once('exit', () => {
       const during = readdirSync(recordDir).length
       hold.release()
       process.stderr.write(before + ' ' + during + ' ' + readdirSync(recordDir).length)
     })`,
  )
  assert.equal(stderr, 'false 1 0')
})

test('the mark is in the environment while the run goes and what was there before afterwards', async (t) => {
  const { stderr } = await run(
    t,
    `const during = process.env.ENSO_RUN_ID
     hold.release()
     process.stderr.write(/^[0-9a-f]{16}$/.test(during) + ' ' + process.env.ENSO_RUN_ID)`,
  )
  assert.equal(stderr, 'true undefined')
})
