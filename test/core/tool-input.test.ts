import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { summarizeToolInput } from '../../src/core/index.js'

test('a call is named by what it is about', () => {
  for (const [input, subject] of [
    [{ command: 'npm test', timeout: 30 }, 'npm test'],
    [{ path: 'src/a.ts', oldText: 'a', newText: 'b' }, 'src/a.ts'],
    [{ file_path: '/tmp/x' }, '/tmp/x'],
    [{ url: 'https://docs.example.com/a' }, 'https://docs.example.com/a'],
    [{ query: 'how to' }, 'how to'],
    [{ pattern: 'foo.*bar', path: 'src' }, 'foo.*bar'],
    [{ questions: [{ question: 'Which one?' }] }, 'Which one?'],
    ['plain text', 'plain text'],
  ] as const) {
    assert.equal(summarizeToolInput(input), subject)
  }
})

test('a subject is one line', () => {
  assert.equal(summarizeToolInput({ command: '  cat <<EOF\n\tx\r\nEOF ' }), 'cat <<EOF x EOF')
})

test('a call that names nothing usable has no subject', () => {
  for (const input of [
    undefined,
    null,
    3,
    true,
    [],
    {},
    { command: '' },
    { path: ' \n' },
    { path: 3 },
    { questions: [] },
    { questions: [1] },
  ]) {
    assert.equal(summarizeToolInput(input), undefined, JSON.stringify(input))
  }
})

test('a subject is at most 120 characters, however long the input', () => {
  const subject = summarizeToolInput({ command: 'x'.repeat(1_000_000) })!
  assert.equal(subject.length, 120)
  assert.ok(subject.endsWith('…'))
  fc.assert(
    fc.property(fc.anything(), (input) => {
      const line = summarizeToolInput(input)
      assert.ok(line === undefined || (line.length > 0 && line.length <= 120 && !/[\r\n]/.test(line)))
    }),
  )
})
