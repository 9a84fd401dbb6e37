import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { createChunkLoader, type ChunkLoader } from '../../src/start/chunk-loader.js'
import { codeCacheOf, type CodeCache } from '../../src/start/code-cache.js'
import { holdYoungGeneration } from '../../src/system/young-generation.js'

const GIVEN = 'exports,require,module,__filename,__dirname,importMetaUrl,ensoImport'

function folder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-chunks-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, code] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), `(function(${GIVEN}){${code}\n})`, 'latin1')
  }
  return dir
}

function loaderOf(
  dist: string,
  cache: CodeCache = codeCacheOf(new Map()),
  packs: Readonly<Record<string, readonly string[]>> = {},
): ChunkLoader {
  const nativeRequire = createRequire(import.meta.url)
  return createChunkLoader({ dist, cache, packs, nativeRequire, nativeImport: (id) => import(id) })
}

const PACKS = { 'packs/1.cjs': ['a.cjs', 'chunks/b.cjs'], 'late/2.cjs': ['c.cjs'] }

/** A folder with two packs and a chunk beside them. */
function packedFolder(t: TestContext): string {
  const dist = folder(t, { 'd.cjs': 'exports.d = [require("./c.cjs").c, __filename]' })
  for (const name of ['packs', 'late']) mkdirSync(join(dist, name))
  const chunk = (code: string) => `function(${GIVEN}){${code}}`
  const b = chunk('exports.b = [importMetaUrl, __dirname]')
  writeFileSync(
    join(dist, 'packs/1.cjs'),
    `({"a.cjs":${chunk('exports.next = () => require("./chunks/b.cjs").b')},"chunks/b.cjs":${b}})`,
  )
  writeFileSync(join(dist, 'late/2.cjs'), `({"c.cjs":${chunk('exports.c = 3')}})`)
  return dist
}

test('chunks of a pack know their own places, and one file is read for all of them', (t) => {
  const dist = packedFolder(t)
  const loader = loaderOf(dist, undefined, PACKS)
  const { next } = loader.load('a.cjs') as { next: () => unknown }
  rmSync(join(dist, 'packs/1.cjs'))
  assert.deepEqual(next(), [pathToFileURL(join(dist, 'chunks/b.cjs')).href, join(dist, 'chunks')])
  assert.deepEqual(loader.load('d.cjs'), { d: [3, join(dist, 'd.cjs')] })
  assert.deepEqual([...loader.codeCache().names()].sort(), ['d.cjs', 'late/2.cjs', 'packs/1.cjs'])
})

test('a process that has read ahead does without the files of late packs, and says so of one that was gone before', (t) => {
  const dist = packedFolder(t)
  const kept = loaderOf(dist, undefined, PACKS)
  kept.load('a.cjs')
  kept.readAhead()
  const late = loaderOf(dist, undefined, PACKS)
  for (const name of ['packs', 'late']) rmSync(join(dist, name), { recursive: true })
  assert.deepEqual(kept.load('c.cjs'), { c: 3 })
  late.readAhead()
  assert.throws(() => late.load('a.cjs'), /ENOENT/)
  assert.throws(() => late.load('c.cjs'), /ENOENT/)
})

test('a chunk finds its neighbours, Node’s modules, and its own place', (t) => {
  const dist = folder(t, {
    'entry.cjs': 'module.exports = { place: [__filename, __dirname, importMetaUrl], next: require("./chunks/a.cjs") }',
    'chunks/a.cjs': 'exports.up = require("./b.cjs"); exports.sep = require("node:path").sep',
    'b.cjs': 'exports.text = "caf\xe9"',
  })
  const filename = join(dist, 'entry.cjs')
  assert.deepEqual(loaderOf(dist).load('entry.cjs'), {
    place: [filename, dist, pathToFileURL(filename).href],
    next: { up: { text: 'café' }, sep: '/' },
  })
})

test('a chunk is run once; two that ask for each other get what is there; one that failed is run anew', (t) => {
  const dist = folder(t, {
    'a.cjs': 'exports.early = 1; exports.b = require("./b.cjs"); exports.late = 2',
    'b.cjs': 'exports.seen = { ...require("./a.cjs") }',
    'bad.cjs':
      'globalThis.chunkTries = (globalThis.chunkTries ?? 0) + 1; throw new Error("bad " + globalThis.chunkTries)',
  })
  const { load } = loaderOf(dist)
  const a = load('a.cjs') as { b: { seen: object } }
  assert.equal(load('a.cjs'), a)
  assert.deepEqual(Object.keys(a.b.seen), ['early'])
  assert.throws(() => load('bad.cjs'), /bad 1/)
  assert.throws(() => load('bad.cjs'), /bad 2/)
})

test('a chunk imports modules of the other kind, and packages by their URL', async (t) => {
  const dist = folder(t, {
    'a.cjs': 'exports.import = ensoImport; exports.require = require',
  })
  const module = join(dist, 'late.mjs')
  writeFileSync(module, 'export const answer = await Promise.resolve(42)')
  writeFileSync(join(dist, 'package.cjs'), 'exports.plain = true')
  const { import: imported, require } = loaderOf(dist).load('a.cjs') as {
    import: (id: string) => Promise<{ answer: number }>
    require: (id: string) => unknown
  }
  assert.equal((await imported(pathToFileURL(module).href)).answer, 42)
  assert.deepEqual(require(pathToFileURL(join(dist, 'package.cjs')).href), { plain: true })
})

test('what V8 made of a chunk spares the next loader the compiling', (t) => {
  const dist = folder(t, { 'a.cjs': 'exports.f = function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) }' })
  const first = loaderOf(dist)
  const { f } = first.load('a.cjs') as { f: (n: number) => number }
  assert.equal(f(10), 55)
  assert.ok(first.compiled() > 0)
  const second = loaderOf(dist, first.codeCache())
  assert.equal((second.load('a.cjs') as { f: (n: number) => number }).f(10), 55)
  assert.equal(second.compiled(), 0)
  assert.equal(second.refused(), false)
})

test('a cache of other code is refused and said to be, and the chunk runs all the same', (t) => {
  const other = loaderOf(folder(t, { 'a.cjs': 'exports.a = "another, longer one"' }))
  other.load('a.cjs')
  const loader = loaderOf(folder(t, { 'a.cjs': 'exports.a = 1' }), other.codeCache())
  assert.deepEqual(loader.load('a.cjs'), { a: 1 })
  assert.equal(loader.refused(), true)
})

test('what V8 has kept is taken, and good for others, also when the young generation is held', (t) => {
  const dist = folder(t, { 'entry.cjs': 'module.exports = [1, 2, 3].map((n) => n * 2)' })
  const before = loaderOf(dist)
  before.load('entry.cjs')
  const cache = before.codeCache()
  holdYoungGeneration()
  const held = loaderOf(dist, cache)
  assert.deepEqual(held.load('entry.cjs'), [2, 4, 6])
  assert.deepEqual([held.refused(), held.compiled()], [false, 0])
  const kept = loaderOf(dist, held.codeCache())
  kept.load('entry.cjs')
  assert.equal(kept.refused(), false)
})

test('what is kept of a script stays as it is where only what is lacking is added', (t) => {
  const dist = folder(t, { 'a.cjs': 'exports.late = (n) => n > 0 ? exports.late(n - 1) : n', 'b.cjs': 'exports.b = 1' })
  const first = loaderOf(dist)
  first.load('a.cjs')
  const cache = first.codeCache()
  const second = loaderOf(dist, cache)
  const { late } = second.load('a.cjs') as { late: (n: number) => number }
  late(3)
  second.load('b.cjs')
  const [kept, grown] = [second.codeCache('under'), second.codeCache('over')]
  assert.deepEqual(kept.get('a.cjs'), cache.get('a.cjs'))
  assert.ok(Number(grown.get('a.cjs')?.length) > Number(cache.get('a.cjs')?.length))
  assert.deepEqual([...kept.names()].sort(), ['a.cjs', 'b.cjs'])
})
