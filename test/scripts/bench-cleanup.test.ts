import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { setImmediate as nextLoopTurn } from 'node:timers/promises'
import { inRoot } from '../support/root.js'
import { createPlace } from '../support/run-enso.js'

/** The processes whose environment names a folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(folder)
      } catch {
        // It has just ended, or is another person's.
        return false
      }
    })
}

interface Ended {
  readonly code: number | null
  /** What is left in the temporary folder it had. */
  readonly left: readonly string[]
  readonly bundles: readonly string[]
}

/** Runs the benchmark with a temporary folder of its own, and interrupts it once it says what it is told to wait for. */
async function bench(t: TestContext, args: readonly string[], interruptAt?: RegExp): Promise<Ended> {
  const { tmp, env } = await createPlace(t)
  const child = spawn(process.execPath, [inRoot('scripts/bench/run.js'), '--as-built', ...args], {
    cwd: inRoot(),
    env: { ...env, PATH: '/usr/bin:/bin', ENSO_TEST_ROOT: inRoot() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit') as Promise<[number | null]>
  const said: string[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line)
    if (interruptAt?.test(line)) child.kill('SIGINT')
  }
  const [code] = await ended
  if (interruptAt === undefined) assert.equal(code, 0, said.join('\n'))
  while (processesOf(tmp).length > 0) await nextLoopTurn()
  const builds = inRoot('.test-build')
  const bundles = existsSync(builds) ? readdirSync(builds).filter((name) => name === `bench-${child.pid}`) : []
  return { code, left: readdirSync(tmp), bundles }
}

test('a benchmark that ends leaves no process and no folder', async (t) => {
  const ended = await bench(t, ['--rounds', '1', '--only', 'start'])
  assert.deepEqual(ended, { code: 0, left: [], bundles: [] })
})

test('a benchmark that is interrupted while a program runs leaves no process and no folder', async (t) => {
  const ended = await bench(t, ['--rounds', '100', '--only', 'start'], /^start: warm-up/)
  assert.deepEqual(ended, { code: 130, left: [], bundles: [] })
})

test('a benchmark that is interrupted while a served program runs leaves no process and no folder', async (t) => {
  const ended = await bench(t, ['--only', 'serve'], /^start to listening/)
  assert.deepEqual(ended, { code: 130, left: [], bundles: [] })
})
