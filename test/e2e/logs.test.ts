import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseLogLine } from '../../src/core/log-parse.js'
import type { EnsoDayStats } from '../../src/core/index.js'
import { startModelServer } from '../support/model-server.js'
import { createPlace, jsonLines, type Place, runEnso } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

/** A secret of the environment: whoever says it, it must be in nothing that enso logs. */
const CANARY = 'canary-7f3e9d1c5b8a'
const env = { DEPLOY_TOKEN: CANARY, ENSO_LOG_LEVEL: 'trace' }
const SPELLINGS = [
  CANARY,
  CANARY.toUpperCase(),
  Buffer.from(CANARY).toString('base64').slice(0, -2),
  Buffer.from(`user:${CANARY}`).toString('base64').slice(8, -4),
  Buffer.from(CANARY).toString('hex'),
]

function logFiles(place: Place): string[] {
  const logs = join(place.ensoHome, 'logs')
  return readdirSync(logs).map((name) => join(logs, name))
}

function assertNoCanary(text: string, where: string): void {
  for (const spelling of SPELLINGS) assert.ok(!text.includes(spelling), `${where} holds ${spelling}`)
}

test('a planted secret is in no log file, no bundle, no listing and no statistics', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  const encoded = Buffer.from(`user:${CANARY}`).toString('base64')
  server.enqueue(
    {
      text: `I found ${CANARY} here`,
      toolCalls: [{ name: 'write', args: { path: 'note.txt', content: `${CANARY}\n${encoded}\n` } }],
    },
    { toolCalls: [{ name: 'read', args: { path: 'note.txt' } }] },
    { toolCalls: [{ name: 'bash', args: { command: `echo ${CANARY} ${CANARY.toUpperCase()}` } }] },
    { status: 401, body: { error: { message: `Incorrect API key provided: ${CANARY}.` } } },
  )
  const run = await runEnso(t, place, ['--json', '--log-level', 'trace', `say ${CANARY}`], { env })
  assert.ok(server.requests.length >= 3, run.stderr)
  assertNoCanary(run.stderr, 'standard error')

  const files = logFiles(place)
  assert.equal(files.length, 1)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    assertNoCanary(text, file)
    assert.ok(text.includes('[REDACTED:value]'))
    assert.equal(statSync(file).mode & 0o777, 0o600)
    for (const line of text.trimEnd().split('\n')) assert.ok(parseLogLine(line), line)
  }

  const bundle = await runEnso(t, place, ['logs', 'bundle', '-o', 'bundle.md'], { env })
  assert.equal(bundle.exitCode, 0, bundle.stderr)
  assertNoCanary(readFileSync(join(place.cwd, 'bundle.md'), 'utf8'), 'the bundle')
  for (const args of [
    ['logs', '-n', '0'],
    ['logs', '--json', '-n', '0'],
    ['logs', 'stats', '--json'],
    ['logs', '--file', 'bundle.md'],
  ]) {
    const shown = await runEnso(t, place, args)
    assert.equal(shown.exitCode, 0, shown.stderr)
    assertNoCanary(shown.stdout + shown.stderr, args.join(' '))
  }
})

test('what a run used is what the day’s statistics say, at the tier that nobody set', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  await place.write('work/a.txt', 'text')
  server.enqueue(
    {
      toolCalls: [{ name: 'read', args: { path: 'a.txt' } }],
      usage: { input: 100, output: 20, cacheRead: 3, cacheWrite: 0 },
    },
    { text: 'done', usage: { input: 200, output: 30, cacheRead: 0, cacheWrite: 0 } },
  )
  const run = await runEnso(t, place, ['--json', 'read a.txt'])
  assert.equal(run.exitCode, 0, run.stderr)
  assert.equal(run.stderr, '')
  const result = jsonLines<{ type: string; usage: object; cost: number; threadId: string }>(run.stdout).at(-1)
  const stats = JSON.parse((await runEnso(t, place, ['logs', 'stats', '--json'])).stdout) as EnsoDayStats
  const { input, output, cacheRead, cacheWrite, cost } = stats.totals
  assert.deepEqual({ input, output, cacheRead, cacheWrite }, result?.usage)
  assert.ok(Math.abs(cost - (result?.cost ?? 0)) < 1e-12)
  assert.deepEqual(
    stats.threads.map(({ threadId, runs, messages }) => ({ threadId, runs, messages })),
    [{ threadId: result?.threadId, runs: 1, messages: 2 }],
  )
  assert.deepEqual(
    stats.tools.map(({ toolName, calls, results }) => [toolName, calls, results]),
    [['read', 1, 1]],
  )
  assert.equal(stats.totals.firstDelta.count, 1)
  assert.equal(stats.totals.prompts.count, 1)
  assert.deepEqual(
    stats.processes.map(({ process, file, console }) => [process, file, console]),
    [['cli', 'info', 'off']],
  )
})

test('a live run is followed on a terminal, and Ctrl-C ends it', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  const terminal = await openEnsoTerminal(t, place, ['logs', '--follow', '--color', 'never'], { columns: 160 })
  await terminal.waitFor('following the log of')
  server.enqueue({ text: 'hello' })
  const run = await runEnso(t, place, ['--json', 'hi'])
  assert.equal(run.exitCode, 0, run.stderr)
  await terminal.waitFor(/run 1 acquired[\s\S]*settled[\s\S]*run 1 released/)
  await terminal.press('C-c')
  assert.equal(await terminal.exitCode(), 130)
})

test('a log that can’t be written changes nothing of a run', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const place = await createPlace(t, { server })
  await place.write('home/.enso/logs', 'a file where the folder should be')
  server.enqueue({ text: 'hello' })
  const run = await runEnso(t, place, ['hi'])
  assert.equal(run.exitCode, 0, run.stderr)
  assert.match(run.stdout, /hello/)
  assert.equal(run.stderr.split('\n').filter((line) => line.includes("the log can't be written")).length, 1)
})
