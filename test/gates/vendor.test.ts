import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../support/root.js'
import { importsOf, sourceFiles } from '../support/source-imports.js'

const isVendor = (name: string): boolean => name.startsWith('@mariozechner/') || name === 'typebox'

test('only the host imports the agent library', () => {
  const vendor = sourceFiles()
    .flatMap(importsOf)
    .filter(({ to, relative }) => !relative && isVendor(to))
  assert.deepEqual(
    vendor.filter(({ from }) => !from.startsWith('src/host/')).map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
  assert.ok(vendor.length > 3, `found only ${vendor.length} imports of the agent library`)
})

test('only the host names the agent library', () => {
  const naming = sourceFiles().filter((file) => readFileSync(inRoot(file), 'utf8').includes('@mariozechner/'))
  assert.deepEqual(
    naming.filter((file) => !file.startsWith('src/host/')),
    [],
  )
})

test('no test outside the host and the end-to-end tests loads the agent library', () => {
  const wrong = sourceFiles('test')
    .filter((file) => !/^test\/(host|e2e|fixtures)\//.test(file))
    .flatMap(importsOf)
    .filter(({ to, relative }) => (!relative && isVendor(to)) || to === 'src/host/agent-host.js')
    .map(({ from, to }) => `${from} imports ${to}`)
  assert.deepEqual(wrong, [])
})

test('stored threads, logs and guard decisions are read without the agent library', () => {
  const entries = [
    'src/host/session/session-store.ts',
    'src/host/session/decode-entries.ts',
    'src/host/extensions/guards/decide.ts',
  ]
  for (const entry of entries) {
    const seen = new Set<string>()
    const queue = [entry]
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue
      seen.add(file)
      for (const { to, relative } of importsOf(file)) {
        assert.ok(relative || !isVendor(to), `${entry} loads ${to} through ${file}`)
        if (relative) queue.push(to.replace(/\.js$/, '.ts'))
      }
    }
    assert.ok(seen.size > 1, `${entry} imports nothing`)
  }
})
