import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPlainWorld } from './plain-world.js'

test('a file is read before it is written, and again when its contents changed', (t) => {
  const { world, ask } = createPlainWorld(t)
  const file = join(world.cwd, 'a.ts')
  const rule = (toolName: string, input: Readonly<Record<string, unknown>>): string => {
    const decision = ask(toolName, { path: 'a.ts', ...input })
    return decision.kind === 'deny' ? decision.rule : 'allowed'
  }
  assert.equal(rule('write', { content: 'x' }), 'allowed')
  writeFileSync(file, 'one\n')
  assert.equal(rule('write', { content: 'x' }), 'read-before-write')
  world.freshness.saw(file)
  assert.equal(rule('write', { content: 'x' }), 'allowed')

  const before = statSync(file)
  writeFileSync(file, 'two\n')
  utimesSync(file, before.atime, before.mtime)
  assert.equal(rule('write', { content: 'x' }), 'stale-write')
  writeFileSync(file, 'one\n')
  assert.equal(rule('write', { content: 'x' }), 'allowed')
  rmSync(file)
  assert.equal(rule('write', { content: 'x' }), 'allowed')
})

test('an edit of lines that did not change is let through, and of lines that did is not', (t) => {
  const { world, ask } = createPlainWorld(t)
  const file = join(world.cwd, 'a.ts')
  writeFileSync(file, 'const a = 1\nconst b=2\n')
  world.freshness.saw(file)
  const edit = (oldText: string): string => {
    const decision = ask('edit', { path: 'a.ts', edits: [{ oldText, newText: 'x' }] })
    return decision.kind === 'deny' ? decision.rule : 'allowed'
  }
  writeFileSync(file, 'const a = 1\nconst b = 2\n')
  assert.equal(edit('a = 1'), 'allowed')
  writeFileSync(file, 'const a = 10\nconst b=2\n')
  assert.equal(edit('a = 1'), 'stale-write')
  writeFileSync(file, 'const a = 1\nconst a = 1\n')
  assert.equal(edit('a = 1'), 'stale-write')
  assert.equal(edit('const'), 'stale-write')
})

test('what is no ordinary file is not read to be remembered', { timeout: 5000 }, (t) => {
  const { world } = createPlainWorld(t)
  const pipe = join(world.cwd, 'pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe])
  world.freshness.saw(pipe)
  assert.equal(world.freshness.stateOf(pipe), 'gone')
  assert.equal(world.freshness.stateOf(world.cwd), 'gone')
})
