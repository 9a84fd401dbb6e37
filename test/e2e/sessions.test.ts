import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertEnded, createWorld, extension, LOCAL, resultOf, waitForQuestion } from '../support/e2e.js'
import { ensoBin, type Place, runEnso, startEnso, startProcess } from '../support/run-enso.js'

/** The session file of a thread. */
function sessionFile(place: Place, threadId?: string): string {
  const threads = join(place.ensoHome, 'threads')
  const files = readdirSync(threads, { recursive: true }).map(String)
  const file = files.find((name) => name.endsWith('.jsonl') && (threadId === undefined || name.includes(threadId)))
  assert.ok(file, `no session of ${threadId}: ${files.join(' ')}`)
  return join(threads, file)
}

const asked = (body: { messages: unknown }): string => JSON.stringify(body.messages)

test('the thread’s id is in the first record and may be given; parallel runs don’t mix', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise((body) => ({ text: `echo ${/number (\d)/.exec(asked(body as { messages: unknown }))![1]}` }))
  const runs = await Promise.all(
    [1, 2, 3, 4].map((n) => runEnso(t, place, ['--json', '--thread-id', `run-${n}`, ...LOCAL, `number ${n}`])),
  )
  for (const [index, end] of runs.entries()) {
    const result = assertEnded(end, 'done', 0)
    assert.deepEqual([result.threadId, result.text], [`run-${index + 1}`, `echo ${index + 1}`])
  }
})

test('a torn last line loses nothing that was settled, and is said', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'remembered reply' }, { text: 'second' })
  await runEnso(t, place, ['--thread-id', 'torn', ...LOCAL, 'first prompt'])
  const file = sessionFile(place, 'torn')
  appendFileSync(file, '{"type":"message","id":"deadbeef","parentId":"x","timesta')
  const end = await runEnso(t, place, ['-r', 'torn', ...LOCAL, 'and again'])
  assert.equal(end.exitCode, 0, end.stderr)
  assert.match(asked(server.requests[1]!.body), /first prompt.*remembered reply.*and again/)
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) JSON.parse(line)
})

test('lines that are no entries (NULs, foreign text) are skipped, counted and said; nothing is cut off by opening', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'remembered reply' }, { text: 'second' })
  await runEnso(t, place, ['--thread-id', 'noisy', ...LOCAL, 'first prompt'])
  const file = sessionFile(place, 'noisy')
  appendFileSync(file, `${'\0'.repeat(512)}\nnot json at all\n`)
  const before = readFileSync(file)
  const end = await runEnso(t, place, ['-r', 'noisy', ...LOCAL, 'and again'])
  assert.equal(end.exitCode, 0, end.stderr)
  assert.match(end.stderr, /2 unreadable lines of the thread's file left out/)
  assert.match(asked(server.requests[1]!.body), /first prompt.*remembered reply/)
  assert.ok(readFileSync(file).subarray(0, before.length).includes('remembered reply'))
})

test('a session whose first line is bad is refused, named, and left byte for byte as it is', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'reply' })
  await runEnso(t, place, ['--thread-id', 'headless', ...LOCAL, 'first prompt'])
  const file = sessionFile(place, 'headless')
  const broken = `garbage${readFileSync(file, 'utf8').slice(7)}`
  writeFileSync(file, broken)
  const end = await runEnso(t, place, ['--json', '-r', 'headless', ...LOCAL, 'again'])
  const result = resultOf(end)
  assert.notEqual(end.exitCode, 0)
  assert.match(result.reason ?? '', /headless/)
  assert.equal(readFileSync(file, 'utf8'), broken)
  assert.equal(server.requests.length, 1)
})

test('two processes on one thread: the second is refused as busy and names the first; -c passes over it', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(
    { text: 'older' },
    { toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] },
    { text: 'done' },
  )
  await runEnso(t, place, ['--thread-id', 'older', ...LOCAL, 'older'])
  const first = startEnso(t, place, ['--json', '--thread-id', 'shared', ...LOCAL, ...extension('asks'), 'one'], {
    stdin: 'open',
  })
  const { id } = await waitForQuestion(first, 'confirm')

  const second = await runEnso(t, place, ['--json', '-r', 'shared', ...LOCAL, 'two'], { boundMs: 15_000 })
  assert.match(assertEnded(second, 'busy', 6).reason ?? '', new RegExp(String(first.pid)))
  const told = await runEnso(t, place, ['-r', 'shared', ...LOCAL, 'two'], { boundMs: 15_000 })
  assert.equal(told.exitCode, 6)
  // What the other process is at is neither unanswered nor stopped.
  assert.doesNotMatch(`${told.stderr}${second.stdout}`, /never answered|in the middle of|"interrupted"/)

  server.enqueue({ text: 'done' })
  const latest = await runEnso(t, place, ['--json', '-c', ...LOCAL, 'two'], { boundMs: 15_000 })
  assert.equal(assertEnded(latest, 'done', 0).threadId, 'older')
  assert.match(latest.stderr, /passed over thread shared/)

  server.enqueue({ text: 'done' })
  first.send({ type: 'dialog', id, confirmed: true })
  assertEnded(await first.ended, 'done', 0)
})

test('--take-over replaces the lock; whoever lost it stops, writes nothing more, and says why', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }, { text: 'taken' })
  const first = startEnso(t, place, ['--json', '--thread-id', 'shared', ...LOCAL, ...extension('asks'), 'one'], {
    stdin: 'open',
  })
  const { id } = await waitForQuestion(first, 'confirm')
  const second = await runEnso(t, place, ['--json', '--take-over', '-r', 'shared', ...LOCAL, 'two'], {
    boundMs: 15_000,
  })
  assertEnded(second, 'done', 0)
  server.otherwise({ text: 'never stored' })
  first.send({ type: 'dialog', id, confirmed: true })
  const end = await first.ended
  assert.match(assertEnded(end, 'error', 1).reason ?? '', /taken over/)
  const entries = readFileSync(sessionFile(place, 'shared'), 'utf8')
  assert.equal(entries.includes('never stored'), false)
  assert.ok(entries.includes('taken'))
})

test('a run that is killed leaves a thread that goes on, whenever it was', async (t) => {
  const { server, place } = await createWorld(t)
  const seed = Number(process.env['ENSO_TEST_SEED'] ?? Date.now() % 100_000)
  t.diagnostic(`seed ${seed} (ENSO_TEST_SEED)`)
  let state = seed
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  server.otherwise({
    deltas: Array.from({ length: 40 }, (_, n) => `w${n} `),
    toolCalls: [{ name: 'ls', args: { path: '.' } }],
  })
  await runEnso(t, place, ['--thread-id', 'killed', '--max-turns', '1', ...LOCAL, 'settled prompt'])
  for (let round = 0; round < 6; round++) {
    const run = startEnso(t, place, ['--json', '--max-turns', '30', '-r', 'killed', ...LOCAL, `round ${round}`])
    await run.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'turn-start')
    await new Promise((resolve) => setTimeout(resolve, random() * 120))
    process.kill(run.pid, 'SIGKILL')
    await run.ended
  }
  server.otherwise({ text: 'alive' })
  const end = await runEnso(t, place, ['--json', '-r', 'killed', ...LOCAL, 'are you there?'])
  assert.equal(assertEnded(end, 'done', 0).text, 'alive')
  const history = asked(server.requests.at(-1)!.body)
  assert.match(history, /settled prompt.*are you there/)
  for (let round = 0; round < 6; round++) assert.ok(history.includes(`round ${round}`), `round ${round}, seed ${seed}`)
})

test('the first prompt is on disk before its first reply is complete', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'half', hang: 'mid' })
  const run = startEnso(t, place, ['--json', '--thread-id', 'early', ...LOCAL, 'an early prompt'])
  await run.waitForJson(({ observation }) => (observation as { kind?: string })?.kind === 'text-delta')
  process.kill(run.pid, 'SIGKILL')
  await run.ended
  assert.match(readFileSync(sessionFile(place, 'early'), 'utf8'), /an early prompt/)
})

test('everything that is stored is the owner’s alone, whatever the umask', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  await runEnso(t, place, [...LOCAL, 'hello'])
  for (const name of readdirSync(place.ensoHome, { recursive: true }).map(String)) {
    if (name.startsWith('agent/models.json')) continue
    const info = statSync(join(place.ensoHome, name))
    assert.equal(info.mode & 0o077, 0, `${name} is ${(info.mode & 0o777).toString(8)}`)
  }
})

test('--ephemeral stores nothing', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  assertEnded(await runEnso(t, place, ['--json', '--ephemeral', ...LOCAL, 'hello']), 'done', 0)
  const threads = join(place.ensoHome, 'threads')
  const files = existsSync(threads) ? readdirSync(threads, { recursive: true }).map(String) : []
  assert.deepEqual(
    files.filter((name) => name.endsWith('.jsonl') || name.endsWith('.lock')),
    [],
  )
})

test('a home that can only be read is a fault that is said, with one result; nothing is lost without storing', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const script = `mount --bind ${place.ensoHome} ${place.ensoHome} && mount -o remount,bind,ro ${place.ensoHome} && exec "$@"`
  const inReadOnlyHome = (...args: string[]) => {
    const command = ['-rm', 'sh', '-c', script, 'sh', process.execPath, ensoBin, ...args, ...LOCAL, 'hello']
    return startProcess(t, 'unshare', command, { cwd: place.cwd, env: place.env, boundMs: 30_000 }).ended
  }
  assert.match(assertEnded(await inReadOnlyHome('--json'), 'error', 1).reason ?? '', /can't use the lock file .*\.enso/)
  assert.equal((await inReadOnlyHome()).exitCode, 1)
  assertEnded(await inReadOnlyHome('--json', '--ephemeral'), 'done', 0)
})

test('a full disk ends the run as an error that says so, in both modes', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ large: { bytes: 3 * 1024 * 1024, chunk: 4096 } })
  const home = join(place.root, 'small')
  const script = [
    `mkdir -p ${home} && mount -t tmpfs -o size=1m,mode=700 tmpfs ${home} && cp -r ${place.agentDir} ${home}/agent`,
    `ENSO_HOME=${home} exec "$@"`,
  ].join(' && ')
  for (const mode of [[], ['--json']]) {
    const command = ['-rm', 'sh', '-c', script, 'sh', process.execPath, ensoBin, ...mode, ...LOCAL, 'hello']
    const run = startProcess(t, 'unshare', command, { cwd: place.cwd, env: place.env, boundMs: 30_000 })
    const end = await run.ended
    assert.equal(end.exitCode, 1, end.stderr)
    assert.match(end.stderr + end.stdout, /no space left on device/)
    if (mode.length > 0) assertEnded(end, 'error', 1)
  }
})
