// The bundle of the program itself: what is in it, and how it is split.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { boundedFiles } from './bounded-files.js'
import { directCore } from './direct-core.js'
import { leanFetch } from './lean-fetch.js'
import { leanStreams } from './lean-streams.js'
import { EXTERNAL, slimLibrary } from './slim-library.js'
import { slimParser } from './slim-parser.js'
import { slimParts } from './slim-parts.js'

/** What every bundle of ours has in common. @param {string} root */
export const commonOptions = (root) =>
  /** @type {const} */ ({
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    minify: true,
    write: false,
    logLevel: 'warning',
  })

/**
 * @param {string} root
 * @param {string} outdir
 * @param {{ sourcemap?: 'external' }} [options] `sourcemap`: where each piece of the chunks comes from, too
 */
export function buildProgram(root, outdir, options = {}) {
  // Each file of the core is a chunk of its own: a command evaluates only the schemas that it uses.
  const coreFiles = readdirSync(join(root, 'src/core')).map((name) => `src/core/${name}`)
  return build({
    ...commonOptions(root),
    ...options,
    ...(options.sourcemap === undefined ? {} : { sourcesContent: false }),
    metafile: true,
    legalComments: 'none',
    entryPoints: ['src/compose.ts', ...coreFiles],
    outdir,
    outbase: join(root, 'src'),
    splitting: true,
    format: 'esm',
    external: EXTERNAL,
    plugins: [
      slimLibrary(),
      slimParser(),
      slimParts(),
      leanFetch(root),
      leanStreams(root),
      boundedFiles(root),
      directCore(root),
    ],
    entryNames: '[dir]/[name]-[hash]',
    chunkNames: 'chunks/[name]-[hash]',
  })
}
