import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { parseLogLine } from '../../src/core/log-parse.js'
import type { EnsoLogLine } from '../../src/core/log.js'
import type { EnsoObservation } from '../../src/core/observation.js'
import { configureLogging } from '../../src/log/configure.js'
import { createObservationLog, DELTA_RECORD_CHARS, PAYLOAD_TEXT_CHARS } from '../../src/log/observation-log.js'
import { createKnownSecrets } from '../../src/log/redact/known-secrets.js'
import { testFolder } from '../support/fake-cli.js'
import { createManualClock } from '../support/manual-clock.js'

const SECRET = 'sk-test-ENSO-9f8e7d6c5b4a39281706'

/** Logs observations at a tier and gives back the lines after the first. */
async function logged(t: TestContext, tier: string, observations: readonly EnsoObservation[]): Promise<EnsoLogLine[]> {
  const logsDir = join(await testFolder(t), 'logs')
  const handle = await configureLogging({
    logsDir,
    process: 'test',
    env: { ENSO_LOG_LEVEL: tier, SOME_API_KEY: SECRET },
    secrets: createKnownSecrets(),
    clock: createManualClock(),
  })
  const log = createObservationLog(handle.redactor)
  observations.forEach((observation, index) =>
    log.observe({ threadId: 't', generation: 1, seq: index + 1, observation }),
  )
  log.endAll()
  await handle.close()
  const [name = ''] = readdirSync(logsDir)
  const text = readFileSync(join(logsDir, name), 'utf8')
  assert.ok(!text.includes(SECRET))
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => parseLogLine(line)!)
}

const text = (delta: string, contentIndex = 0): EnsoObservation => ({ kind: 'text-delta', contentIndex, delta })
const call: EnsoObservation = {
  kind: 'tool-call',
  toolCallId: 'c',
  toolName: 'bash',
  args: { command: `echo ${SECRET}` },
}
const result = (complete: boolean, output: string): EnsoObservation => ({
  kind: 'tool-result',
  toolCallId: 'c',
  toolName: 'bash',
  text: output,
  isError: false,
  complete,
})
const brief = (lines: readonly EnsoLogLine[]): unknown[] =>
  lines.map(({ level, properties }) => `${level} ${String(properties?.['kind'])}`)

test('at info the log holds what happened and nothing of what was said', async (t) => {
  const lines = await logged(t, 'info', [
    { kind: 'turn-start' },
    { kind: 'message-start', role: 'user', text: 'a private prompt' },
    text('hello '),
    call,
    result(false, 'half'),
    result(true, 'all of it'),
    { kind: 'provider-refused', message: 'rate limited', provider: 'p', status: 429 },
    { kind: 'extension-error', extensionPath: '/x', event: 'tool_call', error: 'boom' },
    { kind: 'settled' },
  ])
  assert.deepEqual(brief(lines), [
    'INFO tool-call',
    'INFO tool-result',
    'INFO provider-refused',
    'WARN extension-error',
    'INFO settled',
  ])
  assert.doesNotMatch(JSON.stringify(lines), /private prompt|all of it|echo/)
  assert.deepEqual(lines[1]?.properties, {
    threadId: 't',
    generation: 1,
    seq: 6,
    kind: 'tool-result',
    toolCallId: 'c',
    toolName: 'bash',
    isError: false,
    complete: true,
    chars: 9,
    process: 'test',
    pid: process.pid,
  })
})

test('at debug each observation is a line, and neighbouring deltas are one', async (t) => {
  const lines = await logged(t, 'debug', [
    text('he'),
    text('llo'),
    text(' world', 1),
    { kind: 'turn-end', toolResults: 0 },
  ])
  assert.deepEqual(brief(lines), ['DEBUG text-delta', 'DEBUG text-delta', 'DEBUG turn-end'])
  const { seq, firstSeq, pieces, chars } = lines[0]?.properties ?? {}
  assert.deepEqual({ seq, firstSeq, pieces, chars }, { seq: 2, firstSeq: 1, pieces: 2, chars: 5 })
  assert.doesNotMatch(JSON.stringify(lines), /llo/)
})

test('at trace the payload is beside it, without secrets, also one that was streamed in pieces', async (t) => {
  const lines = await logged(t, 'trace', [
    ...`key ${SECRET} here`.split('').map((char) => text(char)),
    call,
    result(false, SECRET.slice(0, 20)),
    result(true, `it said ${SECRET}`),
  ])
  const payloads = lines.filter(({ level }) => level === 'TRACE').map(({ properties }) => properties?.['payload'])
  assert.deepEqual(payloads, [
    { delta: 'key [REDACTED:value] here' },
    { toolCallId: 'c', toolName: 'bash', args: { command: 'echo [REDACTED:value]' } },
    {
      toolCallId: 'c',
      toolName: 'bash',
      text: 'it said [REDACTED:value]',
      isError: false,
      complete: true,
    },
  ])
  assert.ok(!JSON.stringify(lines).includes(SECRET.slice(0, 20)))
})

test('a long reply is several records, and a secret between two of them is found', async (t) => {
  const filler = 'word '.repeat(Math.floor(DELTA_RECORD_CHARS / 5) - 2)
  const lines = await logged(t, 'trace', [
    text(filler),
    text(SECRET.slice(0, 15)),
    text(SECRET.slice(15)),
    text(' end'),
  ])
  const said = lines
    .filter(({ level }) => level === 'TRACE')
    .map(({ properties }) => (properties!['payload'] as { delta: string }).delta)
  assert.ok(said.length >= 2)
  assert.equal(said.join(''), `${filler}[REDACTED:value] end`)
})

test('a long text of a payload is cut after its secrets are out', async (t) => {
  const output = `${'x'.repeat(PAYLOAD_TEXT_CHARS - 10)}${SECRET} and more ${'y'.repeat(1000)}`
  const [, trace] = await logged(t, 'trace', [result(true, output)])
  const kept = (trace!.properties!['payload'] as { text: string }).text
  assert.ok(kept.length < PAYLOAD_TEXT_CHARS + 50)
  assert.match(kept.slice(-60), /x\[REDACTED:… \[\d+ characters\]$/)
})

test('an observation that can’t be read is said, and never thrown', async (t) => {
  const lines = await logged(t, 'info', [undefined as unknown as EnsoObservation, { kind: 'settled' }])
  assert.match(String(lines[0]?.message), /could not be logged/)
  assert.deepEqual(brief(lines).at(-1), 'INFO settled')
})
