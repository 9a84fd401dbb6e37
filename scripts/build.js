// Builds dist/: enso and everything it loads in one bundle, split so that a command loads only what it uses, and the
// browser page.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildPage } from './build-page.js'
import { EXTERNAL, slimLibrary } from './bundle/slim-library.js'
import { slimParser } from './bundle/slim-parser.js'

/** Chunks of an earlier build stay this long (milliseconds): a program started from it goes on finding them. */
const STALE_AFTER_MS = 10 * 60_000

const root = fileURLToPath(new URL('..', import.meta.url))
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { compose: 'src/compose.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  metafile: true,
  external: EXTERNAL,
  plugins: [slimLibrary(), slimParser()],
  // CommonJS packages inside the bundle ask for node's own modules by require.
  banner: {
    js: "import { createRequire as ensoRequire } from 'node:module'; const require = ensoRequire(import.meta.url);",
  },
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
})

const page = await buildPage()
const made = new Set([...Object.keys(metafile.outputs), ...page.files].map((file) => join(root, file)))
for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name)
  if (!entry.isFile() || made.has(file)) continue
  if (statSync(file).mtimeMs < Date.now() - STALE_AFTER_MS) rmSync(file)
}
