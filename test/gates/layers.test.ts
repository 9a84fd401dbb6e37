import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importsOf, sourceFiles } from '../support/source-imports.js'

/** What each folder of src may import of the others. `compose.ts` stands above them all. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  system: ['core'],
  log: ['core', 'system'],
  thread: ['core', 'system'],
  host: ['core', 'system'],
  server: ['core', 'system', 'log', 'thread'],
  cli: ['core', 'system', 'log', 'thread'],
  page: ['core'],
  start: ['system'],
}

const layerOf = (file: string): string => file.split('/')[1] ?? ''
const all = sourceFiles().flatMap(importsOf)

test('a layer imports only the layers below it', () => {
  const wrong = all
    .filter(({ from, to, relative }) => relative && to.startsWith('src/') && layerOf(from) !== layerOf(to))
    .filter(({ from }) => from !== 'src/compose.ts' && !from.startsWith('src/compose/'))
    .filter(({ from, to }) => !(MAY_IMPORT[layerOf(from)] ?? []).includes(layerOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`)
  assert.deepEqual(wrong, [])
  assert.ok(all.length > 100, `found only ${all.length} imports`)
})

test('every folder of src has a place in the layers', () => {
  const folders = new Set(
    sourceFiles()
      .filter((file) => file.split('/').length > 2)
      .map(layerOf),
  )
  folders.delete('compose')
  assert.deepEqual(
    [...folders].filter((folder) => !(folder in MAY_IMPORT)),
    [],
  )
})

test('core imports nothing but schemas and the logger', () => {
  const allowed = ['@sinclair/typebox', '@logtape/logtape']
  const wrong = all
    .filter(({ from, relative }) => from.startsWith('src/core/') && !relative)
    .filter(({ to }) => !allowed.some((name) => to === name || to.startsWith(`${name}/`)))
    .map(({ from, to }) => `${from} imports ${to}`)
  assert.deepEqual(wrong, [])
})

test('only compose names the host, the server and the command line together', () => {
  const above = ['host', 'server']
  const wrong = all
    .filter(({ from, to }) => layerOf(from) === 'cli' && above.some((layer) => to.startsWith(`src/${layer}/`)))
    .map(({ from, to }) => `${from} imports ${to}`)
  assert.deepEqual(wrong, [])
})
