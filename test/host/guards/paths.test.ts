import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { foldName, isInside, realPathOf, toolPath, toolReadPath } from '../../../src/host/extensions/guards/paths.js'
import { createPlainWorld } from './plain-world.js'

test('a tool path is rewritten the way the agent library rewrites it', () => {
  const of = (raw: string): string => toolPath(raw, '/srv/repo', '/home/dev')
  assert.equal(of('a.ts'), '/srv/repo/a.ts')
  assert.equal(of('@a.ts'), '/srv/repo/a.ts')
  assert.equal(of('@/etc/hosts'), '/etc/hosts')
  assert.equal(of('~'), '/home/dev')
  assert.equal(of('@~/x'), '/home/dev/x')
  assert.equal(of('~dev/x'), '/srv/repo/~dev/x')
  assert.equal(of('a\u00A0b'), '/srv/repo/a b')
  assert.equal(of('../x'), '/srv/x')
})

test('reading also tries the spellings that a file system may store', (t) => {
  const { world } = createPlainWorld(t)
  const decomposed = 'cafe\u0301.txt'
  writeFileSync(join(world.cwd, decomposed), '')
  assert.equal(toolReadPath('caf\u00E9.txt', world.cwd, world.home), join(world.cwd, decomposed))
  assert.equal(toolReadPath('none.txt', world.cwd, world.home), join(world.cwd, 'none.txt'))
})

test('links are followed, dangling ones to what writing would create, and `..` leaves the folder a link led to', (t) => {
  const { world, root } = createPlainWorld(t)
  const { cwd, home } = world
  symlinkSync(home, join(cwd, 'out'))
  symlinkSync(join(home, 'new.txt'), join(cwd, 'dangling'))
  symlinkSync('b', join(cwd, 'a'))
  symlinkSync('a', join(cwd, 'b'))
  assert.equal(realPathOf(join(cwd, 'out/x'), cwd), join(home, 'x'))
  assert.equal(realPathOf(join(cwd, 'dangling'), cwd), join(home, 'new.txt'))
  assert.equal(realPathOf(`${cwd}/out/../y`, cwd), join(root, 'home/y'))
  assert.match(realPathOf(join(cwd, 'a/x'), cwd), /x$/)
  assert.equal(realPathOf('/proc/self/cwd/z', cwd), join(cwd, 'z'))
  assert.equal(realPathOf('/proc/1/root/etc', cwd), '/etc')
})

test('a link that the same command made counts as one', (t) => {
  const { world } = createPlainWorld(t)
  const links = new Map([[join(world.cwd, 'e'), '/etc']])
  assert.equal(realPathOf(join(world.cwd, 'e/motd'), world.cwd, links), '/etc/motd')
})

test('a folder is no prefix: a neighbour with a longer name is outside', () => {
  assert.equal(isInside('/srv/repo', '/srv/repo'), true)
  assert.equal(isInside('/srv/repo/a', '/srv/repo'), true)
  assert.equal(isInside('/srv/repository', '/srv/repo'), false)
  assert.equal(isInside('/srv', '/srv/repo'), false)
  assert.equal(isInside('/srv/repo/..x', '/srv/repo'), true)
})

test('names are compared in one case, one form, without what file systems ignore', () => {
  assert.equal(foldName('.GIT'), '.git')
  assert.equal(foldName('.g\u200Cit'), '.git')
  assert.equal(foldName('．env'), '.env')
})

test('a file tool is judged on the file it really opens', (t) => {
  const { world, ask } = createPlainWorld(t)
  const { cwd, home } = world
  mkdirSync(join(cwd, 'docs'))
  mkdirSync(join(home, '.aws'))
  symlinkSync('../.env', join(cwd, 'docs/notes.txt'))
  symlinkSync(join(home, '.aws'), join(cwd, 'data'))
  symlinkSync('.git/hooks', join(cwd, 'scripts'))
  for (const path of ['docs/notes.txt', 'data/credentials', '@.env', '~/.netrc', 'docs/../.ENV']) {
    const decision = ask('read', { path })
    assert.equal(decision.kind === 'deny' && decision.rule, 'secret-read', path)
  }
  const write = ask('write', { path: 'scripts/pre-commit', content: 'x' })
  assert.equal(write.kind === 'deny' && write.rule, 'protected-internals')
})
