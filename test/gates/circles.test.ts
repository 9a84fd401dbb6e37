import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../support/root.js'
import { importsOf, sourceFiles } from '../support/source-imports.js'

/** The source file that an import names, where it names one. */
function fileOf(target: string): string | undefined {
  return ['.ts', '.tsx'].map((ending) => target.replace(/\.js$/, ending)).find((file) => existsSync(inRoot(file)))
}

/** A file's imports at its head, of types too. What is loaded later, by need, ties no circle. */
const headImports = (file: string): string[] =>
  importsOf(file)
    .filter(({ relative, lazy }) => relative && !lazy)
    .flatMap(({ to }) => fileOf(to) ?? [])

/** The first circle met on the way from a file, as the files it runs through. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file)
    if (at >= 0) found.push([...trail.slice(at), file])
    if (at >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}

test('no files import each other in a circle', () => {
  const graph = new Map(sourceFiles().map((file) => [file, headImports(file)]))
  assert.deepEqual(
    circles(graph).map((circle) => circle.join(' → ')),
    [],
  )
  assert.ok([...graph.values()].flat().length > 1000)
})

test('a circle would be found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['b']],
  ])
  assert.deepEqual(circles(graph), [['b', 'c', 'b']])
})
