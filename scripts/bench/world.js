// The one endpoint and the one private home that every program of a benchmark run gets.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { installedAgents } from './agents/installed.js'
import { startEndpoint } from './endpoint.js'
import { createScratch } from './scratch.js'
import { leanFetch } from '../bundle/lean-fetch.js'
import { leanStreams } from '../bundle/lean-streams.js'
import { EXTERNAL, slimLibrary } from '../bundle/slim-library.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The minimal script on the library as enso bundles it.
 * @param {string} outdir
 * @param {readonly import('esbuild').Plugin[]} plugins
 */
async function bundleMinimal(outdir, plugins) {
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/bench/programs/minimal-pi.js'],
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    minify: true,
    external: EXTERNAL,
    plugins: [...plugins],
    banner: {
      js: "import { createRequire as benchRequire } from 'node:module'; const require = benchRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return join(outdir, 'minimal-pi.js')
}

/**
 * A home with nothing in it but the endpoint as provider `local`, for enso and for pi.
 * @param {{ minimal?: boolean }} [options] `minimal`: with the minimal script, whose bundling takes a while
 */
export async function createWorld({ minimal = false } = {}) {
  const scratch = createScratch('enso-bench-')
  const { dir } = scratch
  const server = await startEndpoint(dir)
  // Beside node_modules, for what stays outside the bundle.
  const bundled = scratch.owns(join(root, '.test-build', `bench-${process.pid}`))
  const home = join(dir, 'home')
  const [ensoHome, piDir, cwd, tmp] = [join(home, '.enso'), join(home, 'pi'), join(dir, 'work'), join(dir, 'tmp')]
  for (const folder of [join(ensoHome, 'agent'), piDir, cwd, tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const folder of [join(ensoHome, 'agent'), piDir]) {
    writeFileSync(join(folder, 'models.json'), JSON.stringify(server.modelsJson()))
  }
  const extension = join(dir, 'extension.ts')
  writeFileSync(extension, "import { Type } from 'typebox'\nexport default (pi) => void [pi, Type.String()]\n")
  return {
    server,
    scratch,
    cwd,
    /** A file that does nothing but load a library. */
    extension,
    agents: installedAgents(server.url, home, process.env['PATH'] ?? ''),
    /** Slimmed, and nothing else. */
    bundledMinimal: minimal ? await bundleMinimal(join(bundled, 'slim'), [slimLibrary()]) : '',
    /** With enso's own way of reading a model's wire, too. */
    leanMinimal: minimal
      ? await bundleMinimal(join(bundled, 'lean'), [slimLibrary(), leanFetch(root), leanStreams(root)])
      : '',
    /** A clean environment: an inherited NODE_EXTRA_CA_CERTS alone costs every start 0.1 s. */
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: tmp,
      LANG: 'C.UTF-8',
      ENSO_HOME: ensoHome,
      PI_CODING_AGENT_DIR: piDir,
      PI_OFFLINE: '1',
      PI_TELEMETRY: '0',
      BENCH_URL: server.url,
    },
    close: () => server.close(),
  }
}
