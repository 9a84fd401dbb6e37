import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { inRoot } from '../support/root.js'
import { createPlace } from '../support/run-enso.js'

type Areas = Readonly<Record<string, number>>
interface Row {
  readonly area: string
  readonly ms: number
  readonly share: number
}

const load = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bench/profile', file)).href)
const { areasOf, largest } = (await load('areas.js')) as {
  areasOf(profile: object, originOf: (place: { url: string }) => string | undefined): Areas
  largest(runs: readonly Areas[], most?: number): readonly Row[]
}
interface Chunk {
  readonly name: string
  readonly code: string
}
const { originIn } = (await load('origins.js')) as {
  originIn(text: string, chunks: readonly Chunk[]): (line: number, column: number) => string | undefined
}
const bundle = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bundle', file)).href)
const { chunksOf } = (await bundle('chunks.js')) as {
  chunksOf(built: object, root: string, outdir: string): Promise<readonly Chunk[]>
}
const { packOf } = (await bundle('packs.js')) as { packOf(chunks: readonly Chunk[]): Chunk }

const node = (id: number, url: string, functionName = 'f'): object => ({
  id,
  callFrame: { url, functionName, lineNumber: 0, columnNumber: 0 },
})

test('self time is summed by folder of ours, by package, by Node’s modules and by what V8 does', () => {
  const profile = {
    nodes: [
      node(1, '', '(garbage collector)'),
      node(2, 'node:internal/fs/utils'),
      node(3, 'file:///x/dist/chunks/a-12345678.cjs'),
      node(4, 'file:///x/dist/chunks/b-12345678.cjs'),
      node(5, 'file:///x/dist/chunks/c-12345678.cjs'),
      node(6, 'node:vm'),
    ],
    samples: [1, 2, 3, 3, 4, 5, 6],
    timeDeltas: [1000, 2000, 500, 500, 4000, 250, 8000],
  }
  const origins: Readonly<Record<string, string>> = {
    'file:///x/dist/chunks/a-12345678.cjs': '../../src/host/session/read.ts',
    'file:///x/dist/chunks/b-12345678.cjs': '../../node_modules/@a/b/src/core/c.ts',
  }
  assert.deepEqual(
    areasOf(profile, ({ url }) => origins[url]),
    {
      'garbage collection': 1,
      'Node: fs': 2,
      'src/host/session': 1,
      '@a/b': 4,
      'evaluating chunks of the bundle': 0.25,
      'taking compiled scripts from the cache (node:vm)': 8,
    },
  )
})

test('the largest areas are shown a run, the rest as one, and waiting is no time that goes anywhere', () => {
  const rows = largest(
    [
      { a: 6, b: 1, c: 1, waiting: 90 },
      { a: 10, b: 1, c: 1 },
    ],
    1,
  )
  assert.deepEqual(rows, [
    { area: 'a', ms: 8, share: 0.8 },
    { area: '2 more', ms: 2, share: 0.2 },
  ])
})

test('a place in a chunk, alone or packed with others, is found in a build with maps, which has other names', async (t) => {
  const { root, write } = await createPlace(t)
  const word = (name: string): string =>
    `export function ${name}(text: string): string { return text + ${JSON.stringify(name.repeat(9))} }\n`
  await write('src/one.ts', word('one'))
  await write('src/two.ts', word('two'))
  await write(
    'src/main.ts',
    `import { one } from './one.js'\nimport { two } from './two.js'\nconsole.log(one(two('x')))\n`,
  )
  await write('src/other.ts', `console.log('other')\n`)
  const outdir = join(root, 'dist')
  const chunks = async (sourcemap: object): Promise<readonly Chunk[]> => {
    const built = await build({
      absWorkingDir: root,
      entryPoints: ['src/main.ts', 'src/other.ts'],
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      metafile: true,
      write: false,
      entryNames: '[name]-[hash]',
      ...sourcemap,
    })
    return chunksOf(built, root, outdir)
  }
  const [plain, mapped] = [await chunks({}), await chunks({ sourcemap: 'external' })]
  const main = plain.find(({ name }) => name.startsWith('main-'))!
  for (const { code } of [main, packOf(plain), packOf(plain.toReversed())]) {
    const lines = code.split('\n')
    const originOf = originIn(code, mapped)
    for (const name of ['one', 'two']) {
      const line = lines.findIndex((text) => text.includes(name.repeat(9)))
      const origin = originOf(line, lines[line]!.indexOf(name.repeat(9)))
      assert.equal(origin?.replace(/.*\//, ''), `${name}.ts`)
    }
  }
})
