import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { bench, gate } from './host-bench.js'
import { fileOf, lines, stored, twoTurns } from './stored-threads.js'

test('the first prompt is on disk before its reply begins, private, and named by the thread', async (t) => {
  const { server, open } = await bench(t)
  const held = gate()
  server.enqueue(async () => {
    await held.opened
    return { text: 'late' }
  })
  const thread = await open()
  assert.equal(existsSync(fileOf(thread)), false)
  await thread.prompt('hello')
  await server.waitForRequest(1)
  const file = fileOf(thread)
  assert.deepEqual(
    lines(file).map((line) => line.message?.role ?? line.type),
    ['session', 'model_change', 'thinking_level_change', 'user'],
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(file)).mode & 0o777, 0o700)
  assert.match(basename(file), new RegExp(`^\\d{4}-.*Z_${thread.hosted.threadId}\\.jsonl$`))
  held.open()
  await thread.when('settled')
  assert.equal(lines(file).at(-1)?.message?.role, 'assistant')
})

test('a thread nobody has said anything in leaves no file', async (t) => {
  const { open, threadsDir } = await bench(t)
  const thread = await open()
  await thread.hosted.runtime.runHostCommand({ name: 'model', value: 'local/think' })
  await thread.hosted.close()
  assert.deepEqual(readdirSync(join(threadsDir, 'project')), [])
})

test('an ephemeral thread leaves nothing on disk', async (t) => {
  const { server, open, threadsDir } = await bench(t)
  server.enqueue({ text: 'ok' })
  const thread = await open({ session: { kind: 'ephemeral' } })
  assert.equal(thread.hosted.sessionFile, null)
  await thread.run('hello')
  assert.equal(thread.hosted.entries().filter((entry) => entry.kind === 'message').length, 2)
  assert.equal(existsSync(threadsDir), false)
})

test('a stored thread goes on with its history and its model', async (t) => {
  const it = await bench(t)
  const { file, threadId } = await twoTurns(it)
  it.server.enqueue({ text: 'three' })
  const thread = await it.open(stored(file, threadId))
  await thread.run('third')
  const sent = JSON.stringify(it.server.requests.at(-1)?.body)
  for (const text of ['first', 'one', 'second', 'two', 'third']) assert.ok(sent.includes(`"${text}"`), text)
  assert.equal(fileOf(thread), file)
  assert.equal(thread.hosted.sessionId, threadId)
  assert.equal(thread.hosted.runtime.modelState().model?.id, 'x')
  assert.equal(thread.hosted.runtime.sessionUsage().output, 15)
})

test('a model named for a stored thread is its model from then on', async (t) => {
  const it = await bench(t)
  const { file, threadId } = await twoTurns(it)
  it.server.enqueue({ text: 'three' })
  const named = await it.open({ ...stored(file, threadId), model: 'local/think:low' })
  await named.run('third')
  await named.hosted.close()
  const { model: _model, ...again } = { ...stored(file, threadId), model: undefined }
  const hosted = await it.host.openThread({
    cwd: it.cwd,
    ...again,
    dialogs: { canAsk: () => true, ruleFor: () => undefined, timeoutMs: () => undefined, ended: () => undefined },
  })
  assert.equal(hosted.runtime.modelState().model?.id, 'think')
  assert.equal(hosted.runtime.modelState().thinkingLevel, 'low')
})

test('a fork has the history under its own id, and the source is untouched', async (t) => {
  const it = await bench(t)
  const { file } = await twoTurns(it)
  const before = readFileSync(file, 'utf8')
  it.server.enqueue({ text: 'three' })
  const thread = await it.open({ threadId: 'the-fork', session: { kind: 'fork', file, dir: dirname(file) } })
  await thread.run('third')
  assert.notEqual(fileOf(thread), file)
  assert.equal(thread.hosted.sessionId, 'the-fork')
  assert.equal(thread.hosted.entries().filter((entry) => entry.kind === 'message').length, 6)
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.equal(statSync(fileOf(thread)).mode & 0o777, 0o600)
})

test('a subscriber that throws loses nothing of the thread', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ text: 'one' })
  const thread = await open()
  thread.hosted.runtime.subscribe(() => {
    throw new Error('a bad follower')
  })
  await thread.run('first')
  assert.equal(lines(fileOf(thread)).filter((line) => line.type === 'message').length, 2)
})

test('an extension that throws on every event loses nothing of the thread, and each fault is said', async (t) => {
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [
        (pi) => {
          const fail = (): never => {
            throw new Error('bad extension')
          }
          for (const event of ['message_end', 'turn_end', 'agent_end', 'context', 'session_start'] as const) {
            pi.on(event as 'turn_end', fail)
          }
        },
      ],
    },
  })
  server.enqueue({ text: 'one' })
  const thread = await open()
  await thread.run('first')
  assert.equal(lines(fileOf(thread)).filter((line) => line.type === 'message').length, 2)
  const events = new Set(thread.all('extension-error').map((one) => one.event))
  assert.deepEqual(events, new Set(['session_start', 'message_end', 'turn_end', 'agent_end', 'context']))
})

test('a slow handler of a message does not let the thread settle before it is stored', async (t) => {
  const { server, open } = await bench(t, {
    parts: {
      customTools: [],
      extensions: [(pi) => pi.on('message_end', () => new Promise((resolve) => setTimeout(resolve, 30)))],
    },
  })
  server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'true' } }] }, { text: 'done' })
  const thread = await open()
  await thread.run('go')
  assert.equal(thread.seen.at(-1)?.kind, 'settled')
  assert.equal(lines(fileOf(thread)).filter((line) => line.type === 'message').length, 4)
  assert.equal(thread.hosted.isBusy(), false)
})
