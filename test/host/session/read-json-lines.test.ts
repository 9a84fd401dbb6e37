import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { JSON_LINE_MAX_BYTES, readJsonLines, type JsonLine } from '../../../src/host/session/read-json-lines.js'
import { testFolder } from '../../support/fake-cli.js'

async function linesOf(file: string): Promise<JsonLine[]> {
  const lines: JsonLine[] = []
  for await (const line of readJsonLines(file)) lines.push(line)
  return lines
}

test('lines of any length, whole or not, come with their place and value', async (t) => {
  const file = join(await testFolder(t), 'lines.jsonl')
  // Long enough that lines begin and end on both sides of what is read at once.
  const length = fc.oneof(fc.nat(40), fc.integer({ min: 100_000, max: 700_000 }))
  const line = fc.oneof(
    { weight: 4, arbitrary: length.map((size) => JSON.stringify({ text: 'ü'.repeat(size / 2) })) },
    fc.constantFrom('', '  ', '\r', 'not json', '\0\0\0', '{"torn":'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.boolean(), async (texts, closed) => {
      const text = texts.join('\n') + (closed ? '\n' : '')
      writeFileSync(file, text)
      const expected: JsonLine[] = []
      let offset = 0
      for (const one of text.split('\n')) {
        const bytes = Buffer.byteLength(one)
        if (one.trim() !== '') expected.push({ value: valueOf(one), offset, bytes })
        offset += bytes + 1
      }
      assert.deepEqual(await linesOf(file), expected)
    }),
    { numRuns: 40 },
  )
})

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

test('a line over the bound is no value, and the next one is read', async (t) => {
  const file = join(await testFolder(t), 'lines.jsonl')
  const long = Buffer.alloc(JSON_LINE_MAX_BYTES + 10, 0x31)
  writeFileSync(file, Buffer.concat([Buffer.from('{"a":1}\n'), long, Buffer.from('\n{"b":2}\n')]))
  assert.deepEqual(
    (await linesOf(file)).map(({ value, bytes }) => [value, bytes]),
    [
      [{ a: 1 }, 7],
      [undefined, JSON_LINE_MAX_BYTES + 10],
      [{ b: 2 }, 7],
    ],
  )
})
