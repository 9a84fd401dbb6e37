// Builds dist/: enso and everything it loads in one bundle, split so that a command loads only what it uses, and the
// browser page.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPage } from './build-page.js'
import { buildName, chunksOf } from './bundle/chunks.js'
import { leanFetch } from './bundle/lean-fetch.js'
import { EXTERNAL, slimLibrary } from './bundle/slim-library.js'
import { slimParts } from './bundle/slim-parts.js'
import { slimParser } from './bundle/slim-parser.js'

/** Files of an earlier build stay this long (milliseconds): a program started from it goes on finding them. */
const STALE_AFTER_MS = 10 * 60_000

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const common = /** @type {const} */ ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  write: false,
  logLevel: 'warning',
})

/** @param {string} name @param {string} text */
function put(name, text) {
  const file = join(dist, name)
  mkdirSync(dirname(file), { recursive: true })
  // Whoever starts the program meanwhile finds the old file or the new one.
  writeFileSync(`${file}.${process.pid}`, text, 'latin1')
  renameSync(`${file}.${process.pid}`, file)
  return file
}

const { outputFiles } = await build({
  ...common,
  entryPoints: ['src/compose.ts'],
  outdir: dist,
  splitting: true,
  format: 'esm',
  external: EXTERNAL,
  plugins: [slimLibrary(), slimParser(), slimParts(), leanFetch(root)],
  entryNames: '[name]-[hash]',
  chunkNames: 'chunks/[name]-[hash]',
})
const chunks = await chunksOf(outputFiles, dist)
const entry = chunks.find(({ name }) => name.startsWith('compose-'))
if (!entry) throw new Error('the bundle has no entry')
const name = buildName(chunks)
const { outputFiles: starters } = await build({
  ...common,
  entryPoints: ['src/start/start.ts'],
  format: 'cjs',
  define: { ENSO_ENTRY: JSON.stringify(entry.name), ENSO_BUILD: JSON.stringify(name) },
})

const page = await buildPage()
const made = new Set([
  ...page.files.map((file) => join(root, file)),
  ...chunks.map(({ name, code }) => put(name, code)),
  ...starters.map(({ text }) => put('start.cjs', text)),
])
for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (!entry.isFile() || made.has(file) || entry.name.startsWith(name)) continue
  if (statSync(file).mtimeMs < Date.now() - STALE_AFTER_MS) rmSync(file)
}
