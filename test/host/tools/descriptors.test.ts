// Each tool through the real host: what is observed, and stored, beside its text.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isEnsoToolResultDescriptor } from '../../../src/core/index.js'
import type { EnsoToolResultDescriptor } from '../../../src/core/index.js'
import { inRoot } from '../../support/root.js'
import { callTool, toolsBench, type CalledTool } from './tools-bench.js'

/** The descriptor of a call: the same on the feed and in the stored thread. */
function descriptorOf({ observed, stored }: CalledTool): EnsoToolResultDescriptor {
  assert.ok(isEnsoToolResultDescriptor(observed.descriptor), observed.text)
  assert.deepEqual(stored.descriptor, observed.descriptor)
  return observed.descriptor
}

function fixture(name: string): EnsoToolResultDescriptor {
  const file = inRoot('test/fixtures/wire/EnsoToolResultDescriptor', `${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as EnsoToolResultDescriptor
}

/** The wire's example of a kind has the same fields. */
function assertLikeFixture(descriptor: EnsoToolResultDescriptor, name: string): void {
  const { kind, props, truncated } = fixture(name)
  assert.equal(descriptor.kind, kind)
  assert.deepEqual(Object.keys(descriptor.props).toSorted(), Object.keys(props).toSorted())
  assert.equal(descriptor.truncated?.unit, truncated?.unit)
}

const FILES = { 'src/a.js': 'one\ntwo needle\nthree\n', 'src/b.js': 'needle\n', '.env': 'KEY=needle\n' }

const CALLS: readonly [
  tool: string,
  args: Record<string, unknown>,
  props: Record<string, unknown>,
  fixture?: string,
][] = [
  ['read', { path: 'src/a.js', offset: 2, limit: 1 }, { path: 'src/a.js', offset: 2, limit: 1, lines: 1 }, 'read'],
  ['bash', { command: 'echo hi' }, { command: 'echo hi', exitCode: 0 }, 'bash'],
  ['write', { path: 'new.txt', content: 'a\nb\n' }, { path: 'new.txt', lines: 2, bytes: 4 }, 'write'],
  ['grep', { pattern: 'needle', path: 'src' }, { pattern: 'needle', path: 'src', matches: 2 }, 'grep'],
  ['find', { pattern: '*', limit: 1 }, { pattern: '*', paths: 1, limitReached: true }, 'find'],
  ['ls', { path: 'src' }, { path: 'src', entries: 2 }, 'ls'],
]

for (const [tool, args, props, like] of CALLS) {
  test(`${tool} says what came of it as data`, async (t) => {
    const bench = await toolsBench(t, { files: FILES })
    const called = await callTool(bench, await bench.openFree(), tool, args)
    assert.equal(called.observed.isError, false, called.observed.text)
    const descriptor = descriptorOf(called)
    assert.deepEqual(descriptor, { kind: tool, props })
    assertLikeFixture(descriptor, like ?? tool)
  })
}

test('edit says its change as a diff', async (t) => {
  const bench = await toolsBench(t, { files: FILES })
  const thread = await bench.openFree()
  await callTool(bench, thread, 'read', { path: 'src/a.js' })
  const edits = [{ oldText: 'two', newText: 'zwei' }]
  const descriptor = descriptorOf(await callTool(bench, thread, 'edit', { path: 'src/a.js', edits }))
  assertLikeFixture(descriptor, 'edit')
  assert.equal(descriptor.props['firstChangedLine'], 2)
  assert.match(String(descriptor.props['diff']), /^-2 two needle\n\+2 zwei needle$/m)
})

test('a read of a long file says what it was cut from', async (t) => {
  const bench = await toolsBench(t, { files: { 'long.txt': 'line\n'.repeat(5000) } })
  const descriptor = descriptorOf(await callTool(bench, await bench.openFree(), 'read', { path: 'long.txt' }))
  assertLikeFixture(descriptor, 'read-cut')
  assert.equal(descriptor.props['lines'], 2000)
  assert.deepEqual(descriptor.truncated, { shown: 2000, total: 5001, unit: 'lines' })
})

test('an image is said to be one', async (t) => {
  const bench = await toolsBench(t)
  const { writeFileSync } = await import('node:fs')
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  writeFileSync(join(bench.cwd, 'pixel.png'), Buffer.from(pixel, 'base64'))
  const descriptor = descriptorOf(await callTool(bench, await bench.openFree(), 'read', { path: 'pixel.png' }))
  assertLikeFixture(descriptor, 'read-image')
})

test('a command that failed keeps its exit code, what it was cut from and where all of it is', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  const command = 'seq 9000; echo "Command exited with code 0"; exit 7'
  const called = await callTool(bench, thread, 'bash', { command })
  assert.equal(called.observed.isError, true)
  const descriptor = descriptorOf(called)
  assertLikeFixture(descriptor, 'bash-failed')
  assert.equal(descriptor.props['exitCode'], 7)
  assert.deepEqual(descriptor.truncated, { shown: 2000, total: 9002, unit: 'lines' })
  const kept = String(descriptor.props['fullOutputPath'])
  assert.ok(existsSync(kept))
  assert.match(readFileSync(kept, 'utf8'), /^1\n2\n/)
  const short = descriptorOf(await callTool(bench, thread, 'bash', { command: 'exit 3' }))
  assert.deepEqual(short, { kind: 'bash', props: { command: 'exit 3', exitCode: 3 } })
})

test('a command that ran out of time, and a shell that was killed, have no exit code', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  const late = descriptorOf(await callTool(bench, thread, 'bash', { command: 'sleep 60', timeout: 0.2 }))
  assertLikeFixture(late, 'bash-timeout')
  assert.deepEqual([late.props['exitCode'], late.props['ended']], [null, 'timeout'])
  const killed = descriptorOf(await callTool(bench, thread, 'bash', { command: 'kill -9 $$' }))
  assert.deepEqual([killed.props['exitCode'], killed.props['ended']], [null, 'signal'])
})

test('a command that was stopped says so', async (t) => {
  const bench = await toolsBench(t)
  const thread = await bench.openFree()
  bench.server.enqueue({ toolCalls: [{ name: 'bash', args: { command: 'echo on; sleep 60' } }] })
  const admitted = await thread.prompt('go')
  assert.ok(admitted.accepted)
  await thread.when('tool-result', ({ text }) => text.includes('on'))
  await thread.hosted.runtime.abort()
  await thread.when('settled')
  const descriptor = thread.all('tool-result').findLast(({ complete }) => complete)?.descriptor
  assert.deepEqual(descriptor?.props, { command: 'echo on; sleep 60', exitCode: null, ended: 'aborted' })
})

test('a call that failed inside its tool is described, one that never ran has its text only', async (t) => {
  const bench = await toolsBench(t, { files: FILES })
  const thread = await bench.openFree()
  const missing = await callTool(bench, thread, 'read', { path: 'nowhere' })
  assert.equal(missing.observed.isError, true)
  assert.deepEqual(descriptorOf(missing), { kind: 'read', props: { path: 'nowhere' } })
  for (const [name, args] of [
    ['read', { path: '.env' }],
    ['read', { wrong: 1 }],
    ['no_such_tool', {}],
  ] as const) {
    const { observed, stored } = await callTool(bench, thread, name, args)
    assert.equal(observed.isError, true)
    assert.equal(observed.descriptor, undefined, observed.text)
    assert.equal(stored.descriptor, undefined)
    assert.notEqual(observed.text, '')
  }
})

test('lines of secret files are in no search, and in no count of it', async (t) => {
  // Without ripgrep, whatever this machine has: its order of files is its own, and it says how many lines were left out.
  const bench = await toolsBench(t, { files: FILES, env: { PATH: '' } })
  const called = await callTool(bench, await bench.openFree(), 'grep', { pattern: 'needle' })
  assert.equal(called.observed.text, 'src/a.js:2: two needle\nsrc/b.js:1: needle')
  assert.equal(descriptorOf(called).props['matches'], 2)
})
