import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'
import { transform } from 'esbuild'
import { inRoot } from '../support/root.js'

const { whenUsed } = (await import(pathToFileURL(inRoot('scripts/bundle/when-used.js')).href)) as {
  whenUsed(code: string, isPure: (chunk: string) => boolean): string
}

type Exports = Readonly<Record<string, (text?: string) => unknown>>

/** Runs a module as the build makes a script of it; answers what it exports and tells what it asked for. */
async function evaluated(source: string, isPure = (chunk: string) => chunk.includes('pure')) {
  const { code } = await transform(source, { format: 'cjs', platform: 'node', target: 'node20.19' })
  const asked: string[] = []
  const require = (id: string): unknown => {
    asked.push(id)
    return { id, default: { id }, make: (text: string) => `${id} ${text}`, URL, part: { a: 1 } }
  }
  const module = { exports: {} }
  runInNewContext(whenUsed(code, isPure), { require, module, exports: module.exports })
  return { exports: module.exports as Exports, asked }
}

test('a pure chunk and a module of Node are asked for by their first use, once', async () => {
  const { exports, asked } = await evaluated(`
    import { make as a } from './pure.js'
    import { make as b } from 'node:crypto'
    import c from 'child_process'
    export const [first, second, third] = [() => a('x'), () => b('y'), () => c.id]
  `)
  assert.deepEqual(asked, [])
  assert.deepEqual([exports['second']?.(), exports['second']?.(), asked], ['node:crypto y', 'node:crypto y', ['node:crypto']]) // prettier-ignore
  assert.deepEqual([exports['first']?.(), exports['third']?.(), asked], ['./pure.js x', 'child_process', ['node:crypto', './pure.js', 'child_process']]) // prettier-ignore
})

test('whatever form a use has, it finds the same', async () => {
  const { exports, asked } = await evaluated(`
    import { make, URL as Made, part } from './pure.js'
    export { make } from './pure.js'
    export const spread = { ...part }
    export const made = new Made('a:b')
    export const isMade = made instanceof Made
    export class Other extends Made {}
    export const other = new Other('a:b')
    export const text = make\`tagged\`
    export const kind = typeof make
    export const name = 'import_pure.make', held = { import_pure: 1 }.import_pure
  `)
  assert.equal(JSON.stringify(exports['spread']), '{"a":1}')
  assert.deepEqual([exports['isMade'], exports['kind'], exports['text'], exports['held']], [true, 'function', './pure.js tagged', 1]) // prettier-ignore
  assert.equal(exports['other']?.constructor.name, 'Other')
  assert.equal(exports['name'], 'import_pure.make')
  assert.equal(exports['make']?.('z'), './pure.js z')
  assert.deepEqual([...new Set(asked)], ['./pure.js'])
})

test('what does something when it is loaded is loaded in its place; what is not used is not loaded', async () => {
  const { asked } = await evaluated(`
    import { make } from './acts.js'
    import './acts-too.js'
    import { make as unused } from './pure.js'
    import 'node:http'
    import { make as always } from 'node:fs'
    import all, * as whole from 'node:https'
    export const use = () => [make, always, whole, all]
  `)
  assert.deepEqual(asked.sort(), ['./acts-too.js', './acts.js', 'node:fs', 'node:https'])
})
