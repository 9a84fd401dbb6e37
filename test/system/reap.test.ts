import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isProcessAlive } from '../../src/system/processes.js'
import { sourceUrl, runCode } from '../support/run-code.js'
import { reapRun, reapRunNow, RUN_MARK, runMark, runProcesses } from '../../src/system/reap.js'

let next = 0
const newRunId = (): string => `test${process.pid}x${next++}`

/** A shell that carries a mark; resolves with the pid it prints, its own or a descendant's. */
async function marked(t: TestContext, runId: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const shell: ChildProcess = spawn('bash', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], [RUN_MARK]: runId, ...env },
  })
  const [line] = (await once(shell.stdout!, 'data')) as [Buffer]
  const pid = Number(String(line))
  t.after(() => {
    if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  return pid
}

/** Waits until the process itself, not only a fork of its shell, is there. */
async function gone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (!isProcessAlive(pid)) return true
    await pause(10)
  }
  return false
}

test('a process of a run is found by its mark, however far it has forked away', async (t) => {
  const runId = newRunId()
  const pids = [
    await marked(t, runId, 'echo $$; exec sleep 60'),
    await marked(t, runId, '(setsid bash -c "echo \\$\\$; exec sleep 60" &)'),
    await marked(t, runId, 'trap "" TERM HUP; echo $$; while :; do sleep 1; done'),
  ]
  const found = runProcesses({ runId, root: undefined, children: [] })
  for (const pid of pids) assert.ok(found.includes(pid), String(pid))
  assert.deepEqual(await reapRun({ runId, root: undefined, children: [] }, 100), [])
  for (const pid of pids) assert.ok(await gone(pid))
})

test('a process that was asked to end gets its grace to do so', async (t) => {
  const runId = newRunId()
  const pid = await marked(t, runId, 'trap "sleep 0.1; exit 0" TERM; echo $$; while :; do sleep 0.02; done')
  const before = Date.now()
  assert.deepEqual(await reapRun({ runId, root: undefined, children: [] }, 5000), [])
  assert.ok(Date.now() - before < 4000)
  assert.ok(await gone(pid))
})

test('without a moment to wait everything is killed at once', async (t) => {
  const runId = newRunId()
  const pid = await marked(t, runId, 'trap "" TERM; echo $$; while :; do sleep 1; done')
  reapRunNow({ runId, root: undefined, children: [] })
  assert.ok(await gone(pid))
})

test('a run inside a run is found by the outer one, and the outer one is never the inner one’s', async (t) => {
  const outer = newRunId()
  const inner = newRunId()
  const outerPid = await marked(t, outer, 'echo $$; exec sleep 60')
  const innerPid = await marked(t, outer, 'echo $$; exec sleep 60', { [RUN_MARK]: runMark(outer, inner) })
  const ofInner = runProcesses({ runId: inner, root: undefined, children: [] })
  assert.deepEqual([ofInner.includes(innerPid), ofInner.includes(outerPid)], [true, false])
  const ofOuter = runProcesses({ runId: outer, root: undefined, children: [] })
  assert.deepEqual([ofOuter.includes(innerPid), ofOuter.includes(outerPid)], [true, true])
  await reapRun({ runId: outer, root: undefined, children: [] }, 0)
})

test('a process that threw its mark away is found by its group or as a descendant', async (t) => {
  const runId = newRunId()
  const child = spawn('bash', ['-c', 'env -i sleep 60 & echo $!; wait'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const pid = Number(String(line))
  assert.ok(runProcesses({ runId, root: undefined, children: [child.pid!] }).includes(pid))
  assert.ok(runProcesses({ runId, root: child.pid, children: [] }).includes(pid))
  await reapRun({ runId, root: child.pid, children: [] }, 0)
  assert.ok(await gone(pid))
})

test('nobody else’s process is one of the run', () => {
  const found = runProcesses({ runId: newRunId(), root: undefined, children: [] })
  assert.deepEqual(found, [])
})

test('a process knows whether it has started another: not before, while it runs, after it ended, by a thread', async () => {
  const { stdout } = await runCode(`
    import { exec } from 'node:child_process'
    import { mayHaveHadChildren } from '${sourceUrl('system/reap.js')}'
    const before = mayHaveHadChildren()
    const child = exec('cat')
    const during = mayHaveHadChildren()
    child.stdin.end()
    await new Promise((resolve) => child.once('exit', resolve))
    console.log(before, during, mayHaveHadChildren())
  `)
  assert.equal(stdout, 'false true true\n')
  const threaded = await runCode(`
    import { Worker } from 'node:worker_threads'
    import { mayHaveHadChildren } from '${sourceUrl('system/reap.js')}'
    const code = 'require("node:child_process").spawnSync("true")'
    await new Promise((resolve) => new Worker(code, { eval: true, execArgv: [] }).once('exit', resolve))
    console.log(mayHaveHadChildren())
  `)
  assert.equal(threaded.stdout, 'true\n')
})
