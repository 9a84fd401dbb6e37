import assert from 'node:assert/strict'
import { openSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { assertEnded, createWorld, extension, LOCAL, resultOf } from '../support/e2e.js'
import { ensoBin, runEnso, type StartOptions, startEnso, startProcess } from '../support/run-enso.js'
import { openEnsoTerminal } from '../support/terminal.js'

const lastPrompt = (body: { messages: { role: string; content: unknown }[] }): string =>
  JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)

test('a prompt and a standard input of any kind: none blocks, none changes the mode', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  for (const stdin of ['open', 'closed', 'null'] satisfies StartOptions['stdin'][]) {
    for (const mode of [[], ['--json'], ['--output-format', 'json']]) {
      const end = await runEnso(t, place, [...mode, ...LOCAL, 'hello'], { stdin, boundMs: 15_000 })
      assert.equal(end.exitCode, 0, `${stdin} ${mode.join(' ')}\n${end.stderr}`)
      if (mode.length === 0) assert.equal(end.stdout, 'ok\n')
      else assert.equal(resultOf(end).text, 'ok')
    }
  }
})

test('a dumb terminal type in the environment and an open pipe don’t block either', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const end = await runEnso(t, place, [...LOCAL, 'hello'], { stdin: 'open', env: { TERM: 'dumb' }, boundMs: 15_000 })
  assert.deepEqual([end.exitCode, end.stdout], [0, 'ok\n'])
  assert.match(end.stderr, /standard input is open and silent/)
})

test('an open pipe costs JSON mode nothing: its standard input is for requests', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { stdin: 'open' })
  assert.ok(resultOf(end).durationMs < 2500)
  assert.equal(end.stderr, '')
})

test('piped text goes along with the prompt as context; a dash reads the prompt itself', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'ok' })
  await runEnso(t, place, [...LOCAL, 'review'], { stdin: { text: 'diff --git a b\n' } })
  assert.match(lastPrompt(server.requests[0]!.body), /review\\n\\n<stdin>\\ndiff --git a b\\n<\/stdin>/)
  await runEnso(t, place, [...LOCAL, '-'], { stdin: { text: 'the whole prompt\n' } })
  assert.match(lastPrompt(server.requests[1]!.body), /"the whole prompt"/)
  await runEnso(t, place, [...LOCAL], { stdin: { text: 'no words given\n' } })
  assert.match(lastPrompt(server.requests[2]!.body), /"no words given"/)
  assert.equal((await runEnso(t, place, [...LOCAL])).exitCode, 2, 'no prompt and no input')
})

test('a file as standard input is context', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const file = await place.write('work/notes.txt', 'from a file')
  const child = spawn(process.execPath, [ensoBin, ...LOCAL, 'read'], {
    cwd: place.cwd,
    env: place.env,
    stdio: [openSync(file, 'r'), 'ignore', 'ignore'],
  })
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.match(lastPrompt(server.requests[0]!.body), /from a file/)
})

test('on a terminal a prompt runs at once and reads nothing', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const terminal = await openEnsoTerminal(t, place, [...LOCAL, 'hello'])
  assert.equal(await terminal.exitCode(15_000), 0)
  assert.match(await terminal.all(), /^ok$/m)
})

test('JSON mode on a terminal ends by itself too', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'ok' })
  const terminal = await openEnsoTerminal(t, place, ['--json', ...LOCAL, 'hello'])
  assert.equal(await terminal.exitCode(15_000), 0)
})

test('a tool that reads standard input gets nothing and eats no request line', async (t) => {
  const { server, place } = await createWorld(t)
  const args = { command: 'cat; echo "[$(wc -c < /dev/stdin)]"' }
  server.enqueue(
    { toolCalls: [{ name: 'bash', args }] },
    { toolCalls: [{ name: 'ask_things', args: { ask: ['confirm'] } }] },
    { text: 'ok' },
  )
  const run = startEnso(t, place, ['--json', ...LOCAL, ...extension('asks'), 'hello'], {
    stdin: 'open',
    boundMs: 20_000,
  })
  for (;;) {
    const { observation } = await run.waitForJson<{ observation?: Record<string, unknown> }>(
      ({ observation: seen }) =>
        seen?.['kind'] === 'extension-ui-request' && seen['blocking'] === true && !answered.has(seen['id']),
    )
    const { id, method } = observation as { id: string; method: string }
    answered.add(id)
    if (method === 'select')
      run.send({ type: 'dialog', id, value: (observation!['dialog'] as { options: string[] }).options[0] })
    else {
      run.send({ type: 'dialog', id, confirmed: true })
      break
    }
  }
  const end = await run.ended
  assertEnded(end, 'done', 0)
  assert.match(end.stdout, /answers: \[true\]/)
})
const answered = new Set<unknown>()

test('--stop-on-eof: a run whose supervisor is gone stops', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ hang: true })
  const run = startEnso(t, place, ['--json', '--stop-on-eof', ...LOCAL, 'hello'], { stdin: 'open', boundMs: 20_000 })
  await server.waitForRequest(1)
  run.endInput()
  assertEnded(await run.ended, 'aborted', 130)
})

test('attachments that can’t be taken are a usage error that names them', async (t) => {
  const { place } = await createWorld(t)
  await place.write('work/not-an-image.png', 'text')
  const missing = await runEnso(t, place, ['--json', ...LOCAL, '--image', 'gone.png', 'look'])
  assert.match(assertEnded(missing, 'usage', 2).reason ?? '', /gone\.png does not exist/)
  const wrong = await runEnso(t, place, ['--json', ...LOCAL, '--image', 'not-an-image.png', 'look'])
  assert.match(assertEnded(wrong, 'usage', 2).reason ?? '', /not-an-image\.png is not an image/)
  const folder = await runEnso(t, place, [...LOCAL, 'look', `@${join(place.root, 'work')}`])
  assert.equal(folder.exitCode, 2)
})

test('piped bytes that are no text are refused and nothing is asked: another encoding, binary data', async (t) => {
  const { server, place } = await createWorld(t)
  for (const [bytes, reason] of [
    ['caf\\351', /standard input is not UTF-8/],
    ['a\\000b', /standard input is binary: it has NUL bytes/],
  ] as const) {
    for (const prompt of ['look', '-']) {
      const enso = [process.execPath, ensoBin, ...LOCAL, prompt].join(' ')
      const run = startProcess(t, 'bash', ['-c', `set -o pipefail; printf '${bytes}' | ${enso}`], {
        cwd: place.cwd,
        env: place.env,
      })
      const end = await run.ended
      assert.deepEqual([end.exitCode, end.stdout], [2, ''], end.stderr)
      assert.match(end.stderr, reason)
    }
  }
  assert.equal(server.requests.length, 0)
})
