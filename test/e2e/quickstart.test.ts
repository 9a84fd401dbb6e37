import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createWorld } from '../support/e2e.js'
import { runShell, withEnsoOnPath } from '../support/enso-on-path.js'
import { blocksOf } from '../support/page-blocks.js'
import { inRoot } from '../support/root.js'
import { createPlace, type EnsoEnd, type Place } from '../support/run-enso.js'
import { openTerminal } from '../support/terminal.js'

const PAGE = 'docs/guide/quickstart.md'
const blocks = blocksOf(PAGE, 'sh')

/** npm as the page's reader runs it, only that nothing is fetched, built again or put outside of the test's folder. */
const npmEnv = (place: Place) => ({
  npm_config_prefix: join(place.root, 'npm'),
  npm_config_cache: join(place.root, 'npm-cache'),
  npm_config_offline: 'true',
  npm_config_ignore_scripts: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
})

/** A newcomer's machine with the work already in it that the page's prompts are about. */
async function newcomer(t: TestContext): Promise<Place> {
  const place = await withEnsoOnPath(await createPlace(t))
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
  ])
    spawnSync('git', args, { cwd: place.cwd })
  await place.write('work/notes.txt', 'It rains.\n')
  return place
}

test('installing: npm ci as the CI does it, npm link, and the demo', async (t) => {
  const [install = ''] = blocks
  assert.equal(install, 'npm ci\nnpm link\nenso demo\n')
  assert.match(readFileSync(inRoot('.ci/run'), 'utf8'), /^npm ci$/m)
  const place = await createPlace(t)
  const env = npmEnv(place)
  const linked = await runShell(t, place, 'npm link', { cwd: inRoot(), env, boundMs: 120_000 })
  assert.equal(linked.exitCode, 0, linked.stderr)
  const PATH = `${join(place.root, 'npm', 'bin')}:${place.env['PATH']}`
  const demo = await runShell(t, place, 'enso demo', { env: { PATH } })
  assert.equal(demo.exitCode, 0, demo.stderr)
  assert.match(demo.stdout, /All three tests pass/)
})

test('looking: without a model the doctor ends with exit code 1 and says what the page shows', async (t) => {
  const place = await newcomer(t)
  const end = await runShell(t, place, blocks[1] ?? '')
  assert.equal(end.exitCode, 1, end.stdout)
  const shown = blocksOf(PAGE, 'text')[0]!
    .replace(/none of \d+/, 'none of N')
    .replace('~/', `${place.home}/`)
  assert.ok(end.stdout.replace(/none of \d+/, 'none of N').includes(shown.trimEnd()), end.stdout)
})

test('logging in: a key typed on a terminal is stored, and the doctor is content', async (t) => {
  const place = await newcomer(t)
  assert.equal(blocks[2], 'enso login\n')
  const terminal = await openTerminal(t, ['/bin/bash', '-c', blocks[2] ?? ''], { cwd: place.cwd, env: place.env })
  await terminal.waitFor('Log in to which provider?')
  await terminal.type('groq')
  await terminal.waitFor(/Groq/)
  await terminal.press('Enter')
  await terminal.waitFor(/API key for Groq/)
  await terminal.type('gsk_0123456789abcdef')
  await terminal.press('Enter')
  assert.equal(await terminal.exitCode(), 0, await terminal.all())
  const doctor = await runShell(t, place, 'enso doctor')
  assert.equal(doctor.exitCode, 0, doctor.stdout)
  assert.match(doctor.stdout, /stored for groq/)
  assert.doesNotMatch(doctor.stdout, /gsk_0123/)
})

test('an endpoint of one’s own, the first prompts, rules, undo, and a run nobody watches', async (t) => {
  const { server } = await createWorld(t)
  const place = await newcomer(t)
  const run = async (index: number): Promise<EnsoEnd> => {
    const script = (blocks[index] ?? '').replace('http://127.0.0.1:8080', server.url)
    const end = await runShell(t, place, script)
    assert.equal(end.exitCode, 0, `${script}\n${end.stdout}${end.stderr}`)
    return end
  }
  await run(3)
  const looked = await run(4)
  assert.match(looked.stdout, /^✓ default model +local\/x$/m)
  assert.match(looked.stdout, /^local\/x /m)
  assert.match(looked.stdout, /a dry run: no model was asked/)
  assert.doesNotMatch(looked.stdout, /others may look/)
  assert.equal(server.requests.length, 0)

  for (const text of ['A small project.', 'Under test.', 'Fine.', 'It is.']) server.enqueue({ text })
  const prompts = await run(5)
  assert.match(prompts.stdout, /^A small project\.\nUnder test\.\nIt is\.\n/)
  assert.equal(readFileSync(join(place.cwd, 'review.md'), 'utf8'), 'Fine.\n')
  assert.match(JSON.stringify(server.requests[1]!.body), /A small project/)
  assert.match(JSON.stringify(server.requests[3]!.body), /It rains/)
  assert.match(prompts.stdout, /is this still true/)

  server.enqueue({ toolCalls: [{ name: 'write', args: { path: 'made.txt', content: 'x' } }] }, { text: 'They pass.' })
  const undone = await run(6)
  assert.match(undone.stdout, /They pass\.\n[^]*made\.txt is removed/)
  assert.equal(existsSync(join(place.cwd, 'made.txt')), false)

  server.enqueue({ text: 'Updated.' })
  const alone = await run(7)
  assert.equal(alone.stdout, 'done, 1 turns\n')
})

test('every shell block of the page is one of those run here', () => {
  assert.equal(blocks.length, 8)
})
