import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseLogLine } from '../../src/core/log-parse.js'
import { ENSO_LOG_LEVEL_RANK, logLineMatches, logLineText } from '../../src/core/log-tail.js'
import { escapeControls } from '../../src/log/line-text.js'
import { createLineJudge, EVERYTHING, type LogQuestion } from '../../src/log/line-filter.js'
import { readLog } from '../../src/log/read-log.js'
import { testFolder } from '../support/fake-cli.js'

const TIMES = ['2030-01-01T10:00:00.000Z', '2030-01-01T10:00:00.001Z', '2030-01-02T00:00:00.000Z', 'yesterday']

const line = fc
  .record({
    '@timestamp': fc.constantFrom(...TIMES),
    level: fc.constantFrom('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'LOUD'),
    message: fc.constantFrom(
      'run {generation} acquired',
      'x',
      'thread abc',
      '{note}{process}',
      'a {{b}} "{note}"',
      'é {no}',
    ),
    logger: fc.constantFrom('enso.host', 'enso.server.feed'),
    properties: fc.record(
      {
        generation: fc.nat(3),
        threadId: fc.constantFrom('abc-1', 'abd-2', 'x', 7),
        process: fc.constantFrom('cli', 'server', 'c'),
        note: fc.constantFrom('about "abc', 'WARN', '","level":"ERROR"', 'two\nlines', 'next\u0085 line', 'tab\t é'),
        payload: fc.constantFrom({ args: { command: 'say "hi"\n' } }, ['two\nlines', 'next\u0085 line'], { n: 1.5 }),
      },
      { requiredKeys: [] },
    ),
  })
  .map((value) => escapeControls(JSON.stringify(value)))

/** Not as our own writer spells it, or no record at all. */
const foreign = fc.oneof(
  line.map((text) => JSON.stringify(JSON.parse(text), undefined, 1).replaceAll('\n', ' ')),
  line.map((text) => text.slice(0, -9)),
  fc.constantFrom('', '\0\0\0\0', '{}', 'plain text', '{"time":1,"level":30,"msg":"other"}'),
  fc.string().map((text) => text.replaceAll('\n', ' ')),
)

const question = fc.record({
  levelRank: fc.nat(5),
  thread: fc.constantFrom(undefined, 'ab', 'abc-1', 'zzz', 'a"b'),
  process: fc.constantFrom(undefined, 'cli', 'server'),
  notBefore: fc.constantFrom(0, ...TIMES.slice(0, 3).map((time) => Date.parse(time))),
  grep: fc.oneof(
    fc.constantFrom(undefined, 'abc', 'run 1 acquired', '1 acq', 'n 2', 'ERROR', 'say "hi"', '\\"hi\\"', '"command":'),
    fc.constantFrom(
      'two\nlines',
      'next\u0085',
      'tab\t',
      'a {b} "',
      'WARNcli',
      'linescli',
      'é ',
      'é {no}',
      '{note}',
      '',
    ),
    fc.string({ maxLength: 3 }),
  ),
})

/** The same judgement, by parsing every line. */
function plainly(asked: LogQuestion, text: string): string {
  const parsed = parseLogLine(text)
  if (parsed === undefined) return 'malformed'
  if (!logLineMatches(asked, parsed)) return 'no'
  const { grep } = asked
  if (grep === undefined) return 'yes'
  const escaped = JSON.stringify(grep).slice(1, -1)
  const isIn = (value: unknown): boolean =>
    typeof value === 'string'
      ? value.includes(grep)
      : [grep, escaped].some((text) => JSON.stringify(value).includes(text))
  return [logLineText(parsed), parsed.logger, ...Object.values(parsed.properties ?? {})].some(isIn) ? 'yes' : 'no'
}

test('lines passed over unparsed are lines that would not have matched', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(line, foreign), { maxLength: 20 }), question, (texts, asked) => {
      const buffer = Buffer.from(`${texts.join('\n')}\n`)
      const judge = createLineJudge(asked)
      let start = 0
      for (const text of texts) {
        const end = start + Buffer.byteLength(text)
        const verdict = judge(buffer, start, end)
        start = end + 1
        const expected = plainly(asked, text)
        if (verdict === 'skipped') assert.notEqual(expected, 'yes', text)
        else assert.equal(typeof verdict === 'string' ? verdict : 'yes', expected === 'no' ? 'other' : expected, text)
      }
    }),
    { numRuns: 4000 },
  )
})

test('our own lines below the tier, before the time or of other threads are not parsed', () => {
  const text = JSON.stringify({
    '@timestamp': TIMES[0],
    level: 'DEBUG',
    message: 'x',
    logger: 'enso',
    properties: { threadId: 'abc', process: 'cli' },
  })
  const buffer = Buffer.from(text)
  const verdict = (more: Partial<LogQuestion>) => createLineJudge({ ...EVERYTHING, ...more })(buffer, 0, buffer.length)
  assert.equal(verdict({ levelRank: ENSO_LOG_LEVEL_RANK['info'] ?? 0 }), 'skipped')
  assert.equal(verdict({ notBefore: Date.parse(TIMES[1] ?? '') }), 'skipped')
  assert.equal(verdict({ thread: 'abd' }), 'skipped')
  assert.equal(verdict({ process: 'server' }), 'skipped')
  assert.equal(typeof verdict({ thread: 'ab', process: 'cli', levelRank: 1 }), 'object')
})

test('one judge goes on over buffer after buffer', () => {
  const of = (thread: string): Buffer =>
    Buffer.from(
      JSON.stringify({
        '@timestamp': TIMES[0],
        level: 'INFO',
        message: 'x',
        logger: 'e',
        properties: { threadId: thread },
      }),
    )
  const judge = createLineJudge({ ...EVERYTHING, thread: 'b' })
  const verdicts = ['a', 'b', 'a', 'b', 'b'].map((thread) => {
    const buffer = of(thread)
    return typeof judge(buffer, 0, buffer.length)
  })
  assert.deepEqual(verdicts, ['string', 'object', 'string', 'object', 'object'])
})

test('a text is found inside the arguments of a call, as it was typed there', () => {
  const stored = JSON.stringify({
    '@timestamp': TIMES[0],
    level: 'TRACE',
    message: '{kind} payload',
    logger: 'enso',
    properties: { kind: 'tool-call', payload: { args: { command: 'echo "done"\nls' } } },
  })
  const buffer = Buffer.from(stored)
  const verdict = (grep: string) => createLineJudge({ ...EVERYTHING, grep })(buffer, 0, buffer.length)
  for (const found of ['echo "done"', '"done"\nls', 'tool-call payload', '{"command":']) {
    assert.equal(typeof verdict(found), 'object', found)
  }
  assert.equal(verdict('echo done'), 'skipped')
})

test('one buffer filled anew is searched anew', async (t) => {
  const path = join(await testFolder(t), 'x')
  const of = (level: string, threadId: string): string =>
    `${JSON.stringify({ '@timestamp': TIMES[0], level, message: 'x', logger: 'e', properties: { threadId } })}\n`
  // The tier alone passes over nearly all lines, so that the thread's name is looked for now and then only.
  const filler = of('INFO', 'other').repeat(20_000)
  writeFileSync(path, [of('WARN', 'other'), filler, of('WARN', 'mine'), filler, of('WARN', 'mine')].join(''))
  const question = { ...EVERYTHING, levelRank: ENSO_LOG_LEVEL_RANK['warn'] ?? 0, thread: 'mine' }
  assert.equal((await readLog(path, question)).matched, 2)
  assert.equal((await readLog(path, { ...EVERYTHING, grep: 'mine' })).matched, 2)
})
