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
    assert.equal(repositoryProgram(join(world.cwd, 'src')), name)
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
  const again = withoutMonitor({ ...env, GIT_CONFIG_KEY_0: 'user.name' })
  assert.deepEqual(
    [again['GIT_CONFIG_COUNT'], again['GIT_CONFIG_KEY_0'], again['GIT_CONFIG_KEY_1']],
    ['2', 'user.name', 'core.fsmonitor'],
  )
})
