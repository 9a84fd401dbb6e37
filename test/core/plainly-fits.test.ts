import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { EnsoPromptBody } from '../../src/core/index.js'
import { plainlyFits } from '../../src/core/plainly-fits.js'

const closed = { additionalProperties: false }
const SCHEMAS: readonly TSchema[] = [
  EnsoPromptBody,
  Type.Object(
    { a: Type.Optional(Type.String({ minLength: 1, maxLength: 2 })), b: Type.Integer({ minimum: 0 }) },
    closed,
  ),
  Type.Object({ a: Type.Array(Type.Union([Type.Literal('x'), Type.Literal(1), Type.Null()]), { minItems: 1 }) }),
  Type.Record(Type.String(), Type.Number({ maximum: 3 })),
  Type.Object({ constructor: Type.Optional(Type.Boolean()), a: Type.Unknown() }, closed),
  Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Number() })]),
  Type.Object({ a: Type.String({ pattern: '^x' }), b: Type.Not(Type.String()) }),
  Type.Tuple([Type.String(), Type.Number()]),
  Type.Recursive((self) => Type.Object({ a: Type.Optional(self) }, closed)),
]

test('what fits plainly fits: no value is let through that the library refuses', () => {
  const leaf = fc.constantFrom('', 'x', 'xx', 'xxx', 0, 1, -1, 1.5, 4, Infinity, NaN, true, null, undefined)
  const key = fc.constantFrom('a', 'b', 'message', 'constructor', '__proto__', 'a\nb')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value')),
    ),
  }))
  fc.assert(
    fc.property(fc.constantFrom(...SCHEMAS), value, (schema, given) => {
      if (plainlyFits(schema, given)) assert.ok(Value.Check(schema, given))
    }),
    { numRuns: 3000 },
  )
})

test('common values fit plainly', () => {
  assert.ok(plainlyFits(EnsoPromptBody, { message: 'hello' }))
  const item = Type.Object({ id: Type.String({ minLength: 1 }), n: Type.Optional(Type.Number()) })
  const schema = Type.Object({ p: Type.Record(Type.String(), item) })
  assert.ok(plainlyFits(schema, { p: { local: { id: 'x' } } }))
  assert.ok(!plainlyFits(schema, { p: { local: { id: '' } } }))
  assert.ok(!plainlyFits(schema, { p: [] }))
})

test('a schema that asks what is not known here fits nothing plainly', () => {
  for (const schema of [
    {},
    { $ref: 'x' },
    { type: 'string', format: 'uri' },
    { not: {} },
    { type: 'Date' },
    true,
    undefined,
  ]) {
    assert.ok(!plainlyFits(schema, 'x'))
  }
})
