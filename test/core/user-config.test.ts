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
  logs: { level: 'info,host=debug', retentionDays: 14 },
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
  assert.equal(
    reason('{\n  "defaultmodel": "x" }'),
    'line 2, column 3: unknown key defaultmodel (did you mean defaultModel?)',
  )
  assert.equal(
    reason({ permissions: { denny: [] } }),
    'line 1, column 17: unknown key permissions.denny (did you mean deny?)',
  )
  assert.match(
    reason({ guard: { off: true } }),
    /unknown key guard\.off \(known: defaultBashTimeoutSeconds, writeRoots\)/,
  )
})

test('a wrong value is named with its place', () => {
  assert.equal(reason({ sandbox: 'on' }), 'line 1, column 2: sandbox: expected "off", "auto", "require"')
  assert.match(reason({ logs: { retentionDays: -1 } }), /^line 1, column 10: logs\.retentionDays: /)
  assert.match(reason({ guard: { defaultBashTimeoutSeconds: 0 } }), /: guard\.defaultBashTimeoutSeconds: /)
  assert.match(reason({ permissions: { allow: ['ok', 3] } }), /^line 1, column 31: permissions\.allow\.1: /)
  assert.match(reason([]), /expected object/)
})

test('a mode and a level that do not exist are faults, not nothing', () => {
  assert.match(reason({ defaultMode: 'plam' }), /defaultMode: expected "default", .*"plan"/)
  assert.match(reason({ defaultThinking: 'deep' }), /defaultThinking: expected "off"/)
})

test('a text that is no JSON is named with its line and column', () => {
  assert.equal(reason('{\n"color" "never"}'), 'not JSON: line 2, column 9: a colon is expected')
})
