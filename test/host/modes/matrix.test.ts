import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_PERMISSION_MODES, type EnsoPermissionModeName } from '../../../src/core/mode-names.js'
import { verdictOf, type CallKind, type ModeVerdict } from '../../../src/host/extensions/modes/decide.js'
import { ALLOW_FOR_SESSION, ALLOW_ONCE, createModes, DENY } from '../../../src/host/extensions/modes/index.js'
import { NO_RULES, parsePermissionRule, type PermissionRules } from '../../../src/host/extensions/modes/rules.js'
import { fakeExtensionApi, fakeThread } from './fakes.js'

/** Expectations as literals, column by column: a change of the table must be a change here. */
const EXPECTED: Readonly<Record<EnsoPermissionModeName, string>> = {
  // read, write, plan-file, shell-read, shell-files, shell-low-risk, shell-other, web, question, installed, unknown
  default: 'allow ask ask allow ask ask ask allow allow allow ask',
  acceptEdits: 'allow allow allow allow allow ask ask allow allow allow ask',
  plan: 'allow deny allow allow deny deny deny allow allow allow ask',
  auto: 'allow allow allow allow allow allow ask allow allow allow ask',
  bypassPermissions: 'allow allow allow allow allow allow allow allow allow allow allow',
  dontAsk: 'allow deny deny allow deny deny deny allow allow allow deny',
}
const KINDS: readonly CallKind[] = [
  'read',
  'write',
  'plan-file',
  'shell-read',
  'shell-files',
  'shell-low-risk',
  'shell-other',
  'web',
  'question',
  'installed',
  'unknown',
]

test('the table of modes is what it is documented to be', () => {
  for (const mode of ENSO_PERMISSION_MODES) {
    assert.equal(KINDS.map((kind) => verdictOf(mode, kind)).join(' '), EXPECTED[mode], mode)
  }
})

/** One call of each kind, as a model would make it. */
const CALLS: Readonly<Record<CallKind, readonly [string, Record<string, unknown>]>> = {
  read: ['read', { path: 'a.ts' }],
  write: ['write', { path: 'a.ts', content: 'x' }],
  'plan-file': ['write', { path: 'PLAN.md', content: 'x' }],
  'shell-read': ['bash', { command: 'cat a.ts' }],
  'shell-files': ['bash', { command: 'mkdir x' }],
  'shell-low-risk': ['bash', { command: 'npm test' }],
  'shell-other': ['bash', { command: 'python3 script.py' }],
  web: ['web_fetch', { url: 'https://docs.example.com/' }],
  question: ['ask_user', { questions: [] }],
  installed: ['installed_tool', {}],
  unknown: ['unknown_tool', {}],
}

async function callIn(
  mode: EnsoPermissionModeName,
  kind: CallKind,
  options: { canAsk: boolean; answer?: string; rules?: PermissionRules; guardDenies?: boolean },
): Promise<{ blocked: string | undefined; asked: number }> {
  const thread = fakeThread({ canAsk: options.canAsk, permissionMode: mode, answer: options.answer })
  const pi = fakeExtensionApi(['installed_tool'])
  const modes = createModes({
    thread,
    call: {
      cwd: '/work',
      realPath: (path) => (path.startsWith('/') ? path : `/work/${path}`),
      analyse: (command) => ({
        commands: command
          .split('&&')
          .map((part) => ({ argv: part.trim().split(' '), assigned: 0, dynamic: part.includes('$') })),
        writes: command.includes('>') ? ['file'] : [],
        leaves: false,
        doubt: undefined,
      }),
    },
    guardDenies: () => options.guardDenies === true,
    rules: options.rules ?? NO_RULES,
    configured: undefined,
    allowBypass: true,
    now: () => new Date(0),
  })
  await modes.extension(pi.api)
  const [toolName, input] = CALLS[kind]
  const result = await pi.toolCall(toolName, input)
  return { blocked: result?.block ? (result.reason ?? '') : undefined, asked: thread.questions.length }
}

test('every mode decides every kind of call as its table says, with a person and without one', async () => {
  for (const mode of ENSO_PERMISSION_MODES) {
    for (const kind of KINDS) {
      const verdict: ModeVerdict = verdictOf(mode, kind)
      const label = `${mode} × ${kind}`
      const attended = await callIn(mode, kind, { canAsk: true, answer: ALLOW_ONCE })
      assert.equal(attended.blocked !== undefined, verdict === 'deny', `${label}, attended`)
      assert.equal(attended.asked, verdict === 'ask' ? 1 : 0, `${label}, attended`)
      const refused = await callIn(mode, kind, { canAsk: true, answer: DENY })
      assert.equal(refused.blocked !== undefined, verdict !== 'allow', `${label}, denied by the person`)
      const alone = await callIn(mode, kind, { canAsk: false })
      assert.equal(alone.blocked !== undefined, verdict !== 'allow', `${label}, unattended`)
      assert.equal(alone.asked, 0, `${label}, unattended`)
    }
  }
})

const rules = (part: Partial<Record<keyof PermissionRules, string[]>>): PermissionRules => {
  const parse = (texts: string[] = []) =>
    texts.map((text) => {
      const parsed = parsePermissionRule(text)
      assert.ok(parsed.kind === 'rule', text)
      return parsed.rule
    })
  return { allow: parse(part.allow), ask: parse(part.ask), deny: parse(part.deny) }
}

test('a denial of the person beats every mode and every allowance', async () => {
  for (const mode of ENSO_PERMISSION_MODES) {
    const result = await callIn(mode, 'shell-read', {
      canAsk: true,
      answer: ALLOW_ONCE,
      rules: rules({ deny: ['bash(cat *)'], allow: ['bash'] }),
    })
    assert.match(result.blocked ?? '', /the rule 'bash\(cat \*\)' denies it/, mode)
  }
})

test('an allowance turns a question into a yes, and works where nobody is there', async () => {
  const allow = rules({ allow: ['bash(npm test)'] })
  assert.deepEqual(await callIn('default', 'shell-low-risk', { canAsk: true, rules: allow }), {
    blocked: undefined,
    asked: 0,
  })
  assert.deepEqual(await callIn('dontAsk', 'shell-low-risk', { canAsk: false, rules: allow }), {
    blocked: undefined,
    asked: 0,
  })
})

test('an allowance never beats plan mode', async () => {
  const result = await callIn('plan', 'shell-low-risk', { canAsk: true, rules: rules({ allow: ['bash'] }) })
  assert.match(result.blocked ?? '', /plan/)
})

test('a question of the person is asked even in bypass', async () => {
  const result = await callIn('bypassPermissions', 'shell-read', {
    canAsk: true,
    answer: ALLOW_ONCE,
    rules: rules({ ask: ['bash'] }),
  })
  assert.equal(result.asked, 1)
})

test('where the guard refuses, nobody is asked', async () => {
  const result = await callIn('default', 'write', { canAsk: true, answer: ALLOW_ONCE, guardDenies: true })
  assert.deepEqual(result, { blocked: undefined, asked: 0 })
})

test('a refusal where nobody can be asked names the mode and the rule to add', async () => {
  const result = await callIn('default', 'shell-low-risk', { canAsk: false })
  assert.match(result.blocked ?? '', /permission mode default asks and nobody can be asked/)
  assert.match(result.blocked ?? '', /"bash\(npm test\)" under permissions\.allow/)
})

test('what was allowed for the session is not asked again, part by part', async () => {
  const thread = fakeThread({ canAsk: true, permissionMode: 'default', answer: ALLOW_FOR_SESSION })
  const pi = fakeExtensionApi([])
  const modes = createModes({
    thread,
    call: {
      cwd: '/work',
      realPath: (path) => path,
      analyse: (command) => ({
        commands: command
          .split('&&')
          .map((part) => ({ argv: part.trim().split(' '), assigned: 0, dynamic: part.includes('$') })),
        writes: [],
        leaves: false,
        doubt: undefined,
      }),
    },
    guardDenies: () => false,
    rules: NO_RULES,
    configured: undefined,
    allowBypass: false,
    now: () => new Date(0),
  })
  await modes.extension(pi.api)
  await pi.toolCall('bash', { command: 'npm test && npm run lint' })
  assert.equal(thread.questions.length, 1)
  assert.deepEqual(thread.questions[0]?.options, [ALLOW_ONCE, ALLOW_FOR_SESSION, DENY])
  await pi.toolCall('bash', { command: 'npm run lint && cat a && npm test' })
  assert.equal(thread.questions.length, 1)
  await pi.toolCall('bash', { command: 'npm run lint && npm publish' })
  assert.equal(thread.questions.length, 2)
  await pi.toolCall('bash', { command: 'npm run $x' })
  assert.deepEqual(thread.questions[2]?.options, [ALLOW_ONCE, DENY])
})

test('a fault while deciding refuses the call', async () => {
  const thread = fakeThread({ canAsk: true, permissionMode: 'default', answer: ALLOW_ONCE })
  const pi = fakeExtensionApi([])
  const modes = createModes({
    thread,
    call: { cwd: '/work', realPath: (path) => path, analyse: () => assert.fail('broken') },
    guardDenies: () => false,
    rules: NO_RULES,
    configured: undefined,
    allowBypass: false,
    now: () => new Date(0),
  })
  await modes.extension(pi.api)
  const result = await pi.toolCall('bash', { command: 'ls' })
  assert.equal(result?.block, true)
})
