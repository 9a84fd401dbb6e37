import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { analyseCommand } from '../../../src/host/extensions/modes/analyse.js'
import { repositoryProgram } from '../../../src/host/extensions/modes/git-programs.js'
import { shellKind } from '../../../src/host/extensions/modes/shell-kind.js'
import { withoutMonitor } from '../../../src/host/extensions/guards/scrubbed-env.js'
import { createPlainWorld } from '../guards/plain-world.js'

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: cwd } })

test('in a repository whose settings make git run a program, looking with git is no mere reading', (t) => {
  const { world } = createPlainWorld(t)
  const kind = (command: string): string => shellKind(analyseCommand(command, world))
  git(world.cwd, 'init', '-q')
  assert.equal(kind('git status && git diff'), 'shell-read')
  git(world.cwd, 'config', 'core.fsmonitor', 'true')
  git(world.cwd, 'config', 'filter.lfs.clean', 'git-lfs clean -- %f')
  git(world.cwd, 'config', 'core.pager', 'less')
  assert.equal(kind('git status'), 'shell-read')
  for (const [name, value] of [
    ['core.fsmonitor', './x.sh'],
    ['diff.external', './x.sh'],
    ['diff.a.textconv', './x.sh'],
    ['filter.a.clean', './x.sh'],
    ['include.path', '../x'],
  ] as const) {
    git(world.cwd, 'config', name, value)
    assert.equal(repositoryProgram(join(world.cwd, 'src')), `setting ${name}`)
    assert.equal(kind('git status'), 'shell-other', name)
    assert.equal(kind('ls'), 'shell-read')
    git(world.cwd, 'config', '--unset', name)
  }
})

test('a repository inside the workspace counts where a command goes there, bare ones too', (t) => {
  const { world } = createPlainWorld(t)
  const kind = (command: string): string => shellKind(analyseCommand(command, world))
  for (const [name, flag] of [
    ['inner', '-q'],
    ['bare', '--bare'],
  ] as const) {
    const folder = join(world.cwd, name)
    mkdirSync(folder)
    git(folder, 'init', '-q', flag)
    assert.equal(kind(`cd ${name} && git log`), 'shell-read')
    git(folder, 'config', 'diff.external', './x.sh')
    assert.equal(kind(`cd ${name} && git log`), 'shell-other')
  }
  assert.equal(kind('git log'), 'shell-read')
})

test('a command of the model runs no monitor that a repository names', (t) => {
  const { world } = createPlainWorld(t)
  git(world.cwd, 'init', '-q')
  writeFileSync(join(world.cwd, 'x.sh'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  git(world.cwd, 'config', 'core.fsmonitor', './x.sh')
  const env = withoutMonitor({ PATH: process.env['PATH'] ?? '', HOME: world.cwd })
  const printed = execFileSync('git', ['status', '--short'], { cwd: world.cwd, encoding: 'utf8', env })
  assert.match(printed, /x\.sh/)
  assert.equal(existsSync(join(world.cwd, 'ran')), false)
  const again = withoutMonitor({ GIT_CONFIG_PARAMETERS: "'user.name=x'" })
  assert.equal(again['GIT_CONFIG_PARAMETERS'], "'user.name=x' 'core.fsmonitor=false'")
})

test('a repository inside the repository runs no monitor either, and its own programs count', (t) => {
  const { world } = createPlainWorld(t)
  const inner = join(world.cwd, 'inner')
  mkdirSync(inner)
  for (const folder of [inner, world.cwd]) {
    git(folder, 'init', '-q')
    writeFileSync(join(folder, 'a'), 'a')
    git(folder, 'add', '.')
    git(folder, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '-m', 'x')
  }
  const kind = (): string => shellKind(analyseCommand('git status', world))
  assert.equal(kind(), 'shell-read')
  git(inner, 'config', 'filter.x.clean', './x.sh')
  assert.equal(kind(), 'shell-other')
  git(inner, 'config', '--unset', 'filter.x.clean')
  git(inner, 'config', 'core.fsmonitor', 'touch ../ran')
  writeFileSync(join(inner, 'a'), 'b')
  const env = withoutMonitor({ PATH: process.env['PATH'] ?? '', HOME: world.cwd })
  assert.match(execFileSync('git', ['status', '--short'], { cwd: world.cwd, encoding: 'utf8', env }), / m inner/)
  assert.equal(existsSync(join(world.cwd, 'ran')), false)
})

test('a hook that git runs where it only looks makes it more than a reading, wherever the hooks are', (t) => {
  const { world } = createPlainWorld(t)
  const kind = (): string => shellKind(analyseCommand('git status', world))
  git(world.cwd, 'init', '-q')
  const hooks = join(world.cwd, '.husky')
  mkdirSync(hooks)
  git(world.cwd, 'config', 'core.hooksPath', '.husky')
  writeFileSync(join(hooks, 'pre-commit'), '#!/bin/sh\n', { mode: 0o755 })
  assert.equal(kind(), 'shell-read')
  writeFileSync(join(hooks, 'post-index-change'), '#!/bin/sh\n', { mode: 0o755 })
  assert.equal(kind(), 'shell-other')
  git(world.cwd, 'config', '--unset', 'core.hooksPath')
  assert.equal(kind(), 'shell-read')
  mkdirSync(join(world.cwd, '.git/hooks'), { recursive: true })
  writeFileSync(join(world.cwd, '.git/hooks/post-index-change'), '#!/bin/sh\n', { mode: 0o755 })
  assert.equal(kind(), 'shell-other')
})

test('a history that is fetched when it is looked at makes looking more than a reading where it says with what', (t) => {
  const { world } = createPlainWorld(t)
  const kind = (): string => shellKind(analyseCommand('git log -p', world))
  git(world.cwd, 'init', '-q')
  git(world.cwd, 'config', 'remote.origin.uploadpack', './x.sh')
  assert.equal(kind(), 'shell-read')
  git(world.cwd, 'config', 'remote.origin.promisor', 'true')
  assert.equal(kind(), 'shell-other')
})

test('an index that can’t be looked through makes looking more than a reading', (t) => {
  const { world } = createPlainWorld(t)
  git(world.cwd, 'init', '-q')
  writeFileSync(join(world.cwd, '.git/index'), 'torn')
  assert.equal(shellKind(analyseCommand('git status', world)), 'shell-other')
})
