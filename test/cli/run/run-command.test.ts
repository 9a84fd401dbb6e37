import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { exitCodeOfOutput } from '../../../src/cli/lost-output.js'
import { runThread } from '../../../src/cli/run/run-command.js'
import type { RunOptions } from '../../../src/cli/run/run-options.js'
import { EnsoError } from '../../../src/core/index.js'
import {
  createFakeIo,
  createFakeParts,
  type FakeIoOptions,
  type FakePartsOptions,
  runOptions,
  testFolder,
} from '../../support/fake-cli.js'
import { createManualClock } from '../../support/manual-clock.js'

interface Given {
  readonly options?: Partial<RunOptions>
  readonly io?: Partial<FakeIoOptions>
  readonly parts?: Partial<FakePartsOptions>
}

async function start(t: TestContext, { options = {}, io = {}, parts = {} }: Given) {
  const folder = await testFolder(t)
  const fake = createFakeIo({ cwd: folder, ...io })
  const given = createFakeParts({ home: join(folder, 'home'), ...parts })
  const exit = runThread(runOptions({ cwd: folder, ...options }), fake.io, given.parts)
  return { ...fake, host: given.host, requests: given.requests, exit, folder }
}

/** Resolves when the fake host was told its nth prompt. */
async function prompted(host: Awaited<ReturnType<typeof start>>['host'], n = 1) {
  for (;;) {
    const thread = host.opened.at(-1)
    if (thread && thread.prompts.length >= n) return thread
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const result = (lines: Record<string, unknown>[]): Record<string, unknown> => {
  const results = lines.filter(({ type }) => type === 'result')
  assert.equal(results.length, 1, 'exactly one result')
  assert.equal(lines.at(-1), results[0], 'and nothing after it')
  return results[0]!
}

test('a prompt is answered: hello first, the receipt under argv, frames, one result, exit 0', async (t) => {
  const { host, exit, lines, folder } = await start(t, { options: { prompt: 'hello' } })
  ;(await prompted(host)).reply('hi there')
  assert.equal(await exit, 0)
  const all = lines()
  assert.deepEqual(Object.keys(all[0]!), ['type', 'protocol', 'enso', 'threadId', 'cwd'])
  assert.equal(all[0]!['cwd'], folder)
  assert.equal(all[1]!['type'], 'snapshot')
  assert.ok(all.some((line) => line['type'] === 'reply' && line['requestId'] === 'argv' && line['ok'] === true))
  const said = result(all)
  assert.equal(said['outcome'], 'done')
  assert.equal(said['text'], 'hi there')
  assert.equal(said['threadId'], all[0]!['threadId'])
  assert.deepEqual(said['usage'], { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 })
  assert.equal(said['turns'], 1)
  assert.equal('runs' in said, false)
})

test('hello is written before the agent library is asked for anything', async (t) => {
  let seen: unknown[] = []
  const run = await start(t, {
    options: { prompt: 'hello' },
    parts: {
      failWith: () => {
        seen = run.lines().map(({ type }) => type)
        return new EnsoError('unknown-model', 'there is no model x')
      },
    },
  })
  assert.equal(await run.exit, 2)
  assert.equal(seen[0], 'hello')
})

test('a one-shot run ends when it has settled, whether or not standard input is open', async (t) => {
  const { host, exit, stdin } = await start(t, { options: { prompt: 'hello' } })
  ;(await prompted(host)).reply('hi')
  assert.equal(await exit, 0)
  assert.equal(stdin.readableEnded, false)
})

test('without a prompt requests are served until the end of input; the result counts every run', async (t) => {
  const { host, exit, stdin, waitForLine, lines } = await start(t, {})
  stdin.write('{"type":"prompt","message":"one","requestId":"1"}\n')
  ;(await prompted(host)).reply('first')
  await waitForLine((line) => line['type'] === 'status' && line['busy'] === false && line['generation'] === 1)
  stdin.write('{"type":"prompt","message":"two"}\n')
  ;(await prompted(host, 2)).reply('second')
  await waitForLine((line) => line['type'] === 'status' && line['busy'] === false && line['generation'] === 2)
  stdin.end()
  assert.equal(await exit, 0)
  const said = result(lines())
  assert.equal(said['text'], 'second')
  assert.deepEqual(
    (said['runs'] as { generation: number }[]).map(({ generation }) => generation),
    [1, 2],
  )
  assert.deepEqual(said['usage'], { input: 20, output: 10, cacheRead: 0, cacheWrite: 0 })
})

test('the end of input lets the run settle first', async (t) => {
  const { host, exit, stdin, lines } = await start(t, {})
  const inputEnded = once(stdin, 'end')
  stdin.end('{"type":"prompt","message":"one"}\n')
  const thread = await prompted(host)
  await inputEnded
  thread.reply('late')
  assert.equal(await exit, 0)
  assert.equal(result(lines())['text'], 'late')
})

test('nothing asked at all is no success: the outcome is usage, with nothing run', async (t) => {
  for (const text of ['', '\n\n', 'nonsense\n']) {
    const { exit, stdin, lines } = await start(t, {})
    stdin.end(text)
    assert.equal(await exit, 2)
    const { outcome, turns, reason } = result(lines())
    assert.deepEqual([outcome, turns, reason], ['usage', 0, 'no request came on standard input'])
  }
})

test('a refused prompt is the outcome where nothing ran; a request that is no prompt is served and done', async (t) => {
  const refused = await start(t, {})
  refused.stdin.end('{"type":"commands"}\n{"type":"prompt","message":" "}\n')
  assert.equal(await refused.exit, 2)
  assert.deepEqual(
    [result(refused.lines())['outcome'], result(refused.lines())['reason']],
    ['usage', 'the prompt is empty'],
  )
  const served = await start(t, {})
  served.stdin.end('{"type":"commands","requestId":"1"}\n')
  assert.equal(await served.exit, 0)
  const ran = await start(t, {})
  ran.stdin.end('{"type":"prompt","message":"one"}\n{"type":"prompt","message":""}\n')
  ;(await prompted(ran.host)).reply('hi')
  assert.equal(await ran.exit, 0, 'what ran decides')
})

test('the first signal stops the run with the signal’s exit code, and waiting prompts are handed back', async (t) => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    const run = await start(t, { options: { prompt: 'hello' } })
    const thread = await prompted(run.host)
    thread.queue.enqueued.push('and then this')
    run.signal(signal)
    assert.equal(await run.exit, code)
    const said = result(run.lines())
    assert.equal(said['outcome'], 'aborted')
    assert.deepEqual(said['restored'], ['and then this'])
    assert.equal(
      thread.calls.some(({ method }) => method === 'abort'),
      true,
    )
    assert.equal(thread.state.closed, true)
    assert.equal(run.listening(signal), 0)
  }
})

test('a second signal ends a run that can’t be stopped', async (t) => {
  const run = await start(t, {
    options: { prompt: 'hello' },
    io: { clock: createManualClock() },
    parts: { runtime: () => ({ abort: () => new Promise(() => undefined) }) },
  })
  await prompted(run.host)
  run.signal('SIGTERM')
  await new Promise((resolve) => setImmediate(resolve))
  run.signal('SIGTERM')
  assert.equal(await run.exit, 143)
})

test('a fault of the host is the outcome: unknown model, a lock, credentials, the disk', async (t) => {
  const cases = [
    ['unknown-model', 2, 'usage'],
    ['no-model', 5, 'provider'],
    ['thread-locked', 6, 'busy'],
    ['thread-unreadable', 1, 'error'],
    ['disk', 1, 'error'],
    ['bad-config', 2, 'usage'],
  ] as const
  for (const [code, exitCode, outcome] of cases) {
    const run = await start(t, {
      options: { prompt: 'hello' },
      parts: { failWith: () => new EnsoError(code, `because of ${code}`, { hint: 'do this' }) },
    })
    assert.equal(await run.exit, exitCode, code)
    const said = result(run.lines())
    assert.deepEqual([said['outcome'], said['reason'], said['hint']], [outcome, `because of ${code}`, 'do this'])
  }
})

test('a bug beneath the run is one sentence and exit 1', async (t) => {
  const run = await start(t, {
    options: { prompt: 'hello' },
    parts: { failWith: () => new TypeError('x is undefined') },
  })
  assert.equal(await run.exit, 1)
  assert.equal(result(run.lines())['reason'], 'internal error: x is undefined')
})

test('a prompt that the runtime refuses before it begins is a failed run', async (t) => {
  const { host, exit, lines } = await start(t, { options: { prompt: 'hello' } })
  ;(await prompted(host)).prompts[0]!.outcome.onRejected('an extension said no')
  assert.equal(await exit, 1)
  assert.equal(result(lines())['reason'], 'an extension said no')
})

test('a thread that is not stored is exit 6, with a result and no hello', async (t) => {
  const { exit, lines } = await start(t, { options: { prompt: 'x', thread: { kind: 'resume', threadId: 'nobody' } } })
  assert.equal(await exit, 6)
  assert.equal(lines().length, 1)
  assert.equal(result(lines())['outcome'], 'not-found')
  assert.equal(result(lines())['threadId'], null)
})

test('a folder, an extension, an image, an answers file that is not there is a usage error that names it', async (t) => {
  const cases: [Partial<RunOptions>, RegExp][] = [
    [{ cwd: '/no/such/folder' }, /\/no\/such\/folder is not a folder/],
    [{ extensions: ['gone.ts'] }, /gone\.ts does not exist/],
    [{ attachments: [{ kind: 'image', path: 'gone.png' }] }, /gone\.png does not exist/],
    [{ answersFile: 'gone.json' }, /gone\.json can't be read/],
    [{ thread: { kind: 'pick' } }, /needs a thread id/],
  ]
  for (const [options, reason] of cases) {
    const { exit, lines } = await start(t, { options: { prompt: 'x', ...options } })
    assert.equal(await exit, 2)
    assert.match(String(result(lines())['reason']), reason)
  }
})

test('time that is up is a limit, with its name and value', async (t) => {
  const { host, exit, lines } = await start(t, { options: { prompt: 'hello', timeoutMs: 30 } })
  await prompted(host)
  assert.equal(await exit, 4)
  const said = result(lines())
  const limit = said['limit'] as { name: string; value: number; used: number }
  assert.deepEqual([said['outcome'], limit.name, limit.value], ['limit', 'time', 30])
  assert.ok(limit.used >= 30)
})

test('an idle run is a limit; a question that waits is not idleness', async (t) => {
  const clock = createManualClock()
  const { host, exit, lines, waitForLine } = await start(t, {
    options: { prompt: 'hello', idleTimeoutMs: 60_000 },
    io: { clock },
  })
  const thread = await prompted(host)
  thread.emit({ kind: 'turn-start' })
  const id = thread.ask({ method: 'confirm', title: 'Sure?', message: '' })
  await waitForLine((line) => JSON.stringify(line).includes('extension-ui-request'))
  clock.advance(200_000)
  assert.equal(
    lines().some(({ type }) => type === 'result'),
    false,
  )
  thread.endDialog(id, 'answered')
  clock.advance(59_999)
  assert.equal(thread.calls.filter(({ method }) => method === 'abort').length, 0)
  clock.advance(60_000)
  assert.equal(await exit, 4)
  assert.equal((result(lines())['limit'] as { name: string }).name, 'idle')
})

test('a limit of the host is the outcome of the run it stopped', async (t) => {
  const { host, exit, lines, requests } = await start(t, { options: { prompt: 'hello', maxTurns: 3 } })
  const thread = await prompted(host)
  assert.deepEqual(thread.request.limits, { maxTurns: 3 })
  thread.request.onLimit?.({ name: 'turns', value: 3, used: 3 })
  thread.reply('as far as it got')
  assert.equal(await exit, 4)
  assert.deepEqual(result(lines())['limit'], { name: 'turns', value: 3, used: 3 })
  assert.equal(requests[0]!.lock, true)
})

test('an abort request ends a one-shot run as aborted, 130', async (t) => {
  const { host, exit, stdin, lines } = await start(t, { options: { prompt: 'hello' } })
  await prompted(host)
  stdin.write('{"type":"abort","requestId":"stop"}\n')
  assert.equal(await exit, 130)
  assert.ok(lines().some((line) => line['requestId'] === 'stop' && line['ok'] === true))
})

test('the end of input cancels an open question and the run is blocked', async (t) => {
  const { host, exit, stdin, lines, waitForLine } = await start(t, { options: { prompt: 'hello' } })
  const thread = await prompted(host)
  const { dialogs } = thread.request
  assert.equal(dialogs.canAsk(), true)
  const id = thread.ask({ method: 'confirm', title: 'Sure?', message: '' })
  await waitForLine((line) => JSON.stringify(line).includes('extension-ui-request'))
  stdin.end()
  await waitForLine((line) => JSON.stringify(line).includes('dialog-settled'))
  dialogs.ended({ id, method: 'confirm', title: 'Sure?', outcome: 'cancelled', by: 'answer' })
  assert.equal(dialogs.canAsk(), false)
  thread.reply('went on without')
  assert.equal(await exit, 3)
  assert.equal(result(lines())['outcome'], 'blocked')
})

test('--stop-on-eof stops a one-shot run when its standard input closes', async (t) => {
  const { host, exit, stdin, lines } = await start(t, { options: { prompt: 'hello', stopOnEof: true } })
  await prompted(host)
  stdin.end()
  assert.equal(await exit, 130)
  assert.equal(result(lines())['outcome'], 'aborted')
})

test('standard answers come from the file where nobody can be asked', async (t) => {
  const folder = await testFolder(t)
  await writeFile(join(folder, 'a.json'), '{"answers":[{"title":"Sure","answer":{"confirmed":true}}]}')
  const { host, exit } = await start(t, {
    options: { cwd: folder, prompt: 'hello', answersFile: 'a.json', autoCancelDialogs: true },
  })
  const thread = await prompted(host)
  const { dialogs } = thread.request
  assert.equal(dialogs.canAsk(), false)
  const context = { toolName: undefined }
  assert.deepEqual(dialogs.ruleFor({ method: 'confirm', title: 'Sure?', message: '' }, context), { confirmed: true })
  assert.equal(dialogs.ruleFor({ method: 'confirm', title: 'Other?', message: '' }, context), undefined)
  thread.reply('ok')
  assert.equal(await exit, 0)
})

test('a reader that leaves stops the run: 141, no result, nothing on standard error', async (t) => {
  const { host, exit, stdout, said } = await start(t, { options: { prompt: 'hello' } })
  const thread = await prompted(host)
  stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  assert.equal(await exit, 141)
  assert.equal(said('stderr'), '')
  assert.equal(
    thread.calls.some(({ method }) => method === 'abort'),
    true,
  )
})

test('standard output that fails otherwise is an error; the process says it once, whatever it ran', async (t) => {
  const { host, exit, stdout, said } = await start(t, { options: { prompt: 'hello' } })
  await prompted(host)
  stdout.destroy(Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }))
  assert.equal(await exit, 1)
  const told: string[] = []
  const stderr = new Writable({ write: (chunk, _encoding, done) => done(void told.push(String(chunk))) })
  assert.equal(exitCodeOfOutput({ stdout, stderr }, 1), 1)
  assert.deepEqual([said('stderr'), told], ['', ["enso: standard output can't be written: ENOSPC\n"]])
})

test('one JSON result object and nothing else with the json format', async (t) => {
  const { host, exit, stdin, lines } = await start(t, { options: { output: 'json-result', prompt: 'hello' } })
  stdin.end('piped in\n')
  const thread = await prompted(host)
  assert.equal(thread.prompts[0]!.request.message, 'hello\n\n<stdin>\npiped in\n</stdin>')
  assert.equal(thread.request.dialogs.canAsk(), false)
  thread.reply('hi')
  assert.equal(await exit, 0)
  assert.equal(lines().length, 1)
  assert.equal(result(lines())['text'], 'hi')
})

test('in JSON mode a dash makes standard input the prompt, and it carries no requests', async (t) => {
  const { host, exit, stdin } = await start(t, { options: { promptFromStdin: true } })
  stdin.end('{"type":"abort"}\n')
  const thread = await prompted(host)
  assert.equal(thread.prompts[0]!.request.message, '{"type":"abort"}')
  assert.equal(thread.request.dialogs.canAsk(), false)
  thread.reply('hi')
  assert.equal(await exit, 0)
})

test('files and images go along with the prompt', async (t) => {
  const folder = await testFolder(t)
  await writeFile(join(folder, 'notes.md'), '# notes\n```\ncode\n```\n')
  await writeFile(
    join(folder, 'dot.png'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQMAAAAl21bKAAAAA1BMVEUAAACnej3aAAAAAXRSTlMAQObYZgAAAApJREFUCNdjYAAAAAIAAeIhvDMAAAAASUVORK5CYII=',
      'base64',
    ),
  )
  const { host, exit } = await start(t, {
    options: {
      cwd: folder,
      prompt: 'look',
      attachments: [
        { kind: 'file', path: 'notes.md' },
        { kind: 'file', path: 'dot.png' },
      ],
    },
  })
  const thread = await prompted(host)
  const { message, images } = thread.prompts[0]!.request
  assert.equal(message, 'look\n\nnotes.md:\n````\n# notes\n```\ncode\n```\n````')
  assert.deepEqual(
    images?.map(({ mimeType }) => mimeType),
    ['image/png'],
  )
  thread.reply('seen')
  assert.equal(await exit, 0)
})

test('every tool call denied while nobody can be asked is blocked', async (t) => {
  const { host, exit, lines } = await start(t, { options: { prompt: 'hello', autoCancelDialogs: true } })
  const thread = await prompted(host)
  thread.emit({ kind: 'turn-start' }, { kind: 'tool-call', toolCallId: 'c', toolName: 'bash', args: {} })
  thread.emit({ kind: 'custom-entry', customType: 'enso-guard-denial', data: { rule: 'secret-path', toolCallId: 'c' } })
  thread.reply('I was not allowed to')
  assert.equal(await exit, 3)
  assert.deepEqual(result(lines())['denials'], { 'secret-path': 1 })
})

test('a provider’s refusal is exit 5, with the refusal in the result', async (t) => {
  const { host, exit, lines } = await start(t, { options: { prompt: 'hello' } })
  const thread = await prompted(host)
  thread.prompts[0]!.outcome.onAccepted()
  thread.emit({ kind: 'turn-start' }, { kind: 'message-start', role: 'assistant' })
  thread.emit({ kind: 'message-end', role: 'assistant' })
  thread.emit({ kind: 'provider-refused', message: '401 bad key', provider: 'local', status: 401 }, { kind: 'settled' })
  assert.equal(await exit, 5)
  const said = result(lines())
  assert.equal(said['outcome'], 'provider')
  assert.equal((said['refusal'] as { status: number }).status, 401)
})

test('an empty reply, and one cut by length, are errors', async (t) => {
  const empty = await start(t, { options: { prompt: 'hello' } })
  ;(await prompted(empty.host)).reply('')
  assert.equal(await empty.exit, 1)

  const cut = await start(t, {
    options: { prompt: 'hello' },
    parts: { hosted: () => ({ lastStopReason: () => 'length' }) },
  })
  ;(await prompted(cut.host)).reply('half of it')
  assert.equal(await cut.exit, 1)
  assert.match(String(result(cut.lines())['reason']), /cut short/)
})

test('a thread that another process takes over ends the run as a fault', async (t) => {
  const { host, exit, lines } = await start(t, { options: { prompt: 'hello' } })
  const thread = await prompted(host)
  thread.emit({
    kind: 'extension-ui-request',
    id: 'enso-lock-lost',
    method: 'notify',
    blocking: false,
    origin: 'run',
    message: 'thread x was taken over',
    notifyType: 'error',
  })
  assert.equal(await exit, 1)
  assert.equal(result(lines())['reason'], 'thread x was taken over')
})

test('a standard input that is over before the thread is opened is nobody to ask, from the start', async (t) => {
  const run = await start(t, { options: { prompt: 'hello' } })
  run.stdin.end()
  const thread = await prompted(run.host)
  assert.equal(thread.request.dialogs.canAsk(), false)
  thread.reply('ok')
  assert.equal(await run.exit, 0)
})

test('requests that came before the thread was there wait, behind the prompt of the command line', async (t) => {
  const run = await start(t, { options: { prompt: 'first' } })
  run.stdin.write('{"type":"prompt","message":"second","requestId":"2"}\n')
  const thread = await prompted(run.host)
  assert.equal(thread.prompts[0]!.request.message, 'first')
  await run.waitForLine(({ requestId }) => requestId === '2')
  thread.prompts[0]!.outcome.onAccepted()
  await prompted(run.host, 2)
  thread.reply('both')
  assert.equal(await run.exit, 0)
})

test('a prompt on standard input is one run: its account is said once, with the thread', async (t) => {
  const { host, exit, stdin, said } = await start(t, { options: { output: 'text' } })
  stdin.end('hello')
  ;(await prompted(host)).reply('hi')
  assert.equal(await exit, 0)
  const accounts = said('stderr').match(/^.*1 turn .*$/gm) ?? []
  assert.equal(accounts.length, 1, said('stderr'))
  assert.match(accounts[0], /thread /)
})
