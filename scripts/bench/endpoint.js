// The scripted model server of the tests, for programs that are plain JavaScript.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** @returns {Promise<import('../../test/support/model-server.js').ModelServer>} */
export async function startEndpoint() {
  const dir = mkdtempSync(join(tmpdir(), 'enso-endpoint-'))
  const outfile = join(dir, 'model-server.mjs')
  try {
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
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
