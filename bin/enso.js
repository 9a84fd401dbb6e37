#!/usr/bin/env node
// Runs the built program, or the sources through tsx in a checkout that was not built.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const built = new URL('../dist/compose.js', import.meta.url)
if (existsSync(fileURLToPath(built))) {
  await (await import(built.href)).run()
} else {
  const { register } = await import('tsx/esm/api')
  register()
  await (await import(new URL('../src/compose.ts', import.meta.url).href)).run()
}
