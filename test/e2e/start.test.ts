import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { inRoot } from '../support/root.js'
import { createPlace, startProcess, type Place } from '../support/run-enso.js'

/** An installation of its own, so that it can be damaged. */
async function installed(t: TestContext, dist: (folder: string) => void) {
  const place = await createPlace(t)
  const root = join(place.root, 'enso')
  cpSync(inRoot('bin'), join(root, 'bin'), { recursive: true })
  cpSync(inRoot('package.json'), join(root, 'package.json'))
  mkdirSync(join(root, 'dist'))
  dist(join(root, 'dist'))
  return { place, dist: join(root, 'dist'), run: runnerOf(t, place, join(root, 'bin/enso.js')) }
}

function runnerOf(t: TestContext, place: Place, bin: string) {
  return (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    startProcess(t, process.execPath, [bin, ...args], { cwd: place.cwd, env: { ...place.env, ...env } }).ended
}

const LONG = `/*${'x'.repeat(5000)}*/`

test('a program that can not be started is one line and how to see more, never its source', async (t) => {
  for (const [code, reason] of [
    [`${LONG}throw new Error('no such chunk')`, 'no such chunk'],
    [`${LONG}exports.start = async () => { throw new Error('no such chunk\\nat all') }`, 'no such chunk'],
    [`${LONG}exports.start = {`, 'Unexpected end of input'],
    [`${LONG}exports.start = async () => { throw 'text' }`, 'text'],
  ] as const) {
    const { run } = await installed(t, (dist) => writeFileSync(join(dist, 'start.cjs'), code))
    const { exitCode, stdout, stderr } = await run(['hello'])
    assert.deepEqual([exitCode, stdout], [1, ''])
    assert.equal(stderr.split('\n')[0], `enso: the program could not be started: ${reason}`)
    assert.equal(stderr.split('\n').length, 3)
    assert.match(stderr, /ENSO_TRACE=1/)
    const traced = await run(['hello'], { ENSO_TRACE: '1' })
    assert.equal(traced.exitCode, 1)
    if (reason !== 'text') assert.match(traced.stderr, /start\.cjs/)
  }
})

test('a code cache with wrong bytes is no fault: what is wrong is compiled again, and kept', async (t) => {
  const { run, dist } = await installed(t, (folder) =>
    cpSync(inRoot('dist'), folder, { recursive: true, filter: (from) => !from.includes('code-cache') }),
  )
  const right = await run(['schema', 'config'])
  assert.equal(right.exitCode, 0)
  const [name = ''] = readdirSync(join(dist, 'code-cache'))
  const file = join(dist, 'code-cache', name)
  const bytes = readFileSync(file)
  for (let part = 0; part < 8; part++) {
    const wrong = Buffer.from(bytes)
    for (let at = 100 * part; at < wrong.length; at += 5003) wrong.writeUInt8(wrong.readUInt8(at) ^ 0x10, at)
    writeFileSync(file, wrong)
    assert.deepEqual(await run(['schema', 'config']), right)
  }
  rmSync(join(dist, 'code-cache'), { recursive: true })
  assert.deepEqual(await run(['schema', 'config']), right)
})
