// The scripted model server of the tests, for programs that are plain JavaScript.
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** @param {string} dir where it is built @returns {Promise<import('../../test/support/model-server.js').ModelServer>} */
export async function startEndpoint(dir) {
  const outfile = join(dir, 'model-server.mjs')
  await build({
    absWorkingDir: fileURLToPath(new URL('../..', import.meta.url)),
    entryPoints: ['test/support/model-server.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  })
  return (await import(pathToFileURL(outfile).href)).startModelServer()
}
