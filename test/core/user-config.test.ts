import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEnsoUserConfig } from '../../src/core/index.js'

const whole = {
  defaultModel: 'local/x:high',
  defaultThinking: 'high',
  defaultMode: 'acceptEdits',
  permissions: { allow: ['bash(npm test)'], ask: ['bash'], deny: ['bash(git push *)'] },
  sandbox: 'auto',
  guard: { defaultBashTimeoutSeconds: 90, writeRoots: ['~/scratch'] },
  projects: { roots: ['~/work'] },
  logs: { retentionDays: 14 },
  answers: '~/answers.json',
  color: 'never',
}

function reason(value: unknown): string {
  const result = parseEnsoUserConfig(typeof value === 'string' ? value : JSON.stringify(value))
  return result.kind === 'unreadable' ? result.reason : 'ok'
}

test('every key of a person’s configuration is optional', () => {
  assert.deepEqual(parseEnsoUserConfig('{}'), { kind: 'ok', config: {} })
  assert.deepEqual(parseEnsoUserConfig(JSON.stringify(whole)), { kind: 'ok', config: whole })
  for (const [key, value] of Object.entries(whole)) assert.equal(reason({ [key]: value }), 'ok')
})

test('an unknown key is named, with the known one it is close to', () => {
  assert.equal(reason({ defaultmodel: 'x' }), 'unknown key defaultmodel (did you mean defaultModel?)')
  assert.equal(reason({ permissions: { denny: [] } }), 'unknown key permissions.denny (did you mean deny?)')
  assert.match(
    reason({ guard: { off: true } }),
    /unknown key guard\.off \(known: defaultBashTimeoutSeconds, writeRoots\)/,
  )
})

test('a wrong value is named with its place', () => {
  assert.equal(reason({ sandbox: 'on' }), 'sandbox: expected "off", "auto", "require"')
  assert.match(reason({ logs: { retentionDays: -1 } }), /^logs\.retentionDays: /)
  assert.match(reason({ guard: { defaultBashTimeoutSeconds: 0 } }), /^guard\.defaultBashTimeoutSeconds: /)
  assert.match(reason({ permissions: { allow: ['ok', 3] } }), /^permissions\.allow\.1: /)
  assert.match(reason([]), /expected object/)
})

test('a text that is no JSON is named with its line and column', () => {
  assert.equal(reason('{\n"color" "never"}'), 'not JSON: line 2, column 9: a colon is expected')
})
