import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import * as library from '@mariozechner/pi-coding-agent'
import { inRoot } from '../support/root.js'

const script = async (name: string): Promise<unknown> => import(pathToFileURL(inRoot(`scripts/bundle/${name}.js`)).href)
const { lazyModels } = (await script('lazy-models')) as { lazyModels(): Plugin }
const { EXTERNAL, slimLibrary } = (await script('slim-library')) as { EXTERNAL: string[]; slimLibrary(): Plugin }

type Library = Pick<typeof library, 'AuthStorage' | 'ModelRegistry'>

/** A folder for files, and in it the library as it is bundled. */
mkdirSync(inRoot('.test-build'), { recursive: true })
const dir = mkdtempSync(inRoot('.test-build/lean-library-'))
after(() => rmSync(dir, { recursive: true, force: true }))
await build({
  stdin: { contents: "export * from '@mariozechner/pi-coding-agent'", resolveDir: inRoot('.') },
  outdir: dir,
  entryNames: 'library',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  external: EXTERNAL,
  plugins: [slimLibrary(), lazyModels()],
  banner: { js: "import { createRequire as of } from 'node:module'; const require = of(import.meta.url);" },
  logLevel: 'error',
})
const lean = (await import(pathToFileURL(join(dir, 'library.js')).href)) as Library

const MODELS = {
  providers: {
    anthropic: { baseUrl: 'http://127.0.0.1:1' },
    local: {
      baseUrl: 'http://127.0.0.1:2',
      api: 'openai-completions',
      apiKey: 'none',
      models: [{ id: 'x' }, { id: 'x/y' }],
    },
    openai: { models: [{ id: 'gpt-4o', name: 'mine' }] },
  },
}

test('models are the same, and in the same order, whether one is looked for or all are listed', () => {
  const file = join(dir, 'models.json')
  for (const text of [JSON.stringify(MODELS), '{}', '{"providers":{"a":{"models":[{"id":""}]}}}']) {
    writeFileSync(file, text)
    const registryOf = ({ AuthStorage, ModelRegistry }: Library) => ModelRegistry.create(AuthStorage.inMemory(), file)
    const whole = registryOf(library)
    for (const [provider, id] of [
      ['local', 'x/y'],
      ['openai', 'gpt-4o'],
      ['anthropic', whole.getAll().find((model) => model.provider === 'anthropic')?.id],
      ['nobody', 'x'],
      ['constructor', 'name'],
    ] as const) {
      const lazy = registryOf(lean)
      assert.deepEqual(lazy.find(provider, String(id)), whole.find(provider, String(id)))
      assert.equal((lazy as unknown as { made: unknown }).made, undefined)
    }
    const lazy = registryOf(lean)
    assert.deepEqual(lazy.getAll(), whole.getAll())
    assert.equal(lazy.getError(), whole.getError())
    for (const registry of [lazy, whole]) registry.registerProvider('openai', { baseUrl: 'http://127.0.0.1:3' })
    assert.deepEqual(lazy.getAll(), whole.getAll())
    for (const registry of [lazy, whole]) registry.refresh()
    assert.deepEqual(lazy.find('openai', 'gpt-4o'), whole.find('openai', 'gpt-4o'))
    assert.deepEqual(lazy.getAll(), whole.getAll())
  }
})

test('credentials that stand whole in their file are read beside a lock, others behind it', () => {
  const file = join(dir, 'auth.json')
  const read = () => {
    const storage = lean.AuthStorage.create(file)
    return { found: storage.list(), errors: storage.drainErrors().length }
  }
  mkdirSync(`${file}.lock`)
  writeFileSync(file, '{"openai":{"type":"api_key","key":"k"}}')
  assert.deepEqual(read(), { found: ['openai'], errors: 0 })
  for (const torn of ['', '{"openai":{"type":"api', '[]', 'null', '1']) {
    writeFileSync(file, torn)
    assert.deepEqual(read(), { found: [], errors: 1 })
  }
  rmSync(`${file}.lock`, { recursive: true })
  writeFileSync(file, '')
  assert.deepEqual(read(), { found: [], errors: 0 })
})
