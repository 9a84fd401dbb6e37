import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { KindGuard } from '@sinclair/typebox'
import * as core from '../../src/core/index.js'
import { inRoot } from '../support/root.js'

/** What the contract says of one name: a value, a function or a type alone; its module; its literal, where fixed. */
interface Expected {
  readonly kind: 'value' | 'function' | 'type'
  readonly module: string
  readonly literal?: string
  readonly type?: boolean
  readonly schema?: boolean
}

const expected = Object.entries(
  JSON.parse(readFileSync(inRoot('test/fixtures/core-exports.json'), 'utf8')) as Record<string, Expected>,
)
const actual = core as Record<string, unknown>
const barrel = barrelExports()
const declaredTypes = new Set(
  readdirSync(inRoot('src/core'))
    .flatMap((file) => [
      ...readFileSync(inRoot('src/core', file), 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm),
    ])
    .map((match) => match[1]!),
)

/** The names in the barrel's text, with the module each comes from and whether it is a type alone. */
function barrelExports(): Map<string, { module: string; typeOnly: boolean }> {
  const names = new Map<string, { module: string; typeOnly: boolean }>()
  const text = readFileSync(inRoot('src/core/index.ts'), 'utf8')
  for (const [, typed, list, module] of text.matchAll(/export (type )?\{([^}]*)\} from '\.\/([\w-]+)\.js'/g)) {
    for (const item of list!.split(',')) {
      const name = item.trim()
      if (name === '') continue
      const typeOnly = typed !== undefined || name.startsWith('type ')
      names.set(name.replace(/^type /, ''), { module: `${module}.ts`, typeOnly })
    }
  }
  return names
}

function literalOf(text: string): unknown {
  return text.startsWith("'") ? text.slice(1, -1) : Number(text.replaceAll('_', ''))
}

test('every name of the contract comes from its module through the barrel', () => {
  const missing = expected.filter(([name]) => !barrel.has(name)).map(([name]) => name)
  assert.deepEqual(missing, [])
  const elsewhere = expected.filter(([name, { module }]) => barrel.get(name)?.module !== module).map(([name]) => name)
  assert.deepEqual(elsewhere, [])
  assert.ok(expected.length > 180, `only ${expected.length} names`)
})

test('each name is a value, a function or a type as the contract says', () => {
  for (const [name, { kind, type, schema, literal }] of expected) {
    const value = actual[name]
    if (kind === 'type') assert.ok(barrel.get(name)?.typeOnly, `${name} is a type alone`)
    if (kind === 'function') assert.equal(typeof value, 'function', name)
    if (kind === 'value') assert.ok(value !== undefined && typeof value !== 'function', name)
    if (schema === true) assert.ok(KindGuard.IsSchema(value), `${name} is a schema`)
    if (type === true) assert.ok(declaredTypes.has(name), `${name} is a type too`)
    if (literal !== undefined) assert.equal(value, literalOf(literal), name)
  }
})

test('the barrel exports by name alone, and each name once', () => {
  const text = readFileSync(inRoot('src/core/index.ts'), 'utf8')
  assert.ok(!/export \*/.test(text))
  const values = [...barrel].filter(([, { typeOnly }]) => !typeOnly).map(([name]) => name)
  assert.deepEqual(values.toSorted(), Object.keys(actual).toSorted())
})

test('every schema has a type of its own name', () => {
  const schemas = Object.entries(actual).filter(([, value]) => KindGuard.IsSchema(value))
  const unnamed = schemas.filter(([name]) => !declaredTypes.has(name)).map(([name]) => name)
  assert.deepEqual(unnamed, ['EnsoQuestionAnswers'])
})
