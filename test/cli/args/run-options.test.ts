import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCommandLine } from '../../../src/cli/args/command-line.js'
import { RUN_FLAGS } from '../../../src/cli/args/run-flags.js'
import { outputOf, parseRunOptions } from '../../../src/cli/args/run-options.js'
import type { RunOptions } from '../../../src/cli/run/run-options.js'

function read(argv: readonly string[]) {
  const line = parseCommandLine(RUN_FLAGS, argv)
  return line.ok ? parseRunOptions(line.value, argv, '/here') : line
}

function options(...argv: string[]): RunOptions {
  const parsed = read(argv)
  if (!parsed.ok) throw new Error(parsed.refusal.reason)
  return parsed.value.options
}

function reason(...argv: string[]): string {
  const parsed = read(argv)
  if (parsed.ok) throw new Error('it was taken')
  return parsed.refusal.reason
}

test('one unquoted word is a prompt, several are joined', () => {
  assert.equal(options('hello').prompt, 'hello')
  assert.equal(options('fix', 'the', 'tests').prompt, 'fix the tests')
  assert.equal(options('--', '--- a title').prompt, '--- a title')
  assert.equal(options('--- a title').prompt, '--- a title')
  assert.equal(options().prompt, undefined)
})

test('files among the words are attachments, after -- they are words', () => {
  const { attachments, prompt } = options('read', '@a b.txt', '--image', 'c.png', '--', '@alice')
  assert.deepEqual(attachments, [
    { kind: 'file', path: 'a b.txt' },
    { kind: 'image', path: 'c.png' },
  ])
  assert.equal(prompt, 'read @alice')
})

test('a dash stands for the prompt, or for more of it', () => {
  assert.deepEqual([options('-').promptFromStdin, options('-').prompt], [true, undefined])
  assert.deepEqual([options('review', '-').promptFromStdin, options('review', '-').prompt], [true, 'review'])
})

test('the output is told by its flags alone, also where the rest is wrong', () => {
  assert.equal(options('x').output, 'text')
  assert.equal(options('--json', 'x').output, 'json-lines')
  assert.equal(options('--output-format', 'stream-json', 'x').output, 'json-lines')
  assert.equal(options('--output-format=json', 'x').output, 'json-result')
  assert.equal(outputOf(['--nonsense', '--json']), 'json-lines')
  assert.equal(outputOf(['--', '--json']), 'text')
  assert.equal(outputOf(['--output-format', 'json', '--output-format', 'text']), 'text')
})

test('flags that contradict each other are refused', () => {
  assert.match(reason('--json', '--output-format', 'json', 'x'), /contradict/)
  assert.match(reason('--input-format', 'stream-json', 'x'), /needs --json/)
  assert.match(reason('--input-format', 'text', '--json'), /requests/)
  assert.match(reason('-c', '-r', 'abc', 'x'), /-c and -r/)
  assert.match(reason('--thread-id', 'abc', '-c', 'x'), /can't be used together/)
  assert.match(reason('--fork', 'x'), /--fork needs/)
  assert.match(reason('--ephemeral', '-c', 'x'), /--ephemeral and -c/)
  assert.match(reason('  '), /empty/)
})

test('the thread is chosen by -c, -r and --thread-id', () => {
  assert.deepEqual(options('x').thread, { kind: 'new' })
  assert.deepEqual(options('--thread-id', 'a-1', 'x').thread, { kind: 'new', threadId: 'a-1' })
  assert.deepEqual(options('-c', 'x').thread, { kind: 'latest' })
  assert.deepEqual(options('-r', 'a-1', 'x').thread, { kind: 'resume', threadId: 'a-1' })
  assert.deepEqual(options('x', '-r').thread, { kind: 'pick' })
  assert.match(reason('-r', '../x', 'y'), /no thread id/)
  assert.match(reason('--thread-id', 'a_b', 'y'), /no thread id/)
})

test('a sentence behind -r is the prompt, not an id', () => {
  const { thread, prompt } = options('-r', 'go on please')
  assert.deepEqual([thread, prompt], [{ kind: 'pick' }, 'go on please'])
})

test('limits and times come as numbers; no time is no bound', () => {
  const { maxTurns, timeoutMs, idleTimeoutMs, dialogTimeoutMs } = options(
    '--max-turns',
    '3',
    '--timeout',
    '2m',
    '--idle-timeout',
    '0',
    '--dialog-timeout',
    '0',
    'x',
  )
  assert.deepEqual([maxTurns, timeoutMs, idleTimeoutMs, dialogTimeoutMs], [3, 120_000, undefined, 0])
})

test('what a run may cost is dollars and tokens, over nothing', () => {
  const { maxCost, maxTokens } = options('--max-cost', '$0.50', '--max-tokens', '20000', 'x')
  assert.deepEqual([maxCost, maxTokens], [0.5, 20_000])
  for (const wrong of ['0', '-1', 'a lot', '1e3', '']) assert.match(reason(`--max-cost=${wrong}`, 'x'), /--max-cost/)
  assert.match(reason('--max-tokens', '1.5', 'x'), /whole number/)
})

test('the answer may have a schema and a file', () => {
  const { outputSchema, outputFile } = options('--output-schema', 's.json', '-o', 'out.json', 'x')
  assert.deepEqual([outputSchema, outputFile], ['s.json', 'out.json'])
  assert.equal(options('x').outputFile, undefined)
})

test('a flag that nothing implements is unknown', () => {
  assert.match(reason('--nonsense=1', 'x'), /unknown flag --nonsense/)
})
