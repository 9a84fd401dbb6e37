// Leaves a working `enso` after a plain `npm ci`; without the dev dependencies there is nothing to build with, and
// the shipped dist/ is used as it is. What is packed holds nothing of an earlier build.
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if (existsSync(`${root}node_modules/esbuild`) && existsSync(`${root}src/compose.ts`)) {
  if (/^(?:pack|publish)$/.test(process.env['npm_command'] ?? ''))
    rmSync(`${root}dist`, { recursive: true, force: true })
  await import('./build.js')
  try {
    await import('./warm.js')
  } catch (error) {
    // The program works without; its first start does what this would have done.
    console.error(`enso was built, but not run: ${error instanceof Error ? error.message : String(error)}`)
  }
}
