// The bundle of the program itself: what is in it, and how it is split.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { boundedFiles } from './bounded-files.js'
import { directCore } from './direct-core.js'
import { lazyModels } from './lazy-models.js'
import { leanFetch } from './lean-fetch.js'
import { leanStreams } from './lean-streams.js'
import { EXTERNAL, slimLibrary } from './slim-library.js'
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

/** Packages that a run may never use, or only one part of which it uses. */
const LATE_PACKAGES = [
  '@logtape/logtape',
  '@mariozechner/pi-ai/dist/models.generated.js',
  'cc-safety-net/api',
  'glob',
  'hosted-git-info',
  'minimatch',
  'proper-lockfile',
  'typebox/compile',
  'typebox/value',
  'yaml',
].map((name) => (name.endsWith('.js') ? `node_modules/${name}` : name))

/**
 * Each a chunk of its own, evaluated by its first use: the schemas of the core, what takes shell commands apart, packages.
 * @param {string} root
 */
function lateParts(root) {
  const files = ['src/core', 'src/host/extensions/guards'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  )
  return [...files, 'src/host/extensions/guards/bash/judge-command.ts', ...LATE_PACKAGES].map((file) => ({
    in: file,
    out: file.replace(/^src\/|\.ts$/g, ''),
  }))
}

/**
 * @param {string} root
 * @param {string} outdir
 * @param {{ sourcemap?: 'external' }} [options] `sourcemap`: where each piece of the chunks comes from, too
 */
export function buildProgram(root, outdir, options = {}) {
  return build({
    ...commonOptions(root),
    ...options,
    ...(options.sourcemap === undefined ? {} : { sourcesContent: false }),
    metafile: true,
    legalComments: 'none',
    entryPoints: [{ in: 'src/compose.ts', out: 'compose' }, ...lateParts(root)],
    outdir,
    splitting: true,
    format: 'esm',
    external: EXTERNAL,
    plugins: [
      slimLibrary(),
      lazyModels(),
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
