import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseCommandLine } from '../../../src/cli/args/command-line.js'
import type { CommandLine, FlagSpec } from '../../../src/cli/args/flag.js'

const FLAGS: readonly FlagSpec[] = [
  { name: 'model', short: 'm', value: 'MODEL', help: '' },
  { name: 'extension', short: 'e', value: 'PATH', many: true, help: '' },
  { name: 'json', help: '' },
  { name: 'quiet', short: 'q', help: '' },
  { name: 'resume', short: 'r', value: 'ID', optional: true, help: '' },
  { name: 'thread-id', aliases: ['session-id'], value: 'ID', help: '' },
  { name: 'output-format', value: 'FORMAT', choices: ['text', 'json', 'stream-json'], help: '' },
]

function parsed(...argv: string[]): CommandLine {
  const result = parseCommandLine(FLAGS, argv)
  if (!result.ok) throw new Error(result.refusal.reason)
  return result.value
}

function refused(...argv: string[]): { reason: string; hint?: string } {
  const result = parseCommandLine(FLAGS, argv)
  if (result.ok) throw new Error('it was taken')
  return result.refusal
}

test('flags may stand before, after and among the words, in each spelling', () => {
  const line = parsed('fix', '-m', 'a/b', 'it', '--json', '--extension=x.ts', '-e', 'y.ts', '-q')
  assert.deepEqual(line.words, ['fix', 'it'])
  assert.equal(line.value('model'), 'a/b')
  assert.deepEqual(line.values('extension'), ['x.ts', 'y.ts'])
  assert.equal(line.has('json') && line.has('quiet'), true)
  assert.equal(parsed('--session-id', 'abc').value('thread-id'), 'abc')
})

test('the last value of a flag counts', () => {
  assert.equal(parsed('-m', 'a/b', '--model', 'c/d').value('model'), 'c/d')
})

test('after -- everything is literal', () => {
  const line = parsed('--json', '--', '--model', '@x', '--', '-')
  assert.deepEqual(line.words, [])
  assert.deepEqual(line.literal, ['--model', '@x', '--', '-'])
})

test('words that begin with a dash but are no flag stay words', () => {
  const words = ['---', '--- title', '-5 degrees', '-', '- list item', '—', '--', '-1']
  const line = parsed(...words.filter((word) => word !== '--'))
  assert.deepEqual(
    line.words,
    words.filter((word) => word !== '--'),
  )
})

test('a word that looks like a truth value is a word', () => {
  assert.deepEqual(parsed('--json', 'true').words, ['true'])
  assert.deepEqual(parsed('false', '-q', '0x10').words, ['false', '0x10'])
})

test('any words come out as they went in', () => {
  fc.assert(
    fc.property(fc.array(fc.string().filter((word) => !word.startsWith('-') && !word.includes('\0'))), (words) => {
      assert.deepEqual(parsed('--json', ...words, '-q').words, words)
    }),
  )
})

test('an optional value may be left out', () => {
  assert.equal(parsed('-r').value('resume'), '')
  assert.equal(parsed('--resume', '--json').value('resume'), '')
  assert.equal(parsed('-r', 'abc', 'go on').value('resume'), 'abc')
  assert.equal(parsed('--resume=abc').value('resume'), 'abc')
  assert.equal(parsed('more').value('resume'), undefined)
})

test('short flags stand together, and take a value written to them', () => {
  const line = parsed('-qe', 'x.ts', '-ma/b', '-qey.ts')
  assert.deepEqual([line.value('model'), line.values('extension')], ['a/b', ['x.ts', 'y.ts']])
  assert.equal(line.has('quiet'), true)
  assert.equal(parsed('-rabc').value('resume'), 'abc')
  assert.equal(refused('-qz').reason, 'unknown flag -z')
})

test('values and words are text as they were typed', () => {
  const line = parsed('-m', '007', "'quoted'", '1e3', '--extension={"a.b":1}', '--extension', '-5', 'a.b=c')
  assert.equal(line.value('model'), '007')
  assert.deepEqual(line.values('extension'), ['{"a.b":1}', '-5'])
  assert.deepEqual(line.words, ["'quoted'", '1e3', 'a.b=c'])
})

test('nothing of the parser answers by itself: no help, no version, no completion of its own', () => {
  for (const flag of ['--help', '--version', '--get-yargs-completions', '--no-json', '--show-hidden']) {
    assert.equal(refused(flag).reason, `unknown flag ${flag}`)
  }
})

test('an unknown flag is refused, with the one that was probably meant', () => {
  assert.deepEqual(refused('--jsn', 'x'), { reason: 'unknown flag --jsn', hint: 'did you mean --json?' })
  assert.equal(refused('--modle', 'x').hint, 'did you mean --model?')
  assert.equal(refused('--output', 'json').hint, 'did you mean --output-format?')
  assert.equal(refused('-z').reason, 'unknown flag -z')
  assert.match(refused('--zzzzzzzz').hint ?? '', /put -- before it/)
  assert.equal(refused('--constructor').reason, 'unknown flag --constructor')
  assert.equal(refused('--__proto__=1').reason, 'unknown flag --__proto__')
})

test('a missing value, a value too many and a foreign choice are refused', () => {
  assert.match(refused('--model').reason, /--model needs a value/)
  assert.match(refused('--model', '--json').reason, /'--json' is a flag/)
  assert.match(refused('--model=').reason, /needs a value/)
  assert.match(refused('--json=yes').reason, /takes no value/)
  assert.deepEqual(refused('--output-format', 'steam-json'), {
    reason: "--output-format takes text, json, stream-json, not 'steam-json'",
    hint: 'did you mean stream-json?',
  })
})
