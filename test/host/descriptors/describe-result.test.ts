import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEnsoToolResultDescriptor } from '../../../src/core/tool-result.js'
import { createCommandEndings } from '../../../src/host/descriptors/command-endings.js'
import { describeResult, type FinishedCall } from '../../../src/host/descriptors/describe-result.js'

const call = (part: Partial<FinishedCall> & { toolName: string }): FinishedCall => ({
  input: {},
  text: '',
  details: undefined,
  isError: false,
  hasImage: false,
  ending: undefined,
  ...part,
})

const truncation = {
  truncated: true,
  truncatedBy: 'lines',
  totalLines: 5000,
  totalBytes: 90_000,
  outputLines: 2000,
  outputBytes: 40_000,
}

const CASES: readonly [string, FinishedCall, unknown][] = [
  [
    'a read says its file and range, and what was cut',
    call({ toolName: 'read', input: { path: 'a.ts', offset: 3, limit: 9 }, details: { truncation } }),
    {
      kind: 'read',
      props: { path: 'a.ts', offset: 3, limit: 9, lines: 2000 },
      truncated: { shown: 2000, total: 5000, unit: 'lines' },
    },
  ],
  [
    'a range that leaves lines out is counted without the note that says so',
    call({
      toolName: 'read',
      input: { path: 'a', limit: 2 },
      text: 'one\ntwo\n\n[5 more lines in file. Use offset=3 to continue.]',
    }),
    { kind: 'read', props: { path: 'a', limit: 2, lines: 2 } },
  ],
  [
    'an image has no lines',
    call({ toolName: 'read', input: { path: 'a.png' }, text: 'Read image file [image/png]', hasImage: true }),
    { kind: 'read', props: { path: 'a.png', image: true } },
  ],
  [
    'a file that could not be read has none either',
    call({ toolName: 'read', input: { path: 'a' }, text: 'ENOENT', isError: true }),
    { kind: 'read', props: { path: 'a' } },
  ],
  [
    'a command that succeeded has exit code 0',
    call({ toolName: 'bash', input: { command: 'true' } }),
    { kind: 'bash', props: { command: 'true', exitCode: 0 } },
  ],
  [
    'a command that failed has its exit code, and where its whole output is',
    call({
      toolName: 'bash',
      input: { command: 'x' },
      text: 'no\n\nCommand exited with code 127',
      isError: true,
      details: { fullOutputPath: '/tmp/x.log', truncation: { ...truncation, truncatedBy: 'bytes' } },
    }),
    {
      kind: 'bash',
      props: { command: 'x', exitCode: 127, fullOutputPath: '/tmp/x.log' },
      truncated: { shown: 40_000, total: 90_000, unit: 'bytes' },
    },
  ],
  [
    'a command that failed is described by how it really ended, whatever it printed last',
    call({
      toolName: 'bash',
      input: { command: 'x' },
      text: 'Command exited with code 0\n\nCommand exited with code 3',
      isError: true,
      ending: { exitCode: 3, details: { fullOutputPath: '/tmp/y.log', truncation } },
      details: {},
    }),
    {
      kind: 'bash',
      props: { command: 'x', exitCode: 3, fullOutputPath: '/tmp/y.log' },
      truncated: { shown: 2000, total: 5000, unit: 'lines' },
    },
  ],
  [
    'a shell that a signal ended has no exit code',
    call({ toolName: 'bash', input: { command: 'kill -9 $$' }, text: '(no output)', ending: { exitCode: null } }),
    { kind: 'bash', props: { command: 'kill -9 $$', exitCode: null, ended: 'signal' } },
  ],
  [
    'a command that was stopped has no exit code',
    call({ toolName: 'bash', input: { command: 'x' }, text: 'out\n\nCommand aborted', isError: true, ending: {} }),
    { kind: 'bash', props: { command: 'x', exitCode: null, ended: 'aborted' } },
  ],
  [
    'a command that ran out of time has no exit code',
    call({ toolName: 'bash', input: { command: 'x' }, text: 'Command timed out after 5 seconds', isError: true }),
    { kind: 'bash', props: { command: 'x', exitCode: null, ended: 'timeout' } },
  ],
  [
    'an edit has its diff',
    call({ toolName: 'edit', input: { path: 'a' }, details: { diff: '-1 a\n+1 b', firstChangedLine: 1 } }),
    { kind: 'edit', props: { path: 'a', diff: '-1 a\n+1 b', firstChangedLine: 1 } },
  ],
  [
    'a write has its size',
    call({ toolName: 'write', input: { path: 'a', content: 'ü\nb\n' } }),
    { kind: 'write', props: { path: 'a', lines: 2, bytes: 5 } },
  ],
  [
    'a search counts its hits',
    call({ toolName: 'grep', input: { pattern: 'x' }, text: 'a.ts:1: x\na.ts-2- y\nb.ts:9: xx' }),
    { kind: 'grep', props: { pattern: 'x', matches: 2 } },
  ],
  [
    'a line beside a hit is none, whatever it holds',
    call({ toolName: 'grep', input: { pattern: 'x', path: 'src' }, text: 'a.ts-1- b:2: c\na.ts:2: x\n--' }),
    { kind: 'grep', props: { pattern: 'x', path: 'src', matches: 1 } },
  ],
  [
    'a search without hits has none',
    call({ toolName: 'grep', input: { pattern: 'x' }, text: 'No matches found' }),
    { kind: 'grep', props: { pattern: 'x', matches: 0 } },
  ],
  [
    'a file search counts its paths and not its notes, and says that it was cut',
    call({
      toolName: 'find',
      input: { pattern: '*.ts' },
      text: '[id].ts\n(group)/b.ts\n\n[2 results limit reached]',
      details: { resultLimitReached: 2 },
    }),
    { kind: 'find', props: { pattern: '*.ts', paths: 2, limitReached: true } },
  ],
  [
    'a file search that found nothing has no path',
    call({ toolName: 'find', input: { pattern: 'x' }, text: 'No files found matching pattern' }),
    { kind: 'find', props: { pattern: 'x', paths: 0 } },
  ],
  [
    'an empty folder has no entries',
    call({ toolName: 'ls', input: { path: 'a' }, text: '(empty directory)' }),
    { kind: 'ls', props: { path: 'a', entries: 0 } },
  ],
  [
    'a page that was refused says by which check',
    call({
      toolName: 'web_fetch',
      input: { url: 'https://x.example/' },
      text: 'web_fetch refused (host-not-allowed): x.example is not listed.',
      isError: true,
    }),
    { kind: 'web_fetch', props: { url: 'https://x.example/', refused: 'host-not-allowed' } },
  ],
  [
    'a listing counts its entries',
    call({ toolName: 'ls', input: {}, text: 'a\nb/' }),
    { kind: 'ls', props: { path: '.', entries: 2 } },
  ],
]

for (const [title, finished, expected] of CASES) {
  test(title, () => {
    const descriptor = describeResult(finished)
    assert.deepEqual(descriptor, expected)
    assert.ok(isEnsoToolResultDescriptor(descriptor))
  })
}

test('a tool that is not known, or named like a property of every object, has no descriptor', () => {
  for (const toolName of ['deploy', 'constructor', '__proto__', 'toString']) {
    assert.equal(describeResult(call({ toolName })), undefined)
  }
})

test('an ending is taken once, and those that nobody takes are not kept for ever', () => {
  const { ended, take } = createCommandEndings()
  ended('a', { exitCode: 1 })
  assert.deepEqual(take('a'), { exitCode: 1 })
  assert.equal(take('a'), undefined)
  for (let index = 0; index < 100; index++) ended(String(index), { exitCode: index })
  assert.equal(take('0'), undefined)
  assert.deepEqual(take('99'), { exitCode: 99 })
})
