import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { createRedactor } from '../../../src/log/redact/redactor.js'
import { createStreamRedactor } from '../../../src/log/redact/stream-redactor.js'

const SECRET = 'sk-test-ENSO-9f8e7d6c5b4a39281706'
const WITH_BLANKS = 'correct horse battery staple 9'
const MARK = '[REDACTED:value]'
const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBg\nqhkiG9w0\n-----END RSA PRIVATE KEY-----'

function redactor() {
  const secrets = createKnownSecrets()
  secrets.add(SECRET)
  secrets.add(WITH_BLANKS)
  return createRedactor(secrets)
}

function through(chunks: readonly string[]): string {
  const stream = createStreamRedactor(redactor())
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end()
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

test('however a text is cut, it reads as the whole text redacted', () => {
  const part = fc.constantFrom(
    SECRET,
    WITH_BLANKS,
    Buffer.from(`user:${SECRET}`).toString('base64'),
    KEY,
    'https://user:pa55w0rd@host/',
    'Bearer abcdef0123456789abcdef',
    'ghp_abcdefghijklmnopqrstuvwxyz0123',
    'plain words ',
    '\n',
    ' ',
    'correct horse ',
    '-----BEGIN ',
    'sk-test',
    'API_TOKEN=wJalrXUtnFEMI7',
    'password: ',
    '--token ',
    'pa55w0rds',
    `${SECRET.slice(0, 9)}\n${SECRET.slice(9)}`,
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 30 }), (parts, cuts) => {
      const text = parts.join(' ')
      assert.equal(through(cutAt(text, cuts)), redactor().text(text))
    }),
    { numRuns: 1000 },
  )
})

test('a secret that comes one character at a time is found', () => {
  assert.equal(through(`x ${SECRET} y`.split('')), `x ${MARK} y`)
  assert.equal(through(KEY.split('')), MARK)
})

test('what can be no part of a secret any more is let go as it comes', () => {
  const stream = createStreamRedactor(redactor())
  const long = 'words and more words, '.repeat(20)
  assert.ok(stream.push(long).length > long.length - 150)
})

test('a stream without a blank, and a key block without an end, hold a bounded amount', () => {
  const stream = createStreamRedactor(redactor())
  let out = 0
  for (let n = 0; n < 100; n++) out += stream.push('x'.repeat(1000)).length
  assert.ok(out > 90_000)
  stream.end()
  const blocks = [stream.push('-----BEGIN PRIVATE KEY-----\n')]
  for (let n = 0; n < 200; n++) blocks.push(stream.push(`${'QUJD'.repeat(250)}\n`))
  blocks.push(stream.push('last\n-----END PRIVATE KEY-----\nafter it'), stream.end())
  assert.equal(blocks.join(''), `${MARK}\nafter it`)
})

test('after its end the redactor begins another stream', () => {
  const stream = createStreamRedactor(redactor())
  stream.push(SECRET.slice(0, 10))
  stream.end()
  assert.equal(stream.push(SECRET.slice(10)) + stream.end(), SECRET.slice(10))
})
