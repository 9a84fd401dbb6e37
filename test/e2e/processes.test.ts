import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { allowTools, assertEnded, createWorld, LOCAL } from '../support/e2e.js'
import { type Place, runEnso, startEnso } from '../support/run-enso.js'

/** Processes alive whose command line names this text. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)![0]
        return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
    .filter((pid) => pid !== process.pid)
}

/** A sleep nobody else sleeps, so that it can be told by its command line. */
let stamp = process.pid * 1000
const newNap = (): string => String(100_000_000 + stamp++)

async function toolRuns(nap: string): Promise<void> {
  while (running(`sleep ${nap}`).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

const scripts = (nap: string): Record<string, string> => ({
  'a sleeping child': `sleep ${nap}`,
  'one that ignores TERM': `bash -c 'trap "" TERM; sleep ${nap}; sleep ${nap}'`,
  'a background job': `sleep ${nap} & wait`,
  'a double fork in a session of its own': `(setsid sleep ${nap} &); sleep ${nap}`,
})

async function write(place: Place, script: string): Promise<string> {
  await place.write('work/job.sh', script)
  return 'bash job.sh'
}

test('after a signal nothing of the run is alive: sleeping, ignoring TERM, in the background, forked away', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  for (const [what, make] of Object.keys(scripts('0')).map(
    (name) => [name, (nap: string) => scripts(nap)[name]!] as const,
  )) {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const nap = newNap()
      server.enqueue({ toolCalls: [{ name: 'bash', args: { command: await write(place, make(nap)) } }] })
      const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
      await toolRuns(nap)
      run.kill(signal)
      assert.equal((await run.ended).stdout.trimEnd().split('\n').length > 1, true)
      assert.deepEqual(running(nap), [], `${what} after ${signal}`)
    }
  }
})

test('a signal to the whole process group leaves nothing either', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  const nap = newNap()
  server.enqueue({
    toolCalls: [{ name: 'bash', args: { command: await write(place, `(setsid sleep ${nap} &); sleep ${nap}`) } }],
  })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
  await toolRuns(nap)
  process.kill(-run.pid, 'SIGINT')
  assertEnded(await run.ended, 'aborted', 130)
  assert.deepEqual(running(nap), [])
})

test('a run that ends by itself takes along what its tools left in the background', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  const nap = newNap()
  const command = await write(place, `setsid sleep ${nap} >/dev/null 2>&1 & echo started`)
  server.enqueue({ toolCalls: [{ name: 'bash', args: { command } }] }, { text: 'It runs.' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  assertEnded(end, 'done', 0)
  assert.match(end.stdout, /started/)
  assert.deepEqual(running(nap), [])
})

test('what a killed run leaves is ended by the next start, and said', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  const nap = newNap()
  server.enqueue({
    toolCalls: [{ name: 'bash', args: { command: await write(place, `(setsid sleep ${nap} &); sleep ${nap}`) } }],
  })
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 20_000 })
  await toolRuns(nap)
  process.kill(run.pid, 'SIGKILL')
  await run.ended
  assert.equal(readdirSync(join(place.ensoHome, 'run')).length, 1)
  server.enqueue({ text: 'ok' })
  const end = await runEnso(t, place, [...LOCAL, 'again'])
  assert.equal(end.exitCode, 0)
  assert.match(end.stderr, /ended \d+ process(es)? that a killed run had left/)
  assert.deepEqual(running(nap), [])
  assert.deepEqual(readdirSync(join(place.ensoHome, 'run')), [])
})

test('nothing listens and nothing is left in the temporary folder after a run', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const before = readdirSync(place.tmp)
  const run = startEnso(t, place, ['--json', ...LOCAL, 'hello'])
  await run.ended
  assert.deepEqual(readdirSync(place.tmp), before)
  assert.deepEqual(running(place.root), [])
})
