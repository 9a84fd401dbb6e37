#!/usr/bin/env node
// Runs the built program, or the sources through tsx in a checkout that was not built. The version is answered here:
// it is asked for by scripts, often, and needs none of the program.
import { existsSync, readFileSync } from 'node:fs'

/** @param {string} path */
const here = (path) => new URL(path, import.meta.url)
const [first, ...more] = process.argv.slice(2)

if (more.length === 0 && (first === '--version' || first === '-V' || first === '-v')) {
  process.stdout.write(`${JSON.parse(readFileSync(here('../package.json'), 'utf8')).version}\n`)
} else if (existsSync(here('../dist/compose.js'))) {
  await (await import(here('../dist/compose.js').href)).run()
} else {
  const { register } = await import('tsx/esm/api')
  register()
  await (await import(here('../src/compose.ts').href)).run()
}
