import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../support/root.js'

interface Chunk {
  readonly name: string
  readonly code: string
  readonly isLate?: boolean
}
const { groupsOf, packOf } = (await import(pathToFileURL(inRoot('scripts/bundle/packs.js')).href)) as {
  groupsOf(chunks: readonly Chunk[], loaded: readonly (readonly string[])[]): readonly (readonly Chunk[])[]
  packOf(chunks: readonly Chunk[]): Chunk
}

const chunk = (name: string, isLate = false) => ({ name, code: `(function(exports){exports.name="${name}"})`, isLate })
const names = (groups: ReturnType<typeof groupsOf>) => groups.map((group) => group.map(({ name }) => name))

test('chunks that the same commands load lie together, in the order they are loaded', () => {
  const chunks = ['d', 'c', 'b', 'a', 'never'].map((name) => chunk(name))
  assert.deepEqual(names(groupsOf(chunks, [['a', 'b'], ['a', 'b', 'c', 'd']])), [['a', 'b'], ['c', 'd']]) // prettier-ignore
})

test('a chunk alone stays a file, and one that may be asked for late never does', () => {
  const chunks = [chunk('a'), chunk('b', true), chunk('rest', true), chunk('never')]
  assert.deepEqual(names(groupsOf(chunks, [['a'], ['a', 'b']])), [['b'], ['rest']])
})

test('a pack says its chunks by name', () => {
  const { name, code } = packOf([chunk('a.cjs'), chunk('chunks/b.cjs')])
  assert.match(name, /^packs\/[0-9a-f]{8}\.cjs$/)
  const chunks = runInNewContext(code) as Record<string, (exports: object) => void>
  const exports = {}
  chunks['chunks/b.cjs']?.(exports)
  assert.match(packOf([chunk('a.cjs', true)]).name, /^late\//)
  assert.deepEqual([Object.keys(chunks), exports], [['a.cjs', 'chunks/b.cjs'], { name: 'chunks/b.cjs' }])
})
