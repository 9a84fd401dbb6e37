// The one endpoint and the one private home that every program of a benchmark run gets.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { otherAgents } from './other-agents.js'
import { startEndpoint } from './endpoint.js'
import { EXTERNAL, slimLibrary } from '../bundle/slim-library.js'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The minimal script on the same bundled library that enso ships, beside node_modules for what stays outside. */
async function bundleMinimal() {
  const outdir = join(root, '.test-build', `bench-${process.pid}`)
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
    plugins: [slimLibrary()],
    banner: {
      js: "import { createRequire as benchRequire } from 'node:module'; const require = benchRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  return outdir
}

/** A home with nothing in it but the endpoint as provider `local`, for enso and for pi. */
export async function createWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'enso-bench-'))
  const server = await startEndpoint()
  const bundled = await bundleMinimal()
  const home = join(dir, 'home')
  const [ensoHome, piDir, cwd] = [join(home, '.enso'), join(home, 'pi'), join(dir, 'work')]
  for (const folder of [join(ensoHome, 'agent'), piDir, cwd]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const folder of [join(ensoHome, 'agent'), piDir]) {
    writeFileSync(join(folder, 'models.json'), JSON.stringify(server.modelsJson()))
  }
  const extension = join(dir, 'extension.ts')
  writeFileSync(extension, "import { Type } from 'typebox'\nexport default (pi) => void [pi, Type.String()]\n")
  return {
    server,
    cwd,
    /** A file that does nothing but load a library. */
    extension,
    others: otherAgents(server.url, home),
    bundledMinimal: join(bundled, 'minimal-pi.js'),
    /** A clean environment: an inherited NODE_EXTRA_CA_CERTS alone costs every start 0.1 s. */
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      LANG: 'C.UTF-8',
      ENSO_HOME: ensoHome,
      PI_CODING_AGENT_DIR: piDir,
      PI_OFFLINE: '1',
      PI_TELEMETRY: '0',
      BENCH_URL: server.url,
    },
    close: async () => {
      await server.close()
      for (const folder of [dir, bundled]) rmSync(folder, { recursive: true, force: true })
    },
  }
}
