import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { EnsoError } from '../../src/core/index.js'
import { createSessionStore } from '../../src/host/session-store.js'
import { bench, gate } from './host-bench.js'
import type { Bench, BenchThread } from './host-bench.js'

const lines = (file: string): { type: string; message?: { role: string } }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { type: string })

const fileOf = (thread: BenchThread): string => thread.hosted.sessionFile!

function stored(file: string, threadId: string): { threadId: string; session: { kind: 'stored'; file: string } } {
  return { threadId, session: { kind: 'stored', file } }
}

/** A closed thread of two answered prompts. */
async function twoTurns({ server, open }: Bench): Promise<{ file: string; threadId: string }> {
  server.enqueue({ text: 'one' }, { text: 'two' })
  const thread = await open()
  await thread.run('first')
  await thread.run('second')
  await thread.hosted.close()
  return { file: fileOf(thread), threadId: thread.hosted.threadId }
}

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

test('a torn last line is cut off before the thread is written to, and nothing before it is lost', async (t) => {
  const it = await bench(t)
  const { file, threadId } = await twoTurns(it)
  const before = readFileSync(file, 'utf8')
  appendFileSync(file, '{"type":"message","id":"deadbeef","parentId":"00')
  it.server.enqueue({ text: 'three' })
  const thread = await it.open(stored(file, threadId))
  assert.match(thread.hosted.notes.join(), /torn last line/)
  await thread.run('third')
  assert.ok(readFileSync(file, 'utf8').startsWith(before))
  const reading = await createSessionStore(it).read({ threadId, projectId: 'project', file, cwd: it.cwd })
  assert.equal(reading.skippedLines, 0)
  assert.equal(reading.entries.filter((entry) => entry.kind === 'message').length, 6)
})

test('an entry whose line feed is missing is kept: it gets its line feed', async (t) => {
  const it = await bench(t)
  const { file, threadId } = await twoTurns(it)
  truncateSync(file, statSync(file).size - 1)
  it.server.enqueue({ text: 'three' })
  const thread = await it.open(stored(file, threadId))
  await thread.run('third')
  const messages = thread.hosted.entries().filter((entry) => entry.kind === 'message')
  assert.equal(messages.length, 6)
  assert.equal(lines(file).filter((line) => line.type === 'message').length, 6)
})

test('a last line of NUL bytes, as a crash of the machine leaves it, is cut off', async (t) => {
  const it = await bench(t)
  const { file, threadId } = await twoTurns(it)
  const before = statSync(file).size
  appendFileSync(file, Buffer.alloc(70_000))
  await it.open(stored(file, threadId))
  assert.equal(statSync(file).size, before)
})

test('one lost line takes neither what is older nor the next request with it', async (t) => {
  const it = await bench(t)
  it.server.enqueue({ text: 'one' }, { toolCalls: [{ name: 'bash', args: { command: 'echo hi' } }] }, { text: 'two' })
  const first = await it.open()
  await first.run('first')
  await first.run('second')
  await first.hosted.close()
  const file = fileOf(first)
  // The line of the reply that called the tool is filled with NULs; its result has lost its call and its parent.
  const damaged = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => (line.includes('"toolCall"') ? '\0'.repeat(line.length) : line))
  writeFileSync(file, damaged.join('\n'))
  it.server.enqueue({ text: 'three' })
  const thread = await it.open(stored(file, first.hosted.threadId))
  assert.match(thread.hosted.notes.join(), /1 unreadable line /)
  await thread.run('third')
  const { messages } = it.server.requests.at(-1)!.body as { messages: { role: string; content: unknown }[] }
  assert.equal(messages.filter((one) => one.role === 'tool').length, 0)
  const said = JSON.stringify(messages)
  for (const text of ['first', 'one', 'second', 'two', 'third']) assert.ok(said.includes(text), text)
  const reading = await createSessionStore(it).read({
    threadId: first.hosted.threadId,
    projectId: 'project',
    file,
    cwd: it.cwd,
  })
  assert.equal(reading.skippedLines, 1)
  assert.equal(reading.entries.filter((entry) => entry.kind === 'message').length, 6)
})

test('a thread killed while its tool ran goes on: the call gets a result that says so', async (t) => {
  const it = await bench(t)
  it.server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'echo hi' } }] }, { text: 'two' })
  const first = await it.open()
  await first.run('first')
  await first.hosted.close()
  const file = fileOf(first)
  const kept = readFileSync(file, 'utf8').split('\n')
  const call = kept.findIndex((line) => line.includes('"toolCall"'))
  writeFileSync(file, `${kept.slice(0, call + 1).join('\n')}\n`)
  it.server.enqueue({ text: 'three' })
  const thread = await it.open(stored(file, first.hosted.threadId))
  await thread.run('third')
  const { messages } = it.server.requests.at(-1)!.body as { messages: { role: string }[] }
  assert.deepEqual(
    messages.map((one) => one.role).filter((role) => role !== 'system' && role !== 'developer'),
    ['user', 'assistant', 'tool', 'user'],
  )
})

test('a file whose first line is no header is refused and left as it is', async (t) => {
  const { open, threadsDir } = await bench(t)
  mkdirSync(threadsDir)
  for (const text of ['not json\n{"type":"message"}\n', '', '\0\0\0\0', '{"type":"message","id":"a"}\n']) {
    const file = join(threadsDir, 'bad.jsonl')
    writeFileSync(file, text)
    await assert.rejects(
      open(stored(file, 'bad')),
      (error) => error instanceof EnsoError && error.code === 'thread-unreadable',
    )
    assert.equal(readFileSync(file, 'utf8'), text)
  }
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

test('an append that fails stops the run and says so; what was kept back is written with the next one', async (t) => {
  const { server, open } = await bench(t)
  let full = false
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' }, { text: 'three' })
  const thread = await open()
  await thread.prompt('first')
  await thread.when('text-delta')
  const file = fileOf(thread)
  // A directory in the file's place: every way of writing to it fails, as on a full disk.
  const { renameSync, rmdirSync } = await import('node:fs')
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  full = true
  await thread.hosted.runtime.abort()
  assert.match(thread.all('extension-error').at(-1)?.error ?? '', /could not be stored/)
  assert.equal(thread.all('extension-error').at(-1)?.event, 'append')
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  await thread.run('second')
  const roles = lines(file).flatMap((line) => (line.message ? [line.message.role] : []))
  assert.deepEqual(roles, ['user', 'assistant', 'user', 'assistant'])
  assert.ok(full)
})

test('a thread whose lock is lost writes no more, and its run ends with the reason', async (t) => {
  const { server, open } = await bench(t)
  let ours = true
  server.enqueue({ text: 'one' }, { toolCalls: [{ name: 'bash', args: { command: 'sleep 60' } }] })
  const thread = await open({
    beforeAppend: () => {
      if (!ours) throw new EnsoError('lock-lost', 'another process has taken the thread over')
    },
  })
  await thread.run('first')
  const before = readFileSync(fileOf(thread), 'utf8')
  ours = false
  await thread.run('second')
  assert.equal(readFileSync(fileOf(thread), 'utf8'), before)
  assert.match(thread.all('extension-error')[0]?.error ?? '', /taken the thread over/)
  ours = true
  const next = await thread.prompt('third')
  assert.deepEqual(next, { accepted: false, reason: 'another process has taken the thread over' })
  assert.equal(readFileSync(fileOf(thread), 'utf8'), before)
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
