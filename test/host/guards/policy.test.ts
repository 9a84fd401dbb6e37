import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { guardPolicyOfUser, parseGuardPolicy, readGuardPolicy } from '../../../src/host/extensions/guards/policy.js'
import { createPlainWorld } from './plain-world.js'

const kind = (text: string): string => parseGuardPolicy(text, '/srv/repo', '/home/dev').kind

test('a policy is taken over the defaults, and refused whole when any of it is wrong', () => {
  assert.equal(parseGuardPolicy(undefined, '/srv/repo', '/home/dev').kind, 'ok')
  assert.equal(kind('{}'), 'ok')
  assert.equal(kind('{"writeRoots":["/srv"]}'), 'ok')
  for (const bad of [
    '',
    '{',
    'null',
    '[]',
    '{"extra":true}',
    '{"writeRoots":"/srv/repo"}',
    '{"writeRoots":["/srv/other"]}',
    '{"writeRoots":[]}',
    '{"defaultBashTimeoutSeconds":-1}',
    '{"deniedNetworkBinaries":[1]}',
  ]) {
    assert.equal(kind(bad), 'invalid', bad)
  }
})

test("a person's write roots add to the workspace and the temporary folder", () => {
  const reading = guardPolicyOfUser({ writeRoots: ['~/notes'] }, '/srv/repo', '/home/dev', ['/opt/added'])
  assert.ok(reading.kind === 'ok')
  assert.deepEqual(reading.policy.writeRoots.slice(-2), ['/home/dev/notes', '/opt/added'])
  assert.ok(reading.policy.writeRoots.includes('/srv/repo'))
})

test('a list that is given replaces the default list', () => {
  const reading = readGuardPolicy({ deniedNetworkBinaries: ['nc'] }, '/srv/repo', '/home/dev')
  assert.deepEqual(reading.kind === 'ok' && reading.policy.deniedNetworkBinaries, ['nc'])
})

test('while the policy can not be trusted nothing is written or run, and reading goes on', (t) => {
  const { ask } = createPlainWorld(t, { userGuard: { unreadable: 'config.json is not JSON' } })
  for (const [tool, input] of [
    ['bash', { command: 'ls' }],
    ['write', { path: 'a', content: '' }],
    ['edit', { path: 'a', edits: [] }],
  ] as const) {
    const decision = ask(tool, input)
    assert.ok(decision.kind === 'deny')
    assert.equal(decision.rule, 'policy-mismatch')
    assert.match(decision.reason, /config\.json is not JSON/)
  }
  assert.equal(ask('read', { path: 'README.md' }).kind, 'allow')
  assert.equal(ask('read', { path: '.env' }).kind, 'deny')
})

test("a repository's policy file that loosens the checker stops commands, one that tightens does not", (t) => {
  const { world, bash, ask } = createPlainWorld(t)
  const folder = join(world.cwd, '.cc-safety-net')
  mkdirSync(folder)
  const rule = (policy: string): string => {
    writeFileSync(join(folder, 'policy.json'), policy)
    return bash('npm test')
  }
  assert.equal(rule('{"version":1,"safety":{"level":"strict"}}'), 'allowed')
  assert.equal(rule('{"version":1,"destructive_command_protection":{"enabled":true,"deny_paths":["/x"]}}'), 'allowed')
  for (const policy of [
    '{"version":1,"destructive_command_protection":{"enabled":false}}',
    '{"version":1,"destructive_command_protection":{"allow_paths":["/"]}}',
    '{"version":1,"destructive_command_protection":{"overrides":{"git.reset-hard":"off"}}}',
    '{"version":1,"secret_protection":{"enabled":false}}',
    '{"version":1,"unknown":{}}',
    'not json',
    '[]',
  ]) {
    assert.equal(rule(policy), 'policy-mismatch', policy)
  }
  assert.equal(ask('write', { path: 'a.ts', content: '' }).kind, 'allow')
})
