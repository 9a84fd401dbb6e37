import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEnsoToolResultDescriptor } from '../../../src/core/tool-result.js'
import { describeResult, type FinishedCall } from '../../../src/host/descriptors/describe-result.js'

const call = (part: Partial<FinishedCall> & { toolName: string }): FinishedCall => ({
  input: {},
  text: '',
  details: undefined,
  isError: false,
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
      props: { path: 'a.ts', offset: 3, limit: 9 },
      truncated: { shown: 2000, total: 5000, unit: 'lines' },
    },
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
    'a file search counts its paths and not its notes',
    call({ toolName: 'find', input: { pattern: '*.ts' }, text: 'a.ts\nb.ts\n\n[2 results limit reached]' }),
    { kind: 'find', props: { pattern: '*.ts', paths: 2 } },
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
