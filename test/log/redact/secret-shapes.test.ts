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
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-_123 end', `jwt ${MARK} end`],
    ['git clone https://user:pa55w0rd@host/x.git', `git clone https://user:${MARK}@host/x.git`],
    ['redis://:hunter2@10.0.0.1:6379/0', `redis://:${MARK}@10.0.0.1:6379/0`],
    ['Authorization: Bearer abcdef0123456789abcdef', `Authorization: Bearer ${MARK}`],
  ]
  for (const [text, expected] of shapes) assert.equal(redacted(text), expected)
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
  ]
  for (const text of plain) assert.equal(redacted(text), text)
})

test('a long hostile text is looked through in time that grows with its length', () => {
  for (const piece of ['a://', '-----BEGIN ', 'eyJ', 'bearer ', 'x:y@', 'sk-', '-----BEGIN A PRIVATE KEY-----']) {
    const text = piece.repeat(Math.ceil(200_000 / piece.length))
    const from = process.cpuUsage().user
    redacted(text)
    assert.ok(process.cpuUsage(undefined).user - from < 2_000_000, piece)
  }
})
