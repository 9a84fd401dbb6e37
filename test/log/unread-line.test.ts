import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ENSO_LOG_EVENTS, foldDay, type EnsoLogLine } from '../../src/core/index.js'
import { parseLogLine } from '../../src/core/log-parse.js'
import { foldLogFile } from '../../src/log/log-days.js'
import { createUnreadLine } from '../../src/log/unread-line.js'
import { testFolder } from '../support/fake-cli.js'

const AT = '2030-01-01T10:00:00.000Z'

const properties = fc.record(
  {
    threadId: fc.constantFrom('a', 'b', 'odd "{kind}"'),
    generation: fc.nat(2),
    nested: fc.constantFrom({ kind: 'text-delta' }, [{ kind: 'settled' }], { process: 'x', pid: 1 }),
    kind: fc.constantFrom(
      'text-delta',
      'tool-call',
      'tool-result',
      'settled',
      'provider-refused',
      'turn-start',
      'tool',
    ),
    toolCallId: fc.constantFrom('c1', 'c2'),
    toolName: fc.constantFrom('bash', 'read'),
    input: fc.nat(9),
    text: fc.constantFrom('"process":"cli","pid":1}}', '{"@timestamp":"', 'a@b', '\0', '@'),
    process: fc.constantFrom('cli', 'ü', 'quo"te', ''),
    pid: fc.constantFrom(1, 2, 1.5),
  },
  { requiredKeys: ['process', 'pid'] },
)

const record = fc
  .record({
    '@timestamp': fc.constantFrom(AT, '2030-01-01T10:00:01.000Z'),
    level: fc.constantFrom('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'LOUD', 'TRICK'),
    message: fc.constantFrom(...Object.values(ENSO_LOG_EVENTS), '{kind} payload', 'said', '"{kind}"', ''),
    logger: fc.constantFrom('enso.host.observation', 'enso.server.run'),
    properties,
  })
  .map((value) => JSON.stringify(value))

const damaged = fc.oneof(
  record.map((text) => text.slice(0, -20)),
  fc.tuple(record, fc.nat(200), record).map(([first, cut, next]) => first.slice(0, cut) + next),
  record.map((text) => text.replace(/"seq"|"kind"/, '\0\0\0')),
  fc.constantFrom('', '{}', 'foreign', '{"time":1}', '\0\0\0'),
)

test('a day is counted alike whether its lines are parsed or not', async (t) => {
  const path = join(await testFolder(t), 'day')
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 4, arbitrary: record }, damaged), { maxLength: 30 }),
      async (texts) => {
        writeFileSync(path, texts.map((text) => `${text}\n`).join(''))
        const filled = texts.filter((text) => text !== '')
        const parsed = filled.map(parseLogLine)
        const lines = parsed.filter((line): line is EnsoLogLine => line !== undefined)
        const plain = foldDay('2030-01-01', lines, filled.length - lines.length)
        const folded = await foldLogFile(path, '2030-01-01')
        assert.deepEqual(folded, plain)
      },
    ),
    { numRuns: 300 },
  )
})

test('payloads and pieces of a reply are not parsed; what is counted by more than its writer is', () => {
  const unread = createUnreadLine()
  const of = (message: string, more: object): unknown => {
    const buffer = Buffer.from(
      JSON.stringify({
        '@timestamp': AT,
        level: 'DEBUG',
        message,
        logger: 'enso.host.observation',
        properties: { threadId: 't', generation: 1, seq: 1, ...more, process: 'cli', pid: 7 },
      }),
    )
    return unread(buffer, 0, buffer.length)
  }
  const writer = { process: 'cli', pid: 7 }
  assert.deepEqual(of('{kind} payload', { kind: 'tool-call', payload: { args: {} } }), writer)
  assert.deepEqual(of(ENSO_LOG_EVENTS.observation, { kind: 'text-delta' }), writer)
  assert.equal(of(ENSO_LOG_EVENTS.observation, { kind: 'tool-call' }), undefined)
  assert.equal(of(ENSO_LOG_EVENTS.messageUsage, { input: 1 }), undefined)
})
