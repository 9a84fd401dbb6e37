import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_GUARD_POLICY,
  ENSO_GUARD_DENIAL_ENTRY,
  ENSO_GUARD_DENIAL_KEY,
  ENSO_GUARD_RULES,
  ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  EnsoGuardDenial,
  GuardPolicy,
  isEnsoGuardRule,
  PERSISTENCE_WRITE_BASENAMES,
  PERSISTENCE_WRITE_DIRECTORIES,
  readEnsoGuardDenial,
  readEnsoGuardDenialMetadata,
  SECRET_BASENAME_PATTERNS,
} from '../../src/core/index.js'
import { lazyValidator } from '../../src/core/schema.js'

const denial = { rule: 'secret-path', toolCallId: 'call-1' } as const

test('the rules are twelve, in the order in which the first that refuses is named', () => {
  assert.deepEqual(ENSO_GUARD_RULES, [
    'policy-mismatch',
    'cc-safety-net',
    'network-egress',
    'environment-dump',
    'secret-path',
    'write-confinement',
    'protected-internals',
    'persistence-write',
    'secret-write',
    'stale-write',
    'read-before-write',
    'secret-read',
  ])
  assert.equal(isEnsoGuardRule('secret-read'), true)
  assert.equal(isEnsoGuardRule('constructor'), false)
})

test('the names of a denial on disk stay as they are', () => {
  assert.equal(ENSO_GUARD_DENIAL_ENTRY, 'enso-guard-denial')
  assert.equal(ENSO_GUARD_DENIAL_KEY, 'enso:guardDenial')
})

test('a denial is read from a session entry of its type, and from nothing else', () => {
  assert.deepEqual(readEnsoGuardDenial(ENSO_GUARD_DENIAL_ENTRY, { ...denial, more: 1 }), denial)
  assert.equal(readEnsoGuardDenial('another', denial), undefined)
  for (const bad of [
    undefined,
    null,
    'secret-path',
    [],
    {},
    { rule: 'no-rule', toolCallId: 'x' },
    { rule: 'secret-path' },
  ]) {
    assert.equal(readEnsoGuardDenial(ENSO_GUARD_DENIAL_ENTRY, bad), undefined)
  }
})

test("a denial is read from a stored result's metadata", () => {
  assert.deepEqual(readEnsoGuardDenialMetadata({ other: 1, [ENSO_GUARD_DENIAL_KEY]: denial }), denial)
  assert.equal(readEnsoGuardDenialMetadata(undefined), undefined)
  assert.equal(readEnsoGuardDenialMetadata({}), undefined)
  assert.equal(readEnsoGuardDenialMetadata({ [ENSO_GUARD_DENIAL_KEY]: { rule: 'x', toolCallId: 'y' } }), undefined)
})

test('the schemas take what the defaults and the readers give, and no more', () => {
  const policy = lazyValidator(GuardPolicy)
  assert.equal(policy.check(DEFAULT_GUARD_POLICY), true)
  assert.equal(policy.check({ ...DEFAULT_GUARD_POLICY, extra: true }), false)
  assert.equal(policy.check({ ...DEFAULT_GUARD_POLICY, defaultBashTimeoutSeconds: 0 }), false)
  assert.equal(lazyValidator(EnsoGuardDenial).check(denial), true)
})

test('the lists name what a write would install, as whole names', () => {
  for (const name of ['.gitconfig', '.bashrc', '.zshrc', '.profile', '.mcp.json', '.claude.json']) {
    assert.ok(PERSISTENCE_WRITE_BASENAMES.includes(name), name)
  }
  assert.deepEqual(PERSISTENCE_WRITE_DIRECTORIES, ['.git', '.vscode', '.idea', '.claude'])
  for (const name of ['.pi', '.agents', '.enso', '.cc-safety-net']) {
    assert.ok(ENSO_PERSISTENCE_WRITE_DIRECTORIES.includes(name), name)
  }
})

test('a secret is told by its whole name', () => {
  const isSecret = (name: string): boolean => SECRET_BASENAME_PATTERNS.some((pattern) => pattern.test(name))
  for (const name of [
    '.env',
    '.ENV.local',
    '.envrc',
    '.netrc',
    'id_rsa',
    'prod.pem',
    'a.key',
    '.npmrc',
    '.git-credentials',
  ]) {
    assert.ok(isSecret(name), name)
  }
  for (const name of [
    'env.ts',
    '.env.d.ts',
    '.env-guide.md',
    '.environment',
    'id_rsa.pub',
    'keyboard.key.ts',
    'token.ts',
    '.key',
  ]) {
    assert.ok(!isSecret(name), name)
  }
})
