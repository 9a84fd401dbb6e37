// Leaves a working `enso` after a plain `npm ci`; without the dev dependencies there is nothing to build with, and
// the shipped dist/ is used as it is.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
if (existsSync(`${root}node_modules/esbuild`) && existsSync(`${root}src/compose.ts`)) {
  await import('./build.js')
}
