import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  ENSO_PROVIDER_REFUSAL_KEY,
  PROVIDER_POLICY_STOP_REASONS,
  providerReasonOf,
  providerRefusalClass,
  providerStatusOf,
  readEnsoProviderRefusal,
} from '../../src/core/index.js'

const ANTHROPIC = '429 {"type":"error","error":{"type":"rate_limit_error","message":"Slow down, please"}}'

test('the status is read wherever providers put it', () => {
  for (const [message, status] of [
    [ANTHROPIC, 429],
    ['429: {"error":"x"}', 429],
    ['401 bad key', 401],
    ['503', 503],
    ['OpenAI API error (429): slow down', 429],
    ['Mistral API error (401): {"message":"Unauthorized"}', 401],
    ['{"error":{"code":404,"message":"no such model","status":"NOT_FOUND"}}', 404],
    ['[{"error":{"code":400,"message":"bad"}}]', 400],
  ] as const) {
    assert.equal(providerStatusOf(message), status, message)
  }
})

test('no status is made up', () => {
  for (const message of [
    '',
    'Connection error.',
    'Provider finish_reason: content_filter',
    'context of 200000 tokens exceeded',
    '128000 tokens is the limit',
    '100 tokens',
    '{"error":{"code":"insufficient_quota"}}',
    '{"error":{"code":7}}',
    '{broken',
  ]) {
    assert.equal(providerStatusOf(message), undefined, message)
  }
})

test('the reason is the provider’s own sentence', () => {
  for (const [message, reason] of [
    [ANTHROPIC, 'Slow down, please'],
    ['OpenAI API error (401): Incorrect API key', 'Incorrect API key'],
    ['Mistral API error (422): {"message":"Invalid model: x"}', 'Invalid model: x'],
    ['{"error":{"code":404,"message":"no such model"}}', 'no such model'],
    ['400 {"error":"model not found"}', 'model not found'],
    ['500 {"error":{"message":"{\\"error\\":{\\"message\\":\\"inner\\"}}"}}', 'inner'],
    ['Connection error.', 'Connection error.'],
    ['first line\nsecond line', 'first line'],
    ['503', '503'],
    ['400 {broken', '{broken'],
  ] as const) {
    assert.equal(providerReasonOf(message), reason, message)
  }
})

test('the reason is one short line, whatever came', () => {
  assert.ok(providerReasonOf('x'.repeat(10_000)).length <= 300)
  fc.assert(
    fc.property(fc.string(), (message) => {
      const reason = providerReasonOf(message)
      assert.ok(reason.length <= 300 && !reason.includes('\n'))
    }),
  )
})

test('the class says what helps', () => {
  for (const [status, word] of [
    [429, 'rate-limited'],
    [401, 'not logged in'],
    [400, 'model refused'],
    [403, 'model refused'],
    [404, 'model refused'],
    [408, 'provider error'],
    [500, 'provider error'],
    [529, 'provider error'],
    [undefined, 'request failed'],
    [302, 'request failed'],
  ] as const) {
    assert.equal(providerRefusalClass(status === undefined ? {} : { status }), word)
  }
})

test('a policy stop is the provider’s policy, whatever the status', () => {
  for (const providerStopReason of PROVIDER_POLICY_STOP_REASONS) {
    assert.equal(providerRefusalClass({ providerStopReason }), 'provider policy')
    assert.equal(providerRefusalClass({ providerStopReason, status: 500 }), 'provider policy')
  }
  assert.equal(providerRefusalClass({ providerStopReason: 'max_tokens' }), 'request failed')
  for (const word of ['refusal', 'sensitive', 'content_filter', 'incomplete.content_filter', 'SAFETY']) {
    assert.ok(PROVIDER_POLICY_STOP_REASONS.has(word), word)
  }
})

test('a stored refusal is read from a metadata bag only when it is one', () => {
  const refusal = { message: '429 x', status: 429 }
  assert.equal(ENSO_PROVIDER_REFUSAL_KEY.includes('.'), false)
  assert.deepEqual(readEnsoProviderRefusal({ [ENSO_PROVIDER_REFUSAL_KEY]: refusal }), refusal)
  for (const bag of [
    undefined,
    {},
    { [ENSO_PROVIDER_REFUSAL_KEY]: { status: 429 } },
    { [ENSO_PROVIDER_REFUSAL_KEY]: 'x' },
  ]) {
    assert.equal(readEnsoProviderRefusal(bag), undefined)
  }
})
