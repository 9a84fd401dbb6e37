import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRequestReader } from '../../../src/cli/json/request-reader.js'

function read(chunks: readonly (string | Uint8Array)[], maxBytes = 1000): string[] {
  const seen: string[] = []
  const reader = createRequestReader(maxBytes, {
    line: (text, number) => seen.push(`${number}:${text}`),
    unreadable: (reason, number) => seen.push(`${number}!${reason}`),
  })
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  reader.end()
  return seen
}

test('lines end at LF only: U+2028, U+2029, NEL, VT and FF stay inside their line', () => {
  assert.deepEqual(read(['{"a":"\u2028\u2029\u0085\v\f"}\n{}\n']), ['1:{"a":"\u2028\u2029\u0085\v\f"}', '2:{}'])
})

test('CRLF, a byte order mark and blank lines are no part of a request, and blank lines are counted', () => {
  assert.deepEqual(read(['\ufeff{"a":1}\r\n', '\r\n   \n\n', '{"b":2}\r\n']), ['1:{"a":1}', '5:{"b":2}'])
})

test('a CR inside a line and a byte order mark in a later line are left as they are', () => {
  assert.deepEqual(read(['a\rb\n\ufeffc\n']), ['1:a\rb', '2:\ufeffc'])
})

test('a character split across chunks arrives whole', () => {
  const bytes = Buffer.from('{"t":"grüße 🙂"}\n')
  assert.deepEqual(read([...bytes].map((byte) => Uint8Array.of(byte))), ['1:{"t":"grüße 🙂"}'])
})

test('a last line without a line feed is a line; an empty rest is none', () => {
  assert.deepEqual(read(['{"a":1}\n{"b":']), ['1:{"a":1}', '2:{"b":'])
  assert.deepEqual(read(['{"a":1}\n']), ['1:{"a":1}'])
  assert.deepEqual(read([]), [])
})

test('NUL bytes and bytes that are no UTF-8 don’t end or shift anything', () => {
  assert.deepEqual(read([Uint8Array.of(0, 0, 10), Uint8Array.of(0xff, 0xfe, 10), '{}\n']), [
    '1:\0\0',
    '2!not-utf8',
    '3:{}',
  ])
})

test('a line of exactly the limit passes, one byte more is refused, and the next line is read', () => {
  const full = 'x'.repeat(1000)
  assert.deepEqual(read([`${full}\r\n${full}y\n{}\n`]), [`1:${full}`, '2!too-large', '3:{}'])
  assert.deepEqual(read([`\ufeff${full}\r\n`]), [`1:${full}`])
  assert.deepEqual(read([full, 'y']), ['1!too-large'])
})

test('an oversized line is skipped without being kept, however small its chunks', () => {
  const seen: string[] = []
  const reader = createRequestReader(1000, {
    line: (text) => seen.push(text),
    unreadable: (reason, number) => seen.push(`${number}!${reason}`),
  })
  globalThis.gc?.()
  const before = process.memoryUsage()
  const chunk = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < 256; sent++) reader.push(chunk)
  const after = process.memoryUsage()
  reader.push(Buffer.from('\n{}\n'))
  assert.deepEqual(seen, ['1!too-large', '{}'])
  assert.ok(after.arrayBuffers - before.arrayBuffers < 4 * 1024 * 1024, 'sixteen megabytes passed through')
})

test('however the bytes are cut, the lines are the same', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\n', ' ')))
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 })), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
      const chunks: Uint8Array[] = []
      for (let at = 0, i = 0; at < bytes.length; i++) {
        const length = cuts[i] ?? 7
        chunks.push(bytes.subarray(at, at + length))
        at += length
      }
      assert.deepEqual(read(chunks), read([bytes]))
    }),
  )
})
