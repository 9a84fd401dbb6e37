import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { EnsoFollowFrame } from '../../src/core/index.js'
import { startCutProxy } from '../support/cut-proxy.js'
import {
  allowTools,
  assertEnded,
  checkedLines,
  createWorld,
  extension,
  type Line,
  LOCAL,
  waitForQuestion,
} from '../support/e2e.js'
import { runEnso, startEnso } from '../support/run-enso.js'
import { isKind, isOver, startServing } from '../support/serving.js'
import { openEnsoTerminal } from '../support/terminal.js'

/** What a run shows of itself up to its end. */
function essence(observations: readonly Line[]): Line[] {
  const shown: Line[] = []
  for (const { observation } of observations as { observation: Line }[]) {
    const last = shown.at(-1)
    const isSameStream = last?.['kind'] === 'text-delta' && last['contentIndex'] === observation['contentIndex']
    // Where a stream is cut into pieces is a matter of time.
    if (observation['kind'] === 'text-delta' && isSameStream) {
      last['delta'] += observation['delta']
      if (observation['usage'] !== undefined) last['usage'] = observation['usage']
    } else shown.push({ ...observation })
    if (observation['kind'] === 'settled') break
  }
  return shown
}

test('print, JSON lines, --connect and the event stream show the same of the same script', async (t) => {
  const { server, place } = await createWorld(t)
  await allowTools(place, 'bash')
  const script = await place.write(
    'script.json',
    JSON.stringify({
      version: 1,
      name: 'same',
      turns: [
        {
          thinking: 'Let me look.',
          text: { deltas: ['I ', 'look. '], delayMs: 5 },
          toolCalls: [{ id: 'call-1', name: 'bash', args: { command: 'echo here' } }],
        },
        { text: 'It is here.', usage: { input: 10, output: 5, cost: 0.01 } },
      ],
    }),
  )
  void server
  const observed = (lines: readonly Line[]): Line[] => essence(lines.filter(({ type }) => type === 'observation'))

  const print = await runEnso(t, place, ['--script', script, 'look'])
  assert.equal(print.exitCode, 0, print.stderr)
  const json = await runEnso(t, place, ['--json', '--script', script, 'look'], { stdin: 'open' })
  assertEnded(json, 'done', 0)

  const serving = await startServing(t, place, ['--script', script])
  const followed = await serving.follow('t1')
  const connected = startEnso(t, place, ['--json', '--connect', serving.address, '--thread-id', 't1', 'look'], {
    stdin: 'open',
  })
  const connectedEnd = await connected.ended
  assertEnded(connectedEnd, 'done', 0)
  await followed.waitFor(isOver(1))
  const text = await runEnso(t, place, ['--connect', serving.address, '--thread-id', 't2', 'look'])

  const fromJson = observed(checkedLines(json.stdout))
  const fromConnect = observed(checkedLines(connectedEnd.stdout))
  const fromEvents = observed(followed.frames)
  assert.deepEqual(fromConnect, fromEvents)
  assert.deepEqual(fromConnect, fromJson)
  assert.equal(text.exitCode, 0, text.stderr)
  assert.equal(text.stdout, print.stdout)
  // A run in a terminal-less shell says that nobody can be asked; a server can always be asked.
  const withoutTimes = (stderr: string): string =>
    stderr
      .replaceAll(/^· ask_user is not offered.*\n/gm, '')
      .replaceAll(/\d+(?:\.\d+)? m?s\b/g, '0 s')
      .replaceAll(/thread [\w-]+/g, 'thread x')
  assert.equal(withoutTimes(text.stderr), withoutTimes(print.stderr))
})

test('a shell answers a served thread’s questions, and others see them answered', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['select', 'confirm'] } }] }, { text: 'Painted.' })
  const serving = await startServing(t, place, [...LOCAL, ...extension('asks')])
  const run = startEnso(t, place, ['--json', '--connect', serving.address, 'paint'], { stdin: 'open' })
  const hello = await run.waitForJson<Line>(({ type }) => type === 'hello')
  const followed = await serving.follow(hello['threadId'])
  const select = await waitForQuestion(run, 'select')
  run.send({ type: 'dialog', requestId: 'wrong', id: select['id'], value: 'purple' })
  assert.equal((await run.waitForJson<Line>(({ requestId }) => requestId === 'wrong'))['refusal'].code, 'refused')
  run.send({ type: 'dialog', id: select['id'], value: 'green' })
  const confirm = await followed.waitFor(
    (frame) =>
      frame.type === 'observation' &&
      frame.observation.kind === 'extension-ui-request' &&
      frame.observation.method === 'confirm',
  )
  const { id } = (confirm as EnsoFollowFrame & { observation: { id: string } }).observation
  assert.equal(
    (await serving.ask('POST', `/api/threads/${hello['threadId']}/dialog`, { id, confirmed: true })).status,
    204,
  )
  const result = assertEnded(await run.ended, 'done', 0)
  assert.deepEqual([result.text, result.dialogs.answered], ['Painted.', 2])
})

test('standing answers and cancels are this end’s too', async (t) => {
  const { server, place } = await createWorld(t)
  const serving = await startServing(t, place, [...LOCAL, ...extension('asks')])
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }, { text: 'Painted.' })
  const answers = await place.write(
    'answers.json',
    JSON.stringify({ answers: [{ method: 'confirm', answer: { confirmed: true } }] }),
  )
  const ruled = await runEnso(t, place, ['--connect', serving.address, '--answers', answers, 'paint'])
  assert.equal(ruled.exitCode, 0, ruled.stderr)
  assert.match(ruled.stderr, /answered by rule 1/)
  server.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] }, { text: 'Left.' })
  const cancelled = await runEnso(
    t,
    place,
    ['--json', '--connect', serving.address, '--auto-cancel-dialogs', 'paint'],
    { stdin: 'open' },
  )
  assert.equal(assertEnded(cancelled, 'blocked', 3).dialogs.cancelled, 1)
})

test('Ctrl-C stops the served run; a shell that is ended otherwise leaves it going', async (t) => {
  const { server, place } = await createWorld(t)
  const serving = await startServing(t, place, [...LOCAL])
  server.enqueue({ deltas: ['one '], hang: 'mid' })
  const stopped = startEnso(t, place, ['--connect', serving.address, '--thread-id', 't1', 'go'])
  const first = await serving.follow('t1')
  await first.waitFor(isKind('text-delta'))
  stopped.kill('SIGINT')
  assert.equal((await stopped.ended).exitCode, 130)
  await first.waitFor(isOver(1))

  let release: () => void = () => undefined
  server.enqueue({
    deltas: ['two ', 'and three'],
    delayUntil: new Promise<void>((resolve) => void (release = resolve)),
  })
  const left = startEnso(t, place, ['--connect', serving.address, '--thread-id', 't2', 'go'])
  const second = await serving.follow('t2')
  await second.waitFor(isKind('text-delta'))
  left.kill('SIGTERM')
  assert.equal((await left.ended).exitCode, 143)
  assert.equal(second.frames.some(isOver(1)), false)
  release()
  await second.waitFor(isOver(1))
  assert.match(JSON.stringify(second.frames), /and three/)
})

test('a connection that breaks is made again, and nothing of the reply is lost', { timeout: 60_000 }, async (t) => {
  const { server, place } = await createWorld(t)
  const serving = await startServing(t, place, [...LOCAL])
  const proxy = await startCutProxy(t, serving.port)
  const address = `http://127.0.0.1:${proxy.port}/#token=${serving.token}`
  // The server is known by its own port: a proxy in between would be told by --public-url.
  const refused = await runEnso(t, place, ['--connect', address, 'x'])
  assert.equal(refused.exitCode, 2)
  assert.match(refused.stderr, /not known as/)
  serving.process.kill('SIGTERM')
  await serving.process.ended

  const behind = await startServing(t, place, [
    ...LOCAL,
    '--port',
    String(serving.port),
    '--public-url',
    `http://127.0.0.1:${proxy.port}`,
  ])
  let release: () => void = () => undefined
  let releaseLast: () => void = () => undefined
  const held = new Promise<void>((resolve) => void (release = resolve))
  const last = new Promise<void>((resolve) => void (releaseLast = resolve))
  async function* deltas() {
    yield 'first '
    await held
    yield 'second '
    await last
    yield 'third.'
  }
  server.enqueue({ deltas: deltas() })
  const followed = await behind.follow('t1')
  const run = startEnso(t, place, [
    '--connect',
    `http://127.0.0.1:${proxy.port}/#token=${behind.token}`,
    '--thread-id',
    't1',
    'go',
  ])
  await followed.waitFor(isKind('text-delta'))
  while (!run.stdout().includes('first')) await once(run.child.stdout!, 'data')
  proxy.open = false
  proxy.cut()
  release()
  await followed.waitFor((frame) => JSON.stringify(frame).includes('second'))
  await run.waitForLine(/connection to the server is lost/, 'stderr')
  proxy.open = true
  await run.waitForLine(/connected again/, 'stderr')
  releaseLast()
  const end = await run.ended
  assert.equal(end.exitCode, 0, end.stderr)
  assert.equal(end.stdout, 'first second third.\n')
})

test(
  'a server that is killed and started again: an idle shell comes back, a run that was lost is an error',
  { timeout: 60_000 },
  async (t) => {
    const { server, place } = await createWorld(t)
    const file = `${place.ensoHome}/token`
    const first = await startServing(t, place, [...LOCAL, '--token-file', file])
    const args = ['--json', '--connect', first.address, '--thread-id', 't1']
    const idle = startEnso(t, place, args, { stdin: 'open' })
    await idle.waitForJson(({ type }) => type === 'snapshot')
    server.enqueue({ deltas: ['half '], hang: 'mid' })
    const lost = startEnso(t, place, ['--json', '--connect', first.address, '--thread-id', 't2', 'go'], {
      stdin: 'open',
    })
    await lost.waitForJson<Line>(({ observation }) => observation?.kind === 'text-delta')
    first.process.kill('SIGKILL')
    await idle.waitForLine(/connection to the server is lost/, 'stderr')
    const second = await startServing(t, place, [...LOCAL, '--token-file', file, '--port', String(first.port)])
    await idle.waitForLine(/connected again/, 'stderr')
    const result = assertEnded(await lost.ended, 'error', 1)
    assert.match(result.reason ?? '', /started anew/)
    server.enqueue({ text: 'Back.' })
    assert.equal((await second.ask('POST', '/api/threads/t1/prompt', { message: 'hi' })).status, 202)
    await idle.waitForJson<Line>(
      ({ observation }) => observation?.kind === 'text-delta' && observation.delta === 'Back.',
    )
    idle.endInput()
    assertEnded(await idle.ended, 'done', 0)
  },
)

test('what stands in the way of a connection is said, with its exit code', async (t) => {
  const { place } = await createWorld(t)
  const { address, origin, process } = await startServing(t, place, [...LOCAL])
  const cases: [string[], Readonly<Record<string, string>>, number, RegExp][] = [
    [['--connect', origin, 'x'], {}, 2, /no token/],
    [['--connect', origin, 'x'], { ENSO_TOKEN: 'wrong' }, 2, /does not take this token/],
    [['--connect', 'localhost', 'x'], {}, 2, /--connect takes/],
    [['--connect', address, '--ephemeral', 'x'], {}, 2, /--ephemeral and --connect/],
    [['--connect', address, '-e', 'x.ts', 'x'], {}, 2, /--extension and --connect/],
    [['--connect', address, '-r', 'no-such', 'x'], {}, 6, /no thread no-such/],
    [['--connect', address, '-c', 'x'], {}, 6, /no threads/],
    [['--connect', address, '-m', 'local/none', 'x'], {}, 2, /none/],
    [['--token-file', 'x', 'x'], {}, 2, /--token-file needs --connect/],
  ]
  for (const [args, env, exitCode, message] of cases) {
    const end = await runEnso(t, place, args, { env })
    assert.equal(end.exitCode, exitCode, `${args.join(' ')}: ${end.stderr}`)
    assert.match(end.stderr, message)
    const json = await runEnso(t, place, ['--json', ...args], { env, stdin: 'open' })
    assert.equal(checkedLines(json.stdout).at(-1)?.['exitCode'], exitCode)
  }
  process.kill('SIGTERM')
  await process.ended
  const gone = await runEnso(t, place, ['--connect', address, 'x'])
  assert.equal(gone.exitCode, 1)
  assert.match(gone.stderr, /can't be reached \(ECONNREFUSED\)/)
})

test('the token is taken from a file or the environment as well', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Hello.' })
  const file = `${place.root}/token`
  const { origin, token } = await startServing(t, place, [...LOCAL, '--token-file', file])
  const fromFile = await runEnso(t, place, ['--connect', origin, '--token-file', file, 'x'])
  assert.deepEqual([fromFile.exitCode, fromFile.stdout], [0, 'Hello.\n'], fromFile.stderr)
  const fromEnv = await runEnso(t, place, ['--connect', origin, '-c', 'y'], { env: { ENSO_TOKEN: token } })
  assert.deepEqual([fromEnv.exitCode, fromEnv.stdout], [0, 'Hello.\n'], fromEnv.stderr)
})

test('a model and a mode of the command line are set before the prompt', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Hello.' })
  const { address, ask } = await startServing(t, place, [...LOCAL])
  const args = ['--connect', address, '--thread-id', 't1', '-m', 'local/think:high', '--permission-mode', 'plan', 'x']
  const end = await runEnso(t, place, args)
  assert.equal(end.exitCode, 0, end.stderr)
  assert.equal(server.requests[0]?.body.model, 'think')
  const { body } = await ask('GET', '/api/threads/t1')
  assert.equal((body as { permissionMode: { mode: string } }).permissionMode.mode, 'plan')
})

test('a conversation over a connection, left by Ctrl-D while the thread stays', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(
    { text: 'First answer.' },
    { toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] },
    { text: 'Painted.' },
  )
  const { address, ask } = await startServing(t, place, [...LOCAL, ...extension('asks')])
  const terminal = await openEnsoTerminal(t, place, ['--connect', address, '--thread-id', 't1'], {
    columns: 90,
    rows: 30,
  })
  await terminal.waitFor(/^›/m)
  await terminal.type('one question')
  await terminal.press('Enter')
  await terminal.waitFor(/First answer\.\n+.* turn.*\n+›/)
  await terminal.type('paint')
  await terminal.press('Enter')
  await terminal.waitFor(/Paint it\?/)
  await terminal.press('Enter')
  await terminal.waitFor(/Painted\.\n+.* turn.*\n+›/)
  await terminal.press('C-d')
  assert.equal(await terminal.exitCode(), 0)
  const { live } = (await ask('GET', '/api/threads')).body as { live: { threadId: string }[] }
  assert.deepEqual(
    live.map(({ threadId }) => threadId),
    ['t1'],
  )
})
