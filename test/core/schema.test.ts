import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import {
  closed,
  EnsoDialogBody,
  EnsoFollowFrame,
  EnsoPromptBody,
  lazyValidator,
  shapeReason,
} from '../../src/core/index.js'

test('a closed object refuses a key it does not name', () => {
  const validator = lazyValidator(closed({ a: Type.Optional(Type.String()) }))
  assert.ok(validator.check({ a: 'x' }))
  assert.ok(!validator.check({ b: 'x' }))
  assert.ok(!validator.check(JSON.parse('{"__proto__":1}')))
})

test('the first thing wrong with a value is named', () => {
  const validator = lazyValidator(closed({ a: Type.Integer() }))
  assert.equal(validator.firstError({ a: 1 }), undefined)
  assert.equal(validator.firstError({ a: 1.5 })?.path, '/a')
})

test('where code generation is forbidden values are checked all the same', () => {
  const script = `
    import { EnsoPromptBody, lazyValidator } from ${JSON.stringify(new URL('../../src/core/index.js', import.meta.url).href)}
    const validator = lazyValidator(EnsoPromptBody)
    console.log(validator.check({ message: 'x' }), validator.check({ message: 1 }))`
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script]
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' })
  assert.equal(stdout, 'true false\n', stderr)
})

test('a wrong body is explained by its place and its fault', () => {
  for (const [schema, value, reason] of [
    [EnsoPromptBody, {}, 'message is missing'],
    [EnsoPromptBody, { mesage: 'x' }, 'unknown key mesage (did you mean message?)'],
    [EnsoPromptBody, { message: 3 }, 'message: expected string'],
    [EnsoPromptBody, { message: 'x', admission: 'steer' }, 'admission: expected "interrupt", "enqueue"'],
    [EnsoDialogBody, { id: 'x', value: 'a', cancelled: true }, 'unknown key cancelled (known: id, value)'],
    [
      EnsoFollowFrame,
      { type: 'observation', seq: 1, observation: { kind: 'settled', extra: 1 } },
      'unknown key observation.extra (known: kind)',
    ],
    [EnsoPromptBody, { message: 'x' }, undefined],
  ] as const) {
    assert.equal(shapeReason(schema, value), reason)
  }
})

test('a validator says the same whether it walks its schema or has compiled it', () => {
  const schema = closed({ name: Type.String({ minLength: 1 }), size: Type.Optional(Type.Integer()) })
  const fitting = [{ name: 'a' }, { name: 'a', size: 1 }]
  const others = [{}, { name: '' }, { name: 'a', size: 1.5 }, { name: 'a', more: 1 }, null, 'a']
  for (const [values, expected] of [
    [fitting, true],
    [others, false],
  ] as const) {
    for (const value of values) {
      const { check } = lazyValidator(schema)
      assert.deepEqual(
        Array.from({ length: 5 }, () => check(value)),
        Array.from({ length: 5 }, () => expected),
        JSON.stringify(value),
      )
    }
  }
})
