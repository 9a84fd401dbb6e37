#!/usr/bin/env node
'use strict'
// Runs the built program, or the sources through tsx in a checkout that was not built. The version is answered here:
// it is asked for by scripts, often, and needs none of the program.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

const [first, ...more] = process.argv.slice(2)

async function runSources() {
  const { register } = await import('tsx/esm/api')
  register()
  const { run } = await import(pathToFileURL(join(__dirname, '../src/compose.ts')).href)
  await run()
}

if (more.length === 0 && (first === '--version' || first === '-V' || first === '-v')) {
  process.stdout.write(`${JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')).version}\n`)
} else if (existsSync(join(__dirname, '../dist/start.cjs'))) {
  void require(join(__dirname, '../dist/start.cjs')).start()
} else {
  void runSources()
}
