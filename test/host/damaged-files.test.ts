import assert from 'node:assert/strict'
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { EnsoError } from '../../src/core/index.js'
import { createSessionStore } from '../../src/host/session/session-store.js'
import { bench } from './host-bench.js'
import { fileOf, lines, stored, twoTurns } from './stored-threads.js'

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

test('an append that fails stops the run and says so; what was kept back is written with the next one', async (t) => {
  const { server, open } = await bench(t)
  server.enqueue({ deltas: ['a', 'b'], hang: 'mid' }, { text: 'three' })
  const thread = await open()
  await thread.prompt('first')
  await thread.when('text-delta')
  const file = fileOf(thread)
  // A directory in the file's place: every way of writing to it fails, as on a full disk.
  renameSync(file, `${file}.away`)
  mkdirSync(file)
  await thread.hosted.runtime.abort()
  assert.match(thread.all('extension-error').at(-1)?.error ?? '', /could not be stored/)
  assert.equal(thread.all('extension-error').at(-1)?.event, 'append')
  rmdirSync(file)
  renameSync(`${file}.away`, file)
  await thread.run('second')
  const roles = lines(file).flatMap((line) => (line.message ? [line.message.role] : []))
  assert.deepEqual(roles, ['user', 'assistant', 'user', 'assistant'])
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
