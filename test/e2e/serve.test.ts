import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createWorld, extension, LOCAL } from '../support/e2e.js'
import { inRoot } from '../support/root.js'
import { createPlace, runEnso, startEnso } from '../support/run-enso.js'
import { isKind, isOver, startServing } from '../support/serving.js'

const run = promisify(execFile)

test('a script of curl alone prompts, follows, answers and stops a served thread', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue(
    { toolCalls: [{ name: 'ask_things', args: { ask: ['select'] } }] },
    { text: 'Painted.' },
    { hang: true },
  )
  const { address } = await startServing(t, place, [...LOCAL, ...extension('asks')])
  const { stdout } = await run('sh', [inRoot('test', 'fixtures', 'serve', 'drive.sh'), address], { timeout: 30_000 })
  const lines = stdout.trim().split('\n')
  assert.match(lines[0] ?? '', /^receipt: \{"threadId":"drive-1","messageId":"[\w-]+","generation":1,"queued":false\}$/)
  assert.match(lines[1] ?? '', /^question: \S+$/)
  assert.equal(lines[2], 'reply: Painted.')
  assert.equal(lines[3], 'stopped: {"threadId":"drive-1","restored":[]}')
})

test('one line says where it listens, with a token of 256 bits that is new at each start', async (t) => {
  const place = await createPlace(t)
  const tokens = []
  for (let start = 0; start < 2; start++) {
    const { process, origin, token } = await startServing(t, place)
    assert.equal(process.stdout(), `listening ${origin}/#token=${token}\n`)
    assert.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    tokens.push(token)
    process.kill('SIGTERM')
    const end = await process.ended
    assert.deepEqual([end.exitCode, end.signal], [143, null], end.stderr)
  }
  assert.notEqual(tokens[0], tokens[1])
})

test('a token file keeps the token across starts and is the owner’s alone', async (t) => {
  const place = await createPlace(t)
  const file = join(place.root, 'deep', 'token')
  const tokens = []
  for (let start = 0; start < 2; start++) {
    const { process, token } = await startServing(t, place, ['--token-file', file])
    tokens.push(token)
    process.kill('SIGINT')
    assert.equal((await process.ended).exitCode, 130)
  }
  assert.equal(tokens[0], tokens[1])
  assert.equal(readFileSync(file, 'utf8').trim(), tokens[0])
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('the first request, sent as it begins to listen, is answered', async (t) => {
  const place = await createPlace(t)
  const { ask } = await startServing(t, place)
  assert.deepEqual(await ask('GET', '/api/threads'), { status: 200, body: { live: [], stored: [] } })
})

test('what can’t be served is refused with exit 2', async (t) => {
  const place = await createPlace(t)
  const { port } = await startServing(t, place)
  const cases: [string[], RegExp][] = [
    [['--port', String(port)], /in use/],
    [['--port', '70000'], /up to 65535/],
    [['--host', '0.0.0.0', '--allow-remote'], /every interface/],
    [['--host', '192.0.2.1'], /other machines/],
    [['--public-url', 'https://x/path'], /without a path/],
    [['--permission-mode', 'bypassPermissions'], /--allow-bypass/],
    [['hello'], /takes no prompt/],
    [['--token-file', place.cwd], /token file/],
    [['--colour', 'x'], /unknown flag/],
  ]
  for (const [args, message] of cases) {
    const end = await runEnso(t, place, ['serve', ...args])
    assert.equal(end.exitCode, 2, `${args.join(' ')}: ${end.stderr}`)
    assert.match(end.stderr, message)
    assert.equal(end.stdout, '')
  }
})

test('a signal ends runs and follows in order, and nothing of a run is alive after', { timeout: 60_000 }, async (t) => {
  const { server, place } = await createWorld(t)
  const pidFile = join(place.tmp, 'pid')
  const command = `setsid sh -c 'echo $$ > ${pidFile}; exec sleep 1000' & sleep 1000`
  server.enqueue({ toolCalls: [{ name: 'bash', args: { command } }] })
  const mode = ['--allow-bypass', '--permission-mode', 'bypassPermissions']
  const { process, follow, ask } = await startServing(t, place, [...LOCAL, ...mode])
  const followed = await follow('t1')
  await ask('POST', '/api/threads/t1/prompt', { message: 'sleep' })
  await followed.waitFor(isKind('tool-call'))
  const pid = await waitForFile(pidFile)
  process.kill('SIGTERM')
  const end = await process.ended
  assert.equal(end.exitCode, 143, end.stderr)
  await followed.ended
  assert.ok(followed.frames.some(isKind('settled')))
  assert.ok(followed.frames.some((frame) => frame.type === 'status' && !frame.live && !frame.busy))
  assert.equal(isAlive(Number(pid)), false)
})

async function waitForFile(file: string): Promise<string> {
  for (;;) {
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text !== '') return text
    } catch {
      // Not written yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function isAlive(pid: number): boolean {
  try {
    // One that is dead and only not yet waited for by whoever inherited it is not alive.
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

test('two servers on one home: a thread is busy in the second while the first has it', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Hello.' })
  const first = await startServing(t, place, [...LOCAL])
  const second = await startServing(t, place, [...LOCAL])
  const followed = await first.follow('t1')
  assert.equal((await first.ask('POST', '/api/threads/t1/prompt', { message: 'hi' })).status, 202)
  await followed.waitFor(isOver(1))
  const refused = await second.ask('POST', '/api/threads/t1/prompt', { message: 'hi' })
  assert.equal(refused.status, 409)
  assert.equal((refused.body as { code: string }).code, 'busy')
  const { stored } = (await second.ask('GET', '/api/threads')).body as { stored: { threadId: string; busy: boolean }[] }
  assert.deepEqual(
    stored.map(({ threadId, busy }) => [threadId, busy]),
    [['t1', true]],
  )
  first.process.kill('SIGTERM')
  await first.process.ended
  assert.equal((await second.ask('POST', '/api/threads/t1/prompt', { message: 'hi' })).status, 202)
})

test('after a kill the next server has what was settled, and takes the thread over', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'Settled.' }, { deltas: ['half '], hang: 'mid' })
  const first = await startServing(t, place, [...LOCAL])
  const followed = await first.follow('t1')
  await first.ask('POST', '/api/threads/t1/prompt', { message: 'one' })
  await followed.waitFor(isOver(1))
  await first.ask('POST', '/api/threads/t1/prompt', { message: 'two' })
  await followed.waitFor((frame) => frame.type === 'status' && frame.busy && frame.generation === 2)
  await server.waitForRequest(2)
  first.process.kill('SIGKILL')
  await followed.ended
  server.enqueue({ text: 'Again.' })
  const second = await startServing(t, place, [...LOCAL])
  const again = await second.follow('t1')
  const snapshot = await again.waitFor((frame) => frame.type === 'snapshot')
  assert.match(JSON.stringify(snapshot), /Settled\./)
  assert.match(JSON.stringify(snapshot), /"interrupted":"unanswered-prompt"/)
  assert.equal((await second.ask('POST', '/api/threads/t1/prompt', { message: 'three' })).status, 202)
  await again.waitFor(isOver(1))
  assert.ok(again.frames.some((frame) => JSON.stringify(frame).includes('Again.')))
})

test('the agent’s own commands find no token, and can’t answer their own questions', { timeout: 60_000 }, async (t) => {
  const { server, place } = await createWorld(t)
  const file = join(place.ensoHome, 'token')
  const commands = [
    'env; set; export -p',
    'cat /proc/$PPID/environ /proc/$PPID/cmdline',
    `cat ${file}`,
    `head -c 100 ${place.ensoHome}/tok*`,
    `node -e "console.log(require('fs').readFileSync('${file}','utf8'))"`,
    `cp ${file} here.txt; cat here.txt`,
  ]
  server.enqueue(...commands.map((command) => ({ toolCalls: [{ name: 'bash', args: { command } }] })), {
    text: 'Done.',
  })
  const mode = ['--allow-bypass', '--permission-mode', 'bypassPermissions']
  const { token, follow, ask } = await startServing(t, place, [...LOCAL, ...mode, '--token-file', file], {
    env: { ENSO_TOKEN: 'a-token-for-another-server-0123456789abcdef' },
  })
  const followed = await follow('t1')
  await ask('POST', '/api/threads/t1/prompt', { message: 'look for it' })
  await followed.waitFor(isOver(1))
  const results = followed.frames.filter((frame) => isKind('tool-result')(frame))
  assert.ok(results.length >= commands.length)
  const said = JSON.stringify(followed.frames)
  assert.equal(said.includes(token), false)
  assert.equal(said.includes('a-token-for-another-server'), false)
})

test('a run on which nothing comes is said, and stopped where the server is told to', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ hang: true })
  const { follow, ask } = await startServing(t, place, [...LOCAL, '--stall-after', '1s', '--stall-cut'])
  const followed = await follow('t1')
  await ask('POST', '/api/threads/t1/prompt', { message: 'hang' })
  const notice = await followed.waitFor(
    (frame) =>
      frame.type === 'observation' &&
      frame.observation.kind === 'extension-ui-request' &&
      frame.observation.id === 'enso-stalled',
  )
  assert.match(JSON.stringify(notice), /nothing has come for \d+ s; the run is stopped/)
  await followed.waitFor(isOver(1))
})

test('a thread that does nothing is let go and comes back from its file', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Here.' })
  const { follow, ask } = await startServing(t, place, [...LOCAL, '--thread-idle', '300ms'])
  const followed = await follow('t1')
  await ask('POST', '/api/threads/t1/prompt', { message: 'one' })
  await followed.waitFor((frame) => frame.type === 'status' && !frame.live && frame.generation === 1)
  const { live } = (await ask('GET', '/api/threads')).body as { live: unknown[] }
  assert.deepEqual(live, [])
  const history = (await ask('GET', '/api/threads/t1/history')).body as { messages: unknown[] }
  assert.equal(history.messages.length, 2)
  await ask('POST', '/api/threads/t1/prompt', { message: 'two' })
  await followed.waitFor(isOver(2))
  const inspection = await ask('GET', '/api/threads/t1/history')
  assert.equal((inspection.body as { messages: unknown[] }).messages.length, 4)
})

test('a new thread works in the project that is named, and a page can register one', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'Here.' })
  const root = join(place.root, 'projects')
  mkdirSync(join(root, 'alpha'), { recursive: true })
  await place.write('home/.enso/config.json', JSON.stringify({ projects: { roots: [root] } }))
  const { origin, token, ask, follow } = await startServing(t, place, [...LOCAL])
  const registered = await ask('POST', '/api/projects', { path: join(root, 'alpha') })
  const { projectId } = registered.body as { projectId: string }
  const prompted = await fetch(`${origin}/api/threads/t1/prompt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-enso-project': projectId },
    body: JSON.stringify({ message: 'hi' }),
  })
  assert.equal(prompted.status, 202)
  const followed = await follow('t1')
  const snapshot = await followed.waitFor((frame) => frame.type === 'snapshot')
  assert.equal(snapshot.type === 'snapshot' && snapshot.cwd, join(root, 'alpha'))
  await followed.waitFor((frame) => frame.type !== 'observation' && !frame.busy && frame.generation === 1)
  const { stored } = (await ask('GET', `/api/threads?project=${projectId}`)).body as { stored: { threadId: string }[] }
  assert.deepEqual(
    stored.map(({ threadId }) => threadId),
    ['t1'],
  )
})

test('a second signal ends the server at once', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ toolCalls: [{ name: 'stubborn', args: {} }] })
  const { process, follow, ask } = await startServing(t, place, [...LOCAL, ...extension('stubborn')])
  const followed = await follow('t1')
  await ask('POST', '/api/threads/t1/prompt', { message: 'x' })
  await followed.waitFor((frame) => frame.type === 'status' && frame.busy)
  process.kill('SIGTERM')
  await process.waitForLine(/SIGTERM: ending/, 'stderr')
  process.kill('SIGTERM')
  assert.equal((await process.ended).exitCode, 143)
})

test('the help of serve names its flags', async (t) => {
  const place = await createPlace(t)
  const end = await startEnso(t, place, ['serve', '--help']).ended
  assert.equal(end.exitCode, 0)
  for (const flag of [
    '--port',
    '--host',
    '--token-file',
    '--public-url',
    '--thread-idle',
    '--stall-cut',
    '--model',
    '--permission-mode',
    '--extension',
    '--trust-project',
    '--dialog-timeout',
  ]) {
    assert.ok(end.stdout.includes(flag), flag)
  }
})
