import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EnsoError } from '../../src/core/index.js'
import { thisProcess } from '../../src/thread/lock-file.js'
import { createThreadLocks, lockPathOf } from '../../src/thread/thread-lock.js'

function makeDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-lock-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

interface LockChild {
  readonly process: ChildProcess
  ask(command: string): Promise<string>
  kill(): Promise<void>
}

async function startChild(t: TestContext): Promise<LockChild> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../support/lock-child.js', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t.after(kill)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => (await lines.next()).value ?? 'gone'
  assert.equal(await next(), 'ready')
  const ask = (command: string): Promise<string> => {
    child.stdin.write(`${command}\n`)
    return next()
  }
  return { process: child, ask, kill }
}

const isLocked = (error: unknown): boolean => error instanceof EnsoError && error.code === 'thread-locked'
const isLost = (error: unknown): boolean => error instanceof EnsoError && error.code === 'lock-lost'

/** What a process leaves behind that took a lock and was killed before anything else. */
function staleRecord(): string {
  return JSON.stringify({ ...thisProcess(), pid: 2 ** 22 + 1, at: '2030-01-01T00:00:00.000Z', nonce: 'abc123' })
}

test('a lock is a private file that says who holds it, and is gone when it is given back', (t) => {
  const dir = makeDir(t)
  const path = lockPathOf(join(dir, 'project'), 'thread-1')
  const lock = createThreadLocks().acquire(path)
  const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
  assert.equal(record['pid'], process.pid)
  assert.equal(record['host'], hostname())
  assert.equal(record['bootId'], thisProcess().bootId)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(join(dir, 'project')).mode & 0o777, 0o700)
  lock.assertHeld()
  lock.release()
  lock.release()
  assert.deepEqual(readdirSync(join(dir, 'project')), [])
  assert.throws(() => lock.assertHeld(), isLost)
})

test('a held lock is refused, in one process as between two, and the refusal names process, host and age', async (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  const child = await startChild(t)
  assert.equal(await child.ask(`take ${path}`), 'held')
  const locks = createThreadLocks({ now: () => Date.now() + 300_000 })
  assert.throws(
    () => locks.acquire(path),
    (error: Error) => {
      assert.ok(isLocked(error))
      assert.match(
        error.message,
        new RegExp(`thread-1 is in use by process ${child.process.pid} on ${hostname()}, for 5 min`),
      )
      return true
    },
  )
  assert.equal(locks.holderOf(path)?.record?.pid, child.process.pid)
  assert.equal(await child.ask('release'), 'released')
  assert.equal(locks.holderOf(path), undefined)
  const lock = locks.acquire(path)
  assert.match(await child.ask(`take ${path}`), /^refused .*in use by process/)
  assert.throws(() => createThreadLocks().acquire(path), isLocked)
  lock.release()
})

test('a lock that a killed process left is recovered', async (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  const child = await startChild(t)
  assert.equal(await child.ask(`take ${path}`), 'held')
  await child.kill()
  const locks = createThreadLocks()
  assert.equal(locks.holderOf(path), undefined)
  const lock = locks.acquire(path)
  lock.assertHeld()
  lock.release()
  assert.equal(existsSync(path), false)
})

test('of several processes that race for a free lock, or for one left by a killed process, exactly one has it', async (t) => {
  const dir = makeDir(t)
  const children = await Promise.all([1, 2, 3, 4].map(() => startChild(t)))
  for (let round = 0; round < 40; round++) {
    const path = lockPathOf(dir, `thread-${round}`)
    if (round % 2 === 1) writeFileSync(path, staleRecord())
    const answers = await Promise.all(children.map((child) => child.ask(`take ${path}`)))
    assert.equal(answers.filter((answer) => answer === 'held').length, 1, `round ${round}: ${answers.join(' | ')}`)
    const winner = children[answers.indexOf('held')]
    assert.equal(await winner?.ask('check'), 'held')
    assert.equal(await winner?.ask('release'), 'released')
  }
  assert.deepEqual(readdirSync(dir), [])
})

test('a recovery that was itself killed does not block the next one', (t) => {
  const dir = makeDir(t)
  const path = lockPathOf(dir, 'thread-1')
  writeFileSync(path, staleRecord())
  writeFileSync(`${path}.abc123`, staleRecord().replace('abc123', 'def456'))
  createThreadLocks().acquire(path).release()
  assert.deepEqual(readdirSync(dir), [])
})

test('another process with the pid of the one that is gone does not keep the lock', (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  writeFileSync(path, JSON.stringify({ ...thisProcess(), startTime: '1', at: '', nonce: 'a1' }))
  createThreadLocks().acquire(path).release()
})

test('a lock from before the machine was started anew is stale, whatever has its pid now', (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  writeFileSync(path, JSON.stringify({ ...thisProcess(), bootId: 'an earlier boot', at: '', nonce: 'a1' }))
  createThreadLocks().acquire(path).release()
})

test('a lock of another host is never stale by itself, only taken over', (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  const foreign = { pid: 2 ** 22 + 1, host: 'elsewhere', bootId: 'other', at: '2030-01-01T00:00:00.000Z', nonce: 'a1' }
  writeFileSync(path, JSON.stringify(foreign))
  assert.throws(
    () => createThreadLocks().acquire(path),
    (error: Error) => isLocked(error) && /elsewhere/.test(error.message),
  )
  assert.deepEqual(createThreadLocks().holderOf(path)?.record?.host, 'elsewhere')
  const taking = createThreadLocks({ takeOver: true })
  assert.equal(taking.holderOf(path), undefined)
  const lock = taking.acquire(path)
  lock.assertHeld()
  lock.release()
})

test('whoever lost its lock learns it before its next append, and leaves the new one alone', async (t) => {
  const dir = makeDir(t)
  const path = lockPathOf(dir, 'thread-1')
  const lock = createThreadLocks().acquire(path)
  const child = await startChild(t)
  assert.equal(await child.ask(`take-over ${path}`), 'held')
  assert.throws(
    () => lock.assertHeld(),
    (error: Error) => isLost(error) && error.message.includes(`${child.process.pid}`),
  )
  lock.release()
  assert.equal(await child.ask('check'), 'held')
  assert.equal(await child.ask('release'), 'released')
  assert.deepEqual(readdirSync(dir), [])
})

test('a lock file that is removed is a lost lock', (t) => {
  const path = lockPathOf(makeDir(t), 'thread-1')
  const lock = createThreadLocks().acquire(path)
  rmSync(path)
  assert.throws(() => lock.assertHeld(), isLost)
  lock.release()
})

test('a lock file that can’t be understood counts as held, until it is taken over', (t) => {
  for (const text of ['', 'garbage', '{"pid":"1"}', '{"pid":1,"host":"h","at":"","nonce":"../x"}']) {
    const path = lockPathOf(makeDir(t), 'thread-1')
    writeFileSync(path, text)
    assert.throws(
      () => createThreadLocks().acquire(path),
      (error: Error) => isLocked(error) && error.message.includes(path),
    )
    assert.deepEqual(createThreadLocks().holderOf(path), { record: undefined })
    createThreadLocks({ takeOver: true }).acquire(path).release()
    assert.equal(existsSync(path), false)
  }
})

test('a folder that can’t be written is a fault of the disk, not a held lock', (t) => {
  const file = join(makeDir(t), 'file')
  writeFileSync(file, '')
  assert.throws(
    () => createThreadLocks().acquire(lockPathOf(join(file, 'sub'), 'thread-1')),
    (error: unknown) => error instanceof EnsoError && error.code === 'disk',
  )
})
