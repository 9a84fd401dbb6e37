import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bootId, isProcessAlive } from '../../src/system/processes.js'
import { RUN_MARK } from '../../src/system/reap.js'
import { reapStaleRuns, removeRunRecord, writeRunRecord } from '../../src/system/run-records.js'
import { testFolder } from '../support/fake-cli.js'

const NOTHING = { ended: 0, left: [] }
/** No process has it: it is over the kernel's highest. */
const DEAD_PID = 4_194_305

test('a record is private, names this process, and goes again', async (t) => {
  const dir = join(await testFolder(t), 'run')
  writeRunRecord(dir, 'abcdef0123456789')
  const file = join(dir, 'abcdef0123456789.json')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(dir).mode & 0o777, 0o700)
  assert.equal((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, process.pid)
  removeRunRecord(dir, 'abcdef0123456789')
  removeRunRecord(dir, 'abcdef0123456789')
  assert.equal(existsSync(file), false)
})

test('what a killed run left is ended, and its record goes', async (t) => {
  const dir = await testFolder(t)
  const runId = `dead${process.pid}abcd`
  const child = spawn('bash', ['-c', 'trap "" TERM; echo on; while :; do sleep 1; done'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [RUN_MARK]: runId },
  })
  t.after(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const record = { runId, pid: DEAD_PID, startTime: '1', boot: bootId(), host: hostname() }
  writeFileSync(join(dir, `${runId}.json`), JSON.stringify(record))
  const exited = once(child, 'exit')
  const stale = await reapStaleRuns(dir)
  assert.ok(stale.ended >= 1)
  assert.deepEqual(stale.left, [])
  await exited
  assert.equal(isProcessAlive(child.pid!), false)
  assert.deepEqual(readdirSync(dir), [])
})

test('a live run, another host’s run and a run before the last boot are not touched', async (t) => {
  const dir = await testFolder(t)
  writeRunRecord(dir, 'alive000alive000')
  const other = { runId: 'other000other000', pid: DEAD_PID, boot: 'another', host: 'another-host' }
  writeFileSync(join(dir, 'other000other000.json'), JSON.stringify(other))
  const before = { runId: 'before00before00', pid: process.pid, boot: 'another', host: hostname() }
  writeFileSync(join(dir, 'before00before00.json'), JSON.stringify(before))
  assert.deepEqual(await reapStaleRuns(dir), NOTHING)
  assert.deepEqual(readdirSync(dir).sort(), ['alive000alive000.json', 'other000other000.json'])
})

test('a file that is no record is removed, a missing folder is nothing', async (t) => {
  const dir = await testFolder(t)
  writeFileSync(join(dir, 'torn.json'), '{"runId":"x')
  writeFileSync(join(dir, 'evil.json'), JSON.stringify({ runId: '../x', pid: 1, host: hostname() }))
  mkdirSync(join(dir, 'sub'))
  assert.deepEqual(await reapStaleRuns(dir), NOTHING)
  assert.deepEqual(readdirSync(dir), ['sub'])
  assert.deepEqual(await reapStaleRuns(join(dir, 'gone')), NOTHING)
})
