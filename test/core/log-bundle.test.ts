import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  browserSection,
  buildLogBundle,
  bundleRecordsText,
  isLogBundle,
  redactionManifest,
} from '../../src/core/log-bundle.js'
import { parseLogLine } from '../../src/core/log-parse.js'
import { ENSO_REDACTED, ENSO_REDACTED_VALUE, type EnsoLogLine } from '../../src/core/log.js'

const about = {
  at: '2030-01-01T00:00:00.000Z',
  enso: '0.1.0',
  pi: '0.73.1',
  bun: 'node 20',
  os: 'Linux',
  selection: 'all',
}
const line = (properties: Record<string, unknown>, more: Partial<EnsoLogLine> = {}): EnsoLogLine => ({
  '@timestamp': '2030-01-01T10:00:00.000Z',
  level: 'INFO',
  message: 'x',
  logger: 'enso.host',
  properties,
  ...more,
})

test('a bundle holds its records and gives them back', () => {
  const lines = [line({ a: 1 }), line({ text: '```\n# no heading\n```' }, { level: 'WARN', message: 'careful {text}' })]
  const bundle = buildLogBundle({ about, threads: [{ threadId: 't' }], lines, matched: 7 })
  assert.ok(isLogBundle(bundle))
  assert.match(bundle, /The last 2 of 7 records/)
  assert.match(bundle, /- selection: all/)
  assert.match(bundle, /## Warnings and errors[\s\S]*careful/)
  const back = bundleRecordsText(bundle).trim().split('\n').map(parseLogLine)
  assert.deepEqual(back, lines)
})

test('the browser’s records come after the server’s', () => {
  const bundle = buildLogBundle({ about, threads: [], lines: [line({ n: 1 })], matched: 1 })
  const whole = bundle + browserSection([line({ n: 2 })], 'http://127.0.0.1:1/\n# forged')
  const numbers = bundleRecordsText(whole)
    .trim()
    .split('\n')
    .map((text) => parseLogLine(text)?.properties?.['n'])
  assert.deepEqual(numbers, [1, 2])
  assert.doesNotMatch(whole, /^# forged/m)
})

test('whatever a record says, it comes back and opens nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.string(), (many, selection) => {
      const lines = many.map((properties) => JSON.parse(JSON.stringify(line(properties))) as EnsoLogLine)
      const bundle = buildLogBundle({ about: { ...about, selection }, threads: lines, lines, matched: lines.length })
      const back = bundleRecordsText(bundle)
        .split('\n')
        .filter((text) => text !== '')
      assert.deepEqual(
        back.map((text) => JSON.parse(text) as unknown),
        lines,
      )
    }),
  )
})

test('a bundle cut in half gives the records it still has', () => {
  const lines = Array.from({ length: 50 }, (_, n) => line({ n }))
  const bundle = buildLogBundle({ about, threads: [], lines, matched: 50 })
  const half = bundle.slice(0, Math.floor(bundle.length / 2))
  assert.ok(isLogBundle(half))
  const texts = bundleRecordsText(half).trim().split('\n')
  const whole = texts.map(parseLogLine).filter((record) => record !== undefined)
  assert.ok(whole.length > 10 && whole.length < 50)
  assert.ok(texts.length - whole.length <= 1)
})

test('other texts are no bundle', () => {
  for (const text of ['', '# enso log bundles', '{"@timestamp":1}', '# other', ' # enso log bundle']) {
    assert.ok(!isLogBundle(text), text)
  }
})

test('the manifest counts records a field, and caught values apart', () => {
  const manifest = redactionManifest([
    line({ apiKey: ENSO_REDACTED, deep: [{ apiKey: ENSO_REDACTED, token: ENSO_REDACTED }] }),
    line({ apiKey: ENSO_REDACTED, argv: ['--token', ENSO_REDACTED] }),
    line({ reason: `curl ${ENSO_REDACTED_VALUE} ${ENSO_REDACTED_VALUE}` }),
    line({ clean: 'yes' }),
  ])
  assert.deepEqual(manifest, { apiKey: 2, argv: 1, token: 1, values: 1 })
  assert.deepEqual(redactionManifest([]), {})
})
