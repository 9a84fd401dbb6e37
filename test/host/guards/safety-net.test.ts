import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPlainWorld } from './plain-world.js'

test('neither the environment nor a policy in the home folder loosens the checker', (t) => {
  const { world, bash } = createPlainWorld(t)
  const folder = join(world.home, '.cc-safety-net')
  mkdirSync(folder, { recursive: true })
  const off = '{"version":1,"destructive_command_protection":{"enabled":false}}'
  writeFileSync(join(folder, 'policy.json'), off)
  const before = { home: process.env['CC_SAFETY_NET_HOME'], worktree: process.env['CC_SAFETY_NET_WORKTREE'] }
  process.env['CC_SAFETY_NET_HOME'] = folder
  process.env['CC_SAFETY_NET_WORKTREE'] = '1'
  try {
    assert.equal(bash('git reset --hard'), 'cc-safety-net')
    assert.equal(process.env['CC_SAFETY_NET_HOME'], folder)
    assert.equal(process.env['CC_SAFETY_NET_LEVEL'], undefined)
    // Its own policy is put right again before each use.
    const own = join(world.home, '.enso/guard/policy.json')
    assert.ok(existsSync(own))
    writeFileSync(own, off)
    assert.equal(bash('git reset --hard'), 'cc-safety-net')
    assert.doesNotMatch(readFileSync(own, 'utf8'), /destructive/)
  } finally {
    for (const [name, value] of [
      ['CC_SAFETY_NET_HOME', before.home],
      ['CC_SAFETY_NET_WORKTREE', before.worktree],
    ] as const) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('what can only be told when it runs is refused with nobody there, and left to the question with somebody', (t) => {
  const command = 'eval "$(make print-command)"'
  assert.equal(createPlainWorld(t).bash(command), 'cc-safety-net')
  assert.equal(createPlainWorld(t, { canAsk: () => true }).bash(command), 'allowed')
})

test('a command that comes to a destructive one is refused whoever is there', (t) => {
  const { bash } = createPlainWorld(t, { canAsk: () => true })
  assert.equal(bash('c=rm; "$c" -rf ~'), 'cc-safety-net')
  assert.equal(bash('r=reset; git $r --hard'), 'cc-safety-net')
})

test('a removal whose variable is known to be a temporary folder is let through', (t) => {
  const { bash } = createPlainWorld(t)
  assert.equal(bash('tmp=$(mktemp -d) && touch "$tmp/a" && rm -rf "$tmp"'), 'allowed')
  assert.equal(bash('rm -rf "$SOMETHING"'), 'cc-safety-net')
})
