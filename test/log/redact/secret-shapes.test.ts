import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { redactText } from '../../../src/log/redact/redact-text.js'

const MARK = '[REDACTED:value]'
const none = createKnownSecrets()
const redacted = (text: string): string => redactText(text, none)

test('secrets of unknown value go by their shape', () => {
  const shapes: readonly (readonly [string, string])[] = [
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nvQIB\n-----END RSA PRIVATE KEY-----', MARK],
    ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blb', MARK],
    ['key sk-ant-api03-abcdefghijklmnop1 end', `key ${MARK} end`],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', MARK],
    ['github_pat_11ABCDEFG0abcdefghijkl_mnop', MARK],
    ['xoxb-123456789012-abcdef', MARK],
    ['AKIAIOSFODNN7EXAMPLE', MARK],
    [['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'), MARK],
    ['whsec_4eC39HqLyjWDarjtT1zdp7dc', MARK],
    ['xoxc-123456789012-abcdef', MARK],
    [`hf_${'a1'.repeat(17)}`, MARK],
    [`dop_v1_${'a1'.repeat(32)}`, MARK],
    ['pypi-AgEIcHlwaS5vcmcCJDU0', MARK],
    [`SG.${'a1'.repeat(11)}.${'b2'.repeat(21)}`, MARK],
    [`ya29.${'a1'.repeat(20)}`, MARK],
    [`AGE-SECRET-KEY-1${'Q2'.repeat(29)}`, MARK],
    [
      `https://hooks.slack.com/services/T00000000/B00000000/${'x'.repeat(24)}`,
      `https://hooks.slack.com/services/${MARK}`,
    ],
    [`AccountKey=${'QUJD'.repeat(8)};End`, `AccountKey=${MARK};End`],
    ['-----BEGIN%20RSA%20PRIVATE%20KEY-----%0AMIIEvQIB&a=b', `${MARK}&a=b`],
    [
      `client-key-data: ${Buffer.from(`-----BEGIN PRIVATE KEY-----\n${'a'.repeat(24)}`).toString('base64')}`,
      `client-key-data: ${MARK}`,
    ],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123 end', `jwt ${MARK} end`],
    ['git clone https://user:pa55w0rd@host/x.git', `git clone https://user:${MARK}@host/x.git`],
    ['redis://:hunter2@10.0.0.1:6379/0', `redis://:${MARK}@10.0.0.1:6379/0`],
    ['Authorization: Bearer abcdef0123456789abcdef', `Authorization: Bearer ${MARK}`],
  ]
  for (const [text, expected] of shapes) assert.equal(redacted(text), expected)
})

test('a secret of any look goes where a name in front of it says what it is, and the name stays', () => {
  const value = 'wJalrXUtnFEMI7K7MDENG'
  for (const text of [
    'PATH=/bin\nAWS_SECRET_ACCESS_KEY=@\nHOME=/root',
    'export STRIPE_TOKEN="@"',
    '{\n  "apiKey": "@",\n  "x": 1 }',
    '{"body":"{\\"client_secret\\":\\"@\\"}"}',
    'db:\n  password: @\n',
    'GET https://h/x?access_token=@&y=1',
    'https://bucket/x?X-Amz-Signature=@',
    'X-Api-Key: @',
    'Authorization: token @',
    'curl -u admin:@ https://h',
    'deploy --token @ --verbose',
    'deploy --api-key=@',
    'machine h login me password @',
    '//registry/:_authToken=@',
    'git clone https://@@github.com/x',
    'password: token: @',
  ]) {
    assert.equal(redacted(text.replace('@', value)), text.replace('@', MARK))
  }
  assert.equal(redacted('Set-Cookie: session=abc123def; Path=/'), `Set-Cookie: ${MARK}`)
})

test('the end of a key whose beginning was cut off goes too', () => {
  const lines = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(3)
  assert.equal(redacted(`of it\n${lines}QUJD\n-----END RSA PRIVATE KEY-----\nmore`), `of it\n${MARK}\nmore`)
  assert.equal(redacted(`${lines.replaceAll('\n', '\\n')}-----END PRIVATE KEY-----`), MARK)
})

test('what only looks near stays', () => {
  const plain = [
    'http://127.0.0.1:8080/api/threads/a1b2c3@x',
    'the risk-assessment-of-2024-was-long task-1234567890123456789',
    'sk-learn-is-a-library-for-python',
    'a basic understanding; the bearer of news',
    '-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----',
    'commit 3f786850e387550fdab836ed7e6dc881de23001b',
    '/var/lib/data/0123456789abcdef0123456789abcdef/file',
    'sk-test-****1706',
    'user@host:path ssh://host:22/x mailto:a@b.example',
    'eyJ is how base64 of {" begins',
    'const token = parseToken2(text)',
    'maxTokens: 200000, tokens: 12,000; the token expired in 2024',
    'API_KEY=$OTHER_KEY1 apiKey: process.env.API_KEY2 tokenFile=/run/secrets/t1 tokenUrl: https://h1/oauth',
    'secret: [REDACTED] password: required, cookie: none',
    'run --token-limit 200000 --tokens-per-minute=90000',
    'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=\n-----END CERTIFICATE-----',
  ]
  for (const text of plain) assert.equal(redacted(text), text)
})

test('a long hostile text is looked through in time that grows with its length', () => {
  const pieces = [
    'a://',
    '-----BEGIN ',
    'eyJ',
    'bearer ',
    'x:y@',
    'sk-',
    '-----BEGIN A PRIVATE KEY-----',
    'token',
    'token=a1',
    'token: ',
    'api_key_',
    '--token ',
    '--',
    'cookie: a=',
    'authorization: a ',
    ' -u a',
    '&sig=',
    'machine x login y password ',
    'QUJD\n',
    'QUJD\n-----END PRIVATE KEY-----',
    'https://a1',
    '\\',
    '\u001b[',
    '\n\t',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length))
    const from = process.cpuUsage().user
    redacted(text)
    assert.ok(process.cpuUsage(undefined).user - from < 2_000_000, piece)
  }
})
