import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseScript } from '../../src/core/script.js'
import { inRoot } from '../support/root.js'

function reasonOf(value: unknown): string {
  const parsed = parseScript(JSON.stringify(value))
  assert.equal(parsed.ok, false)
  return parsed.ok ? '' : parsed.reason
}

test('a script with every part is read', () => {
  const script = {
    version: 1,
    name: 'whole',
    contextWindow: 8000,
    turns: [
      {
        expect: { lastPromptIncludes: 'hello' },
        thinking: { deltas: ['h', 'm'], delayMs: 5 },
        text: 'hello',
        toolCalls: [{ id: 'a', name: 'read', args: { path: 'f' } }],
        stopReason: 'toolUse',
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, cost: 0.5 },
      },
      {
        branches: [{ ifLastResultIncludes: 'yes', turns: [{ text: 'good' }, { text: 'so' }] }],
        otherwise: [{ error: { message: 'overloaded', status: 529 } }],
      },
    ],
  }
  assert.deepEqual(parseScript(`\uFEFF${JSON.stringify(script)}`), { ok: true, script })
})

test('text that is not JSON is refused with its place', () => {
  const parsed = parseScript('{"version":1,')
  assert.ok(!parsed.ok && parsed.reason.startsWith('not JSON: line 1, column 14: '))
})

test('a refusal names the place of what is wrong', () => {
  const turns = [{ text: 'a' }]
  assert.equal(reasonOf([]), 'expected object')
  assert.equal(reasonOf({ version: 2, turns }), 'version: expected 1')
  assert.match(reasonOf({ version: 1, turns: [] }), /^turns: /)
  assert.match(reasonOf({ version: 1, name: '../x', turns }), /^name: /)
  assert.match(reasonOf({ version: 1, turns, color: 'red' }), /^unknown key color /)
  assert.equal(reasonOf({ version: 1, turns: [{ tex: 'a' }] }), 'unknown key turns.0.tex (did you mean text?)')
  const nameless = { version: 1, turns: [...turns, { toolCalls: [{ args: {} }] }] }
  assert.equal(reasonOf(nameless), 'turns.1.toolCalls.0.name is missing')
  assert.equal(
    reasonOf({ version: 1, turns: [{ text: { deltas: ['a', 1] } }] }),
    'turns.0.text.deltas.1: expected string',
  )
  assert.match(
    reasonOf({ version: 1, turns: [{ stopReason: 'end' }] }),
    /^turns\.0\.stopReason: expected "stop", "length"/,
  )
  const branches = [{ ifLastResultIncludes: 'x', turns: [{ error: { message: 'm', status: 200 } }] }]
  assert.match(reasonOf({ version: 1, turns: [{ branches }] }), /^turns\.0\.branches\.0\.turns\.0\.error\.status: /)
})

test('the example of the guide is a script', () => {
  const guide = readFileSync(inRoot('docs/guide/scripts.md'), 'utf8')
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? []
  assert.equal(parseScript(example).ok, true)
})

test('the shipped demo is a script', () => {
  assert.equal(parseScript(readFileSync(inRoot('demo/script.json'), 'utf8')).ok, true)
})
