import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { assertEnded, checkedLines, createWorld, extension, LOCAL, observationsOf, resultOf } from '../support/e2e.js'
import { jsonLines, runEnso, startEnso } from '../support/run-enso.js'

test('line separators and lone surrogates from the model are escaped: even node’s readline sees whole lines', async (t) => {
  const { server, place } = await createWorld(t)
  const text = 'one\u2028two\u2029three \ud83d end'
  server.enqueue({ text })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  assert.equal(/[\u2028\u2029]/.test(end.stdout), false)
  const seen: string[] = []
  for await (const line of createInterface({ input: Readable.from([end.stdout]) })) seen.push(line)
  assert.equal(seen.length, jsonLines(end.stdout).length)
  for (const line of seen) JSON.parse(line)
  assert.match(resultOf(end).text, /one\u2028two\u2029three/)
})

test('whatever extensions, libraries and their children write to standard output lands on standard error', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'the reply' })
  const noise = [
    'at load',
    'at start',
    'from console.log',
    'from stdout.write',
    'from writeSync',
    'from spawnSync',
    'from spawn',
  ]
  const json = await runEnso(t, place, ['--json', ...LOCAL, ...extension('prints'), 'hello'])
  assertEnded(json, 'done', 0)
  assert.equal(json.stdout.includes('noise'), false)
  for (const piece of noise) assert.ok(json.stderr.includes(`noise ${piece}`), piece)
  const text = await runEnso(t, place, [...LOCAL, ...extension('prints'), 'hello'])
  assert.deepEqual([text.exitCode, text.stdout], [0, 'the reply\n'])
  for (const piece of noise) assert.ok(text.stderr.includes(`noise ${piece}`), piece)
})

test('request lines in any chunks: CRLF, a byte order mark, blank lines, NULs, split characters', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL], { stdin: 'open', boundMs: 20_000 })
  const bytes = Buffer.concat([
    Buffer.from('\ufeff{"type":"commands","requestId":"bom"}\r\n\r\n   \n'),
    Buffer.from([0, 0, 0, 10]),
    Buffer.from('nonsense\n'),
    Buffer.from([0xff, 0xfe, 10]),
    Buffer.from('{"type":"fly","requestId":"fly"}\n'),
    Buffer.from('{"type":"prompt","requestId":"p","message":"grüße 🙂\u2028here"}'),
  ])
  for (const byte of bytes) run.child.stdin!.write(Uint8Array.of(byte))
  run.endInput()
  const end = await run.ended
  assertEnded(end, 'done', 0)
  const replies = checkedLines(end.stdout).filter(({ type }) => type === 'reply')
  assert.deepEqual(
    new Set(replies.map(({ requestId, ok, line, refusal }) => JSON.stringify([requestId, ok, line, refusal?.code]))),
    new Set([
      '["bom",true,null,null]',
      '["fly",false,7,"not-found"]',
      '["p",true,null,null]',
      '[null,false,4,"malformed"]',
      '[null,false,5,"malformed"]',
      '[null,false,6,"malformed"]',
    ]),
  )
  assert.match(JSON.stringify(server.requests[0]!.body.messages), /grüße 🙂\u2028here/)
})

test('an oversized request line is refused by its number in bounded memory, and the next one is served', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  const run = startEnso(t, place, ['--json', ...LOCAL], { stdin: 'open', boundMs: 60_000 })
  await run.waitForJson(({ type }) => type === 'snapshot')
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  let highest = 0
  const { readFileSync } = await import('node:fs')
  const rss = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${run.pid}/status`, 'utf8'))![1]) / 1024
  const before = rss()
  for (let sent = 0; sent < 400; sent++) {
    if (!run.child.stdin!.write(chunk)) await new Promise((resolve) => run.child.stdin!.once('drain', resolve))
    if (sent % 10 === 0) highest = Math.max(highest, rss())
  }
  run.send('\n')
  run.send({ type: 'prompt', message: 'still there?' })
  const refused = await run.waitForJson(({ type, ok }) => type === 'reply' && ok === false)
  assert.deepEqual([refused['line'], (refused['refusal'] as { code: string }).code], [1, 'too-large'])
  run.endInput()
  assertEnded(await run.ended, 'done', 0)
  // 400 MB went through; at most one line's room (about 134 MB, doubled while it grows) is ever kept.
  assert.ok(highest - before < 330, `${Math.round(highest - before)} MB more`)
})

test('hello is the first line and is there before anything has been asked of the model', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ hang: 'no-headers' })
  const run = startEnso(t, place, ['--json', '--thread-id', 'my-thread', ...LOCAL, 'hello'], { stdin: 'open' })
  const hello = await run.waitForJson(() => true)
  assert.deepEqual(hello, { type: 'hello', protocol: 1, enso: hello['enso'], threadId: 'my-thread', cwd: place.cwd })
  await server.waitForRequest(1)
  run.kill('SIGTERM')
  assertEnded(await run.ended, 'aborted', 143)
})

test('the stream of a fast reply is at most three times its content', async (t) => {
  const { server, place } = await createWorld(t)
  const deltas = Array.from({ length: 20_000 }, (_, n) => `word${n % 10} `)
  server.enqueue({ deltas })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 })
  const result = assertEnded(end, 'done', 0)
  assert.equal(result.text, deltas.join(''))
  const streamed = observationsOf(checkedLines(end.stdout), 'text-delta').map(({ delta }) => delta as string)
  assert.equal(streamed.join(''), result.text)
  const content = Buffer.byteLength(result.text)
  assert.ok(
    Buffer.byteLength(end.stdout) <= 3 * content + 4096,
    `${Buffer.byteLength(end.stdout)} bytes for ${content}`,
  )
})
