import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { bootId, isProcessAlive, processStartTime } from '../../src/system/processes.js'

test('a process is alive until it ends, and only under its own start time', async (t) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const started = processStartTime(pid)
  assert.match(started ?? '', /^\d+$/)
  assert.equal(isProcessAlive(pid), true)
  assert.equal(isProcessAlive(pid, started), true)
  assert.equal(isProcessAlive(pid, '1'), false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(isProcessAlive(pid, started), false)
  assert.equal(processStartTime(pid), undefined)
})

test('a process’s start time does not change, and another process has another', () => {
  assert.equal(processStartTime(process.pid), processStartTime(process.pid))
  assert.notEqual(processStartTime(process.pid), processStartTime(1))
})

test('this boot of the machine has an id', () => {
  assert.match(bootId() ?? '', /^[0-9a-f-]{36}$/)
})
