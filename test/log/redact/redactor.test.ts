import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { createRedactor, type Redactor } from '../../../src/log/redact/redactor.js'
import { secretForms } from '../../../src/log/redact/secret-forms.js'

const MARK = '[REDACTED:value]'
const SECRET = 'p@ss/w0rd+with=odd&chars"\\end'

function redactorOf(...values: readonly string[]): Redactor {
  const secrets = createKnownSecrets()
  for (const value of values) secrets.add(value)
  return createRedactor(secrets)
}

/** A secret of at least eight characters that is no common word. */
const secretValue = fc
  .tuple(fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme-composite' }), fc.stringMatching(/^[0-9a-f]{8}$/))
  .map(([head, tail]) => `${head}${tail}`.trim())

test('a known value goes, in whatever way somebody else has written it', () => {
  const redactor = redactorOf(SECRET)
  const once = JSON.stringify(SECRET).slice(1, -1)
  const bytes = Buffer.from(SECRET)
  const spellings = {
    raw: SECRET,
    'escaped once': once,
    'escaped twice': JSON.stringify(once).slice(1, -1),
    component: encodeURIComponent(SECRET),
    form: new URLSearchParams({ k: SECRET }).toString().slice(2),
    base64: bytes.toString('base64'),
    base64url: bytes.toString('base64url'),
    hex: bytes.toString('hex'),
    'capital hex': bytes.toString('hex').toUpperCase(),
    capitals: SECRET.toUpperCase(),
    'split by nothing': SECRET.split('').join('\u200b'),
    html: SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  }
  for (const [name, spelling] of Object.entries(spellings)) {
    const text = redactor.text(`before ${spelling} after`)
    assert.ok(text.includes(MARK), name)
    assert.ok(!text.includes(spelling.slice(4, -4)), name)
    assert.ok(text.startsWith('before ') && text.endsWith(' after'), name)
  }
})

test('base64 of a longer text holds the value at any of three places', () => {
  const redactor = redactorOf(SECRET)
  for (const before of ['', 'a', 'ab', 'abc', 'user:', 'some-user:']) {
    for (const after of ['', 'x', 'xy', 'xyz']) {
      const encoded = Buffer.from(`${before}${SECRET}${after}`).toString('base64')
      const kept = redactor.text(encoded)
      assert.ok(kept.includes(MARK), `${before}|${after}`)
      assert.ok(!Buffer.from(kept, 'base64').toString('latin1').includes(SECRET.slice(2, -2)))
    }
  }
})

test('no form of any secret survives, alone or inside data, and the line parses', () => {
  fc.assert(
    fc.property(secretValue, fc.string(), fc.string(), (secret, before, after) => {
      const redactor = redactorOf(secret)
      if (redactor.secrets.search().longest === 0) return
      for (const form of secretForms(secret)) {
        if (form.length < 8) continue
        const json = redactor.json({ text: `${before}${form}${after}`, list: [{ [form]: form }] })
        const back = JSON.parse(json) as { text: string; list: unknown[] }
        assert.ok(!json.includes(JSON.stringify(form).slice(1, -1)))
        assert.ok(!back.text.includes(form))
        assert.ok(!JSON.stringify(back.list).includes(JSON.stringify(form).slice(1, -1)))
      }
    }),
    { numRuns: 200 },
  )
})

test('what holds no secret comes back as it is', () => {
  const redactor = redactorOf('zq9-secret-value-zq9')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const data = { kept: JSON.parse(JSON.stringify(value).replaceAll(/:\/\/|bearer|basic|eyj|sk-/gi, '')) as unknown }
      const json = JSON.stringify(data)
      fc.pre(!/token|secret|passw|api[-_ ]?key|credential|(?:private|access)[-_ ]?key|authorization|cookie/i.test(json))
      assert.deepEqual(JSON.parse(redactor.json(data)), JSON.parse(json))
    }),
  )
})

test('fields go by their names, at any depth, and names that look near stay', () => {
  const redactor = redactorOf()
  assert.deepEqual(
    redactor.value({
      tavilyApiKey: 'a"b',
      tokens: 987,
      secret: true,
      password: null,
      missing: undefined,
      threadKey: 't-1',
      author: 'dev',
      deep: [{ headers: { Authorization: 'Basic x', accept: '*' } }],
    }),
    {
      tavilyApiKey: '[REDACTED]',
      tokens: '[REDACTED]',
      secret: '[REDACTED]',
      password: '[REDACTED]',
      missing: undefined,
      threadKey: 't-1',
      author: 'dev',
      deep: [{ headers: { Authorization: '[REDACTED]', accept: '*' } }],
    },
  )
})

test('lists of arguments, of pairs and of named values hide the value that a secret’s name announces', () => {
  const redactor = redactorOf()
  const value = (data: unknown): unknown => redactor.value(data)
  assert.deepEqual(value(['curl', '--api-key', 'abc', '-v', '--token=abc', 'DB_PASSWORD=abc', 'NAME=abc']), [
    'curl',
    '--api-key',
    '[REDACTED]',
    '-v',
    '--token=[REDACTED]',
    'DB_PASSWORD=[REDACTED]',
    'NAME=abc',
  ])
  assert.deepEqual(value(['--api-key', '--other', 'abc']), ['--api-key', '--other', 'abc'])
  assert.deepEqual(
    value([
      ['authorization', 'abc'],
      ['accept', 'abc'],
    ]),
    [
      ['authorization', '[REDACTED]'],
      ['accept', 'abc'],
    ],
  )
  assert.deepEqual(value({ name: 'API_KEY', value: 'abc' }), { name: 'API_KEY', value: '[REDACTED]' })
  assert.deepEqual(value(['token', 'and', 'more', 'words']), ['token', 'and', 'more', 'words'])
})

test('errors are told with their stack and their causes, without secrets', () => {
  const redactor = redactorOf(SECRET)
  const cause = new AggregateError([new Error(`inner ${SECRET}`)], 'many')
  const error = Object.assign(new Error(`failed with ${SECRET}`, { cause }), { status: 401, apiKey: 'abc' })
  const told = JSON.parse(redactor.json({ error })) as { error: Record<string, unknown> }
  assert.equal(told.error['message'], `failed with ${MARK}`)
  assert.equal(told.error['status'], 401)
  assert.equal(told.error['apiKey'], '[REDACTED]')
  assert.match(String(told.error['stack']), /failed with \[REDACTED:value\]\n\s+at /)
  assert.match(JSON.stringify(told.error['cause']), /inner \[REDACTED:value\]/)
  assert.ok(!JSON.stringify(told).includes('w0rd'))
})

test('whatever is logged becomes JSON', () => {
  const redactor = redactorOf(SECRET)
  const circular: Record<string, unknown> = { name: 'x' }
  circular['self'] = circular
  let deep: unknown = 'end'
  for (let level = 0; level < 5000; level++) deep = { deep }
  const shared = { a: 1 }
  const value = {
    circular,
    deep,
    shared: [shared, shared],
    big: 10n ** 30n,
    map: new Map([
      ['token', 'abc'],
      ['plain', 'abc'],
    ]),
    set: new Set([1, 2]),
    bytes: new Uint8Array(100),
    date: new Date(0),
    nothing: undefined,
    fn: () => 1,
  }
  const back = JSON.parse(redactor.json(value)) as Record<string, unknown>
  assert.deepEqual(back['circular'], { name: 'x', self: '[Circular]' })
  assert.deepEqual(back['shared'], [{ a: 1 }, { a: 1 }])
  assert.equal(back['big'], '1000000000000000000000000000000')
  assert.deepEqual(back['map'], { token: '[REDACTED]', plain: 'abc' })
  assert.deepEqual(back['set'], [1, 2])
  assert.equal(back['bytes'], '[100 bytes]')
  assert.equal(back['date'], '1970-01-01T00:00:00.000Z')
  assert.match(JSON.stringify(back['deep']), /\[too deep\]/)
  assert.equal(redactor.json(undefined), 'null')
})

test('a secret of digits goes as a number too, and as the name of a property', () => {
  const redactor = redactorOf('8675309421', 'name-of-a-thing-1')
  assert.deepEqual(JSON.parse(redactor.json({ n: 8675309421, 'x name-of-a-thing-1': 1, other: 12345 })), {
    n: MARK,
    [`x ${MARK}`]: 1,
    other: 12345,
  })
})

test('two secrets that overlap leave nothing of either', () => {
  const redactor = redactorOf('abcdefgh1234', '1234ijklmnop')
  assert.equal(redactor.text('<abcdefgh1234ijklmnop>'), `<${MARK}>`)
})

test('a secret that becomes known later counts from then on', () => {
  const redactor = redactorOf()
  assert.equal(redactor.text('typed-credential-9'), 'typed-credential-9')
  redactor.secrets.add('typed-credential-9')
  assert.equal(redactor.text('typed-credential-9'), MARK)
})

test('a known secret is found however it was wrapped, coloured or strewn with controls', () => {
  const secret = 'sq7-ENSO/9f8e7d6c5b4a+39281706aBcD'
  const secrets = createKnownSecrets()
  secrets.add(secret)
  const redactor = createRedactor(secrets)
  const base64 = Buffer.from(`{"user":"me","password":"${secret}","more":"of it"}`).toString('base64')
  const wrapped = (text: string, width: number, feed: string): string =>
    text.replaceAll(new RegExp(`.{${width}}`, 'g'), `$&${feed}`)
  for (const text of [
    wrapped(base64, 20, '\n'),
    wrapped(base64, 19, '\r\n    '),
    wrapped(base64, 20, '\\n'),
    wrapped(secret, 10, '\n'),
    `${secret.slice(0, 12)}\u001b[01;31m\u001b[K${secret.slice(12)}\u001b[m`,
    secret.split('').join('\0'),
    Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&'),
  ]) {
    for (const out of [redactor.text(text), redactor.json({ text }), JSON.stringify(redactor.value([text]))]) {
      assert.ok(out.includes('[REDACTED:value]'), out)
      assert.ok(!unwrapped(out).includes(secret.slice(-12)), out)
    }
  }
})

function unwrapped(text: string): string {
  return text.replaceAll(/\\u00..|\\[nr]|[^ -~]| /g, '')
}
