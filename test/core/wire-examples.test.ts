import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KindGuard, type TSchema } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import * as core from '../../src/core/index.js'
import { inRoot } from '../support/root.js'

const {
  EnsoFollowFrame,
  EnsoFollowObservation,
  EnsoObservation,
  EnsoOutputLine,
  jsonLine,
  lazyValidator,
  shapeReason,
} = core

const schemas = new Map(
  Object.entries(core).filter((entry): entry is [string, TSchema] => KindGuard.IsSchema(entry[1])),
)

interface Example {
  readonly schema: string
  readonly name: string
  readonly value: unknown
}

function examplesIn(...folder: string[]): Example[] {
  const files = readdirSync(inRoot('test/fixtures/wire', ...folder), { withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .map((file) => ({
      schema: folder[0]!,
      name: file.name,
      value: JSON.parse(readFileSync(inRoot('test/fixtures/wire', ...folder, file.name), 'utf8')) as unknown,
    }))
}

const folders = readdirSync(inRoot('test/fixtures/wire'))
const examples = folders.flatMap((schema) => examplesIn(schema))
const invalid = folders
  .filter((schema) => readdirSync(inRoot('test/fixtures/wire', schema)).includes('invalid'))
  .flatMap((schema) => examplesIn(schema, 'invalid'))

/** Checked by the examples of their members, by their own tests, or never seen as values. */
const WITHOUT_EXAMPLES = (name: string) =>
  ['EnsoObservation', 'ThreadRuntime'].includes(name) || name.startsWith('EnsoScript')

test('every schema has an example', () => {
  const without = [...schemas.keys()].filter((name) => !WITHOUT_EXAMPLES(name) && !folders.includes(name))
  assert.deepEqual(without, [])
  assert.deepEqual(
    folders.filter((name) => !schemas.has(name)),
    [],
  )
  assert.ok(examples.length > 300, `only ${examples.length} examples`)
})

test('every example is of its schema, and says so after a journey over a line', () => {
  for (const { schema, name, value } of examples) {
    const validator = lazyValidator(schemas.get(schema)!)
    assert.equal(shapeReason(schemas.get(schema)!, value), undefined, `${schema}/${name}`)
    assert.ok(validator.check(JSON.parse(jsonLine(value))), `${schema}/${name}`)
  }
})

test('every invalid example is refused, with a reason', () => {
  assert.ok(invalid.length > 50, `only ${invalid.length} invalid examples`)
  for (const { schema, name, value } of invalid) {
    assert.ok(!lazyValidator(schemas.get(schema)!).check(value), `${schema}/invalid/${name}`)
    assert.match(shapeReason(schemas.get(schema)!, value) ?? '', /\S/, `${schema}/invalid/${name}`)
  }
})

test('every body of a request has an invalid example', () => {
  const bodies = ['EnsoPromptBody', 'EnsoDialogBody', 'EnsoHostCommandRun', 'EnsoSessionConfiguration']
  for (const body of [...bodies, 'EnsoPermissionModeChange', 'EnsoProjectRegistration', 'EnsoBrowserLogBatch']) {
    assert.ok(
      invalid.some(({ schema }) => schema === body),
      body,
    )
  }
})

test('an example of an observation is of exactly one kind of the union, alone and in its frame', () => {
  const members = EnsoObservation.anyOf
  const kinds = members.map((member) => member.properties.kind.const)
  assert.equal(new Set(kinds).size, 24)
  const seen = new Set<string>()
  const frame = lazyValidator(EnsoFollowObservation)
  for (const { schema, name, value } of examples) {
    if (!members.some((member) => member === schemas.get(schema))) continue
    const fitting = members.filter((member) => lazyValidator(member).check(value))
    assert.deepEqual(fitting, [schemas.get(schema)], `${schema}/${name}`)
    assert.ok(frame.check({ type: 'observation', seq: 1, observation: value }), `${schema}/${name}`)
    seen.add(schema)
  }
  assert.equal(seen.size, members.length)
})

test('the wire takes every kind of observation that the contract documents, and no other', () => {
  const kinds = EnsoObservation.anyOf.map((member) => member.properties.kind.const)
  assert.deepEqual(kinds.toSorted(), [
    'custom-entry',
    'dialog-settled',
    'extension-error',
    'extension-ui-request',
    'message-end',
    'message-start',
    'model',
    'permission-mode',
    'permission-mode-rejected',
    'prompt-rejected',
    'provider-refused',
    'provider-retry',
    'provider-retry-ended',
    'queue',
    'run-ended',
    'session-usage',
    'settled',
    'text-delta',
    'thinking-delta',
    'tool-call',
    'tool-result',
    'turn-end',
    'turn-start',
    'unmapped',
  ])
  assert.ok(!lazyValidator(EnsoObservation).check({ kind: 'something-new' }))
})

test('every frame of a follow is a line of output', () => {
  const line = lazyValidator(EnsoOutputLine)
  const frame = lazyValidator(EnsoFollowFrame)
  for (const { schema, name, value } of examples.filter(({ value }) => frame.check(value))) {
    assert.ok(line.check(value), `${schema}/${name}`)
  }
})

test('another validator of JSON Schema judges every example alike', () => {
  const ajv = new Ajv({ strict: false })
  for (const { schema, name, value } of examples) {
    assert.ok(
      ajv.validate(JSON.parse(JSON.stringify(schemas.get(schema))), value),
      `${schema}/${name}: ${ajv.errorsText()}`,
    )
  }
  for (const { schema, name, value } of invalid) {
    assert.ok(!ajv.validate(JSON.parse(JSON.stringify(schemas.get(schema))), value), `${schema}/invalid/${name}`)
  }
})
