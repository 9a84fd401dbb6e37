import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parseLogLine } from '../../src/core/log-parse.js'
import { ENSO_LOG_LEVEL_RANK, logLineMatches, logLineText } from '../../src/core/log-tail.js'
import { createLineJudge, EVERYTHING, type LogQuestion } from '../../src/log/line-filter.js'

const TIMES = ['2030-01-01T10:00:00.000Z', '2030-01-01T10:00:00.001Z', '2030-01-02T00:00:00.000Z', 'yesterday']

const line = fc
  .record({
    '@timestamp': fc.constantFrom(...TIMES),
    level: fc.constantFrom('TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL', 'LOUD'),
    message: fc.constantFrom('run {generation} acquired', 'x', 'thread abc'),
    logger: fc.constantFrom('enso.host', 'enso.server.feed'),
    properties: fc.record(
      {
        generation: fc.nat(3),
        threadId: fc.constantFrom('abc-1', 'abd-2', 'x', 7),
        process: fc.constantFrom('cli', 'server', 'c'),
        note: fc.constantFrom('about "abc', 'WARN', '","level":"ERROR"'),
      },
      { requiredKeys: [] },
    ),
  })
  .map((value) => JSON.stringify(value))

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
  grep: fc.constantFrom(undefined, 'abc', 'run 1 acquired', 'ERROR'),
})

/** The same judgement, by parsing every line. */
function plainly(asked: LogQuestion, text: string): string {
  const parsed = parseLogLine(text)
  if (parsed === undefined) return 'malformed'
  if (!logLineMatches(asked, parsed)) return 'no'
  const values = Object.values(parsed.properties ?? {}).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  )
  const texts = [logLineText(parsed), parsed.logger, ...values]
  return asked.grep === undefined || texts.some((value) => value.includes(asked.grep ?? '')) ? 'yes' : 'no'
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
    { numRuns: 2000 },
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
