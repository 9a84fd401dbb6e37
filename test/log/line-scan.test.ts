import assert from 'node:assert/strict'
import { appendFileSync, openSync, writeFileSync, writeSync, closeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type LineVisitor, MAX_LINE_BYTES, scanLines } from '../../src/log/line-scan.js'
import { testFolder } from '../support/fake-cli.js'

function collector(): LineVisitor & { readonly lines: string[]; tooLong: number } {
  const lines: string[] = []
  return {
    lines,
    tooLong: 0,
    line: (buffer, start, end) => void lines.push(buffer.toString('utf8', start, end)),
    oversized() {
      this.tooLong++
    },
  }
}

test('whole lines are seen in order, an unfinished last one is not', async (t) => {
  const path = join(await testFolder(t), 'x')
  writeFileSync(path, 'one\n\ntwo ü\nunfinished')
  const seen = collector()
  assert.deepEqual(await scanLines(path, seen), { offset: 12, rest: 10 })
  assert.deepEqual(seen.lines, ['one', 'two ü'])
})

test('a later scan goes on where the last one ended', async (t) => {
  const path = join(await testFolder(t), 'x')
  writeFileSync(path, 'one\ntw')
  const { offset } = await scanLines(path, collector())
  appendFileSync(path, 'o\nthree\n')
  const seen = collector()
  assert.equal((await scanLines(path, seen, { from: offset })).offset, 14)
  assert.deepEqual(seen.lines, ['two', 'three'])
  const none = collector()
  await scanLines(path, none, { from: 4, until: 8 })
  assert.deepEqual(none.lines, ['two'])
})

test('lines of any length across any chunk come whole', async (t) => {
  const path = join(await testFolder(t), 'x')
  const length = fc.oneof(fc.nat(50), fc.integer({ min: 1_048_000, max: 1_049_000 }), fc.constant(3_000_000))
  await fc.assert(
    fc.asyncProperty(fc.array(length, { maxLength: 8 }), async (lengths) => {
      const lines = lengths.map((size, index) => String(index).padEnd(size + 1, 'x'))
      writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
      const seen = collector()
      const { rest } = await scanLines(path, seen)
      assert.equal(rest, 0)
      assert.deepEqual(
        seen.lines.map((line) => line.length),
        lines.map((line) => line.length),
      )
      assert.ok(seen.lines.every((line, index) => line === lines[index]))
    }),
    { numRuns: 25 },
  )
})

test('a line beyond every bound is counted, not kept, and the next one is read', async (t) => {
  const path = join(await testFolder(t), 'x')
  const file = openSync(path, 'w')
  writeSync(file, 'before\n')
  const piece = 'y'.repeat(1024 * 1024)
  for (let written = 0; written < 50; written++) writeSync(file, piece)
  writeSync(file, '\nafter\n')
  closeSync(file)
  const seen = collector()
  const before = process.memoryUsage().arrayBuffers
  const end = await scanLines(path, seen)
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 * MAX_LINE_BYTES)
  assert.deepEqual(seen.lines, ['before', 'after'])
  assert.equal(seen.tooLong, 1)
  assert.deepEqual(end, { offset: 14 + 50 * 1024 * 1024, rest: 0 })
})

test('a scan that is aborted ends early, and one of a missing file throws', async (t) => {
  const folder = await testFolder(t)
  const path = join(folder, 'x')
  writeFileSync(path, 'line\n'.repeat(1_000_000))
  const stop = new AbortController()
  const seen = { ...collector(), rest: () => (stop.abort(), undefined) }
  await scanLines(path, seen, { signal: stop.signal })
  assert.ok(seen.lines.length > 0 && seen.lines.length < 1_000_000)
  await assert.rejects(scanLines(join(folder, 'missing'), collector()), { code: 'ENOENT' })
})
