import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileOutputSchema } from '../../../src/host/runs/output-schema.js'

const person = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
  additionalProperties: false,
}

test('an object’s schema is the tool’s own, and what does not fit is named by its place', () => {
  const { parameters, answerIn, problem } = compileOutputSchema(person)
  assert.deepEqual(parameters['properties'], person.properties)
  assert.equal('$schema' in parameters, false)
  const answer = { name: 'A', age: 3 }
  assert.equal(answerIn(answer), answer)
  assert.equal(problem(answer), undefined)
  assert.match(problem({ name: 'A', age: -1 }) ?? '', /\/age must be >= 0/)
  assert.match(problem({ name: 'A' }) ?? '', /required property 'age'/)
  assert.match(problem({ ...answer, more: 1 }) ?? '', /additional properties \(more\)/)
})

test('nothing is made to fit: a number in quotes is no number, nothing missing is filled in', () => {
  const { problem } = compileOutputSchema({ ...person, properties: { ...person.properties, x: { default: 1 } } })
  const answer = { name: 'A', age: '3' }
  assert.match(problem(answer) ?? '', /\/age must be integer/)
  assert.deepEqual(answer, { name: 'A', age: '3' })
  const fits = { name: 'A', age: 3 }
  assert.equal(problem(fits), undefined)
  assert.deepEqual(fits, { name: 'A', age: 3 })
})

test('an answer that is no object stands under one key, with the definitions where they are looked for', () => {
  const { parameters, answerIn, problem, fullText } = compileOutputSchema({
    type: 'array',
    items: { $ref: '#/$defs/word' },
    $defs: { word: { type: 'string' } },
  })
  assert.deepEqual(parameters, {
    type: 'object',
    properties: { answer: { type: 'array', items: { $ref: '#/$defs/word' } } },
    required: ['answer'],
    $defs: { word: { type: 'string' } },
  })
  assert.ok(fullText?.includes('$defs'))
  assert.deepEqual(answerIn({ answer: ['a'] }), ['a'])
  assert.equal(problem(['a']), undefined)
  assert.match(problem([1]) ?? '', /\/0 must be string/)
  assert.match(problem(answerIn({})) ?? '', /no answer/)
})

test('2020-12 unless an older draft is named; its keywords count', () => {
  const tuple = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }
  const { problem } = compileOutputSchema(tuple)
  assert.equal(problem(['a', 1]), undefined)
  assert.match(problem(['a', 'b']) ?? '', /\/1 must be number/)
  const old = compileOutputSchema({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'array',
    items: [{ type: 'string' }],
    additionalItems: false,
  })
  assert.equal(old.problem(['a']), undefined)
  assert.ok(old.problem(['a', 'b']))
  const newer = compileOutputSchema({
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    type: 'object',
    dependentRequired: { a: ['b'] },
  })
  assert.ok(newer.problem({ a: 1 }))
})

test('what is no schema is bad input, with what is wrong', () => {
  for (const [schema, reason] of [
    [[], /JSON object/],
    ['x', /JSON object/],
    [{ type: 'strin' }, /not valid/],
    [{ $ref: 'https://example.com/other.json' }, /not valid/],
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, /draft/],
    [{ type: 'object', description: 'x'.repeat(300_000) }, /longer/],
  ] as const) {
    assert.throws(
      () => compileOutputSchema(schema),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, 'bad-input')
        assert.match(error.message, reason)
        return true
      },
    )
  }
})

test('many problems are named as far as a few go', () => {
  const { problem } = compileOutputSchema({ type: 'array', items: { type: 'string' } })
  assert.match(problem(Array.from({ length: 20 }, () => 1)) ?? '', /; and 12 more$/)
})
