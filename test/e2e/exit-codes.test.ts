import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEnded, createWorld, extension, LOCAL, resultOf } from '../support/e2e.js'
import type { ModelReply } from '../support/model-replies.js'
import { createPlace, ensoBin, type EnsoEnd, runEnso, startProcess } from '../support/run-enso.js'

/** Whatever happens, text and JSON end with the same code: each case is run both ways. */
interface Case {
  readonly what: string
  readonly replies?: readonly ModelReply[]
  readonly otherwise?: ModelReply
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly outcome: Parameters<typeof assertEnded>[1]
  readonly code: number
  readonly reason?: RegExp
}

const cases: readonly Case[] = [
  { what: 'a reply', replies: [{ text: 'hi' }], outcome: 'done', code: 0 },
  { what: 'an empty reply', otherwise: { text: '' }, outcome: 'error', code: 1, reason: /empty/ },
  {
    what: 'a reply cut by length',
    otherwise: { text: 'half', stopReason: 'length' },
    outcome: 'error',
    code: 1,
    reason: /cut short/,
  },
  { what: 'an unknown model', args: ['-m', 'local/nope'], outcome: 'usage', code: 2, reason: /local\/nope/ },
  { what: 'an unknown provider', args: ['-m', 'nobody/x'], outcome: 'usage', code: 2 },
  { what: 'an unknown flag', args: ['--jsn'], outcome: 'usage', code: 2, reason: /--jsn/ },
  { what: 'an empty prompt', args: [''], outcome: 'usage', code: 2 },
  { what: 'an extension that does not exist', args: ['-e', 'gone.ts'], outcome: 'usage', code: 2, reason: /gone\.ts/ },
  { what: 'an unknown thread', args: ['-r', 'nobody-knows'], outcome: 'not-found', code: 6, reason: /nobody-knows/ },
  { what: 'nothing to continue', args: ['-c'], outcome: 'not-found', code: 6 },
  { what: 'a refused login (401)', otherwise: { status: 401 }, outcome: 'provider', code: 5, reason: /401/ },
  { what: 'a forbidden model (403)', otherwise: { status: 403 }, outcome: 'provider', code: 5, reason: /403/ },
  {
    what: 'the provider’s own policy',
    otherwise: { text: 'no', stopReason: 'content_filter' },
    outcome: 'provider',
    code: 5,
  },
  {
    what: 'an extension that throws in a handler',
    replies: [{ text: 'hi' }],
    args: extension('fails'),
    env: { ENSO_TEST_FAIL: 'throw' },
    outcome: 'done',
    code: 0,
  },
  {
    what: 'an extension that exits the process',
    otherwise: { text: 'hi' },
    args: extension('fails'),
    env: { ENSO_TEST_FAIL: 'exit' },
    outcome: 'error',
    code: 1,
    reason: /ended the process/,
  },
  {
    what: 'an extension that exits it later',
    otherwise: { hang: true },
    args: extension('fails'),
    env: { ENSO_TEST_FAIL: 'exit-later' },
    outcome: 'error',
    code: 1,
    reason: /ended the process/,
  },
  {
    what: 'an uncaught exception',
    otherwise: { hang: true },
    args: extension('fails'),
    env: { ENSO_TEST_FAIL: 'uncaught' },
    outcome: 'error',
    code: 1,
    reason: /thrown from a timer/,
  },
  {
    what: 'an unhandled rejection',
    otherwise: { hang: true },
    args: extension('fails'),
    env: { ENSO_TEST_FAIL: 'reject' },
    outcome: 'error',
    code: 1,
    reason: /rejected and left/,
  },
]

for (const { what, replies = [], otherwise, args = [], env = {}, outcome, code, reason } of cases) {
  test(`${what}: ${outcome}, exit ${code}, in both modes`, async (t) => {
    const { server, place } = await createWorld(t)
    if (otherwise) server.otherwise(otherwise)
    const model = args.includes('-m') ? [] : LOCAL
    const prompt = args.includes('') ? [] : ['hello']
    server.enqueue(...replies)
    const text = await runEnso(t, place, [...model, ...args, ...prompt], { env, boundMs: 30_000 })
    assert.equal(text.exitCode, code, text.stderr)
    server.enqueue(...replies)
    const json = await runEnso(t, place, ['--json', ...model, ...args, ...prompt], { env, boundMs: 30_000 })
    const result = assertEnded(json, outcome, code)
    if (reason) {
      assert.match(result.reason ?? '', reason)
      assert.match(text.stderr, reason)
    }
    // The one object of the third format says the same.
    server.enqueue(...replies)
    const one = await runEnso(t, place, ['--output-format', 'json', ...model, ...args, ...prompt], {
      env,
      boundMs: 30_000,
    })
    assert.deepEqual([resultOf(one).outcome, one.exitCode, one.stdout.trimEnd().split('\n').length], [outcome, code, 1])
  })
}

test('an endpoint that is down is exit 5, soon', async (t) => {
  const { server, place } = await createWorld(t)
  const models = server.modelsJson() as { providers: { local: { baseUrl: string } } }
  models.providers.local.baseUrl = 'http://127.0.0.1:9/v1'
  await place.write('home/.enso/agent/models.json', JSON.stringify(models))
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 })
  assertEnded(end, 'provider', 5)
})

test('a rate limit that passes is a reply in the end; the retry is said', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ status: 429, headers: { 'retry-after': '0' } }, { text: 'at last' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 40_000 })
  assert.equal(assertEnded(end, 'done', 0).text, 'at last')
  assert.match(end.stdout, /"kind":"provider-retry"/)
})

test('a connection that is cut, and an answer that is garbage, are never a success', async (t) => {
  const { server, place } = await createWorld(t)
  await place.write('home/.enso/agent/settings.json', '{"retry":{"enabled":false}}')
  for (const reply of [
    { text: 'half of', deltas: ['a', 'b', 'c'], cut: 2 },
    { garbage: true },
  ] satisfies ModelReply[]) {
    server.otherwise(reply)
    const end = await runEnso(t, place, ['--json', ...LOCAL, 'hello'], { boundMs: 60_000 })
    const result = resultOf(end)
    assert.notEqual(end.exitCode, 0)
    assert.ok(['provider', 'error'].includes(result.outcome), result.outcome)
    assert.doesNotMatch(end.stderr, /Could not parse|From chunk/, 'a library spoke')
  }
})

test('a configuration that can’t be read fails closed and is named', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hi' })
  await place.write('home/.enso/config.json', '{"defaultModel": ')
  const own = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  assert.match(assertEnded(own, 'usage', 2).reason ?? '', /config\.json/)
  await place.write('home/.enso/config.json', '{}')
  await place.write('work/enso.config.json', '{"webFetch": 7}')
  const workspace = await runEnso(t, place, ['--json', ...LOCAL, 'hello'])
  assert.match(assertEnded(workspace, 'usage', 2).reason ?? '', /enso\.config\.json/)
  assert.equal(server.requests.length, 0)
})

test('an unknown slash command is refused and never sent to the model', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hi' })
  const end = await runEnso(t, place, ['--json', ...LOCAL, '/no-such-command'])
  const result = resultOf(end)
  assert.notEqual(end.exitCode, 0)
  assert.match(result.reason ?? '', /no-such-command/)
  assert.equal(server.requests.length, 0)
})

test('a working folder that is gone is said, in every mode; what needs none goes on', async (t) => {
  const place = await createPlace(t)
  const started = (args: string): Promise<EnsoEnd> =>
    startProcess(t, 'bash', ['-c', `mkdir gone; cd gone; rmdir ../gone; exec ${process.execPath} ${ensoBin} ${args}`], {
      cwd: place.cwd,
      env: place.env,
    }).ended
  const lines = await started('--json hello')
  const result = assertEnded(lines, 'usage', 2)
  assert.match(result.reason ?? '', /the working folder is gone/)
  const text = await started('hello')
  assert.deepEqual([text.exitCode, text.stdout], [2, ''])
  assert.match(text.stderr, /^enso: the working folder is gone/)
  assert.equal((await started('schema config')).exitCode, 0)
})
