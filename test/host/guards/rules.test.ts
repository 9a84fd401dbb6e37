import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENSO_GUARD_RULES } from '../../../src/core/index.js'
import { BASH_RULES } from '../../../src/host/extensions/guards/bash/rules/index.js'
import { GUARD_RULE_TABLE } from '../../../src/host/extensions/guards/rule-table.js'
import { createPlainWorld } from './plain-world.js'

for (const { rule, match, notMatch } of BASH_RULES) {
  test(`${rule} refuses each of its examples, and not their neighbours`, (t) => {
    const { ask } = createPlainWorld(t)
    for (const command of match) {
      const decision = ask('bash', { command })
      assert.equal(decision.kind, 'deny', command)
    }
    for (const command of notMatch) assert.deepEqual(ask('bash', { command }), { kind: 'allow' }, command)
  })

  test(`${rule} is the rule that is named for its first example`, (t) => {
    assert.equal(createPlainWorld(t).bash(match[0] as string), rule)
  })
}

test('the rules over commands stand in the order in which denials are named', () => {
  const places = BASH_RULES.map(({ rule }) => ENSO_GUARD_RULES.indexOf(rule))
  assert.deepEqual(
    places,
    [...places].sort((left, right) => left - right),
  )
})

test('every rule is in the table, and none refuses the way out it suggests', (t) => {
  assert.deepEqual(
    GUARD_RULE_TABLE.map(({ rule }) => rule),
    ENSO_GUARD_RULES,
  )
  const { ask } = createPlainWorld(t)
  for (const { rule, example } of GUARD_RULE_TABLE) {
    assert.deepEqual(ask(example.toolName, example.input), { kind: 'allow' }, rule)
  }
})

test('a reason names the thing and a way out, stays on one line and holds no value', (t) => {
  const { ask } = createPlainWorld(t)
  for (const command of BASH_RULES.flatMap(({ match }) => match)) {
    const decision = ask('bash', { command })
    assert.ok(decision.kind === 'deny')
    assert.doesNotMatch(decision.reason, /[\n\uE000-\uE00F]|planted/, command)
    assert.ok(decision.reason.length > 40, command)
  }
})

test('commands named in a reason are let through', (t) => {
  const { bash } = createPlainWorld(t)
  for (const command of [
    'printenv PATH',
    'test -n "$OPENAI_API_KEY"',
    'test -f .env',
    'cat .env.example',
    'git add a',
    'git commit -m x',
    'git -c user.name=x commit -m y',
  ]) {
    assert.equal(bash(command), 'allowed', command)
  }
})
