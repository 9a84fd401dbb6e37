#!/usr/bin/env node
'use strict'
// Runs the built program, or the sources through tsx in a checkout that was not built. The version is answered here:
// it is asked for by scripts, often, and needs none of the program.
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

const [first, ...more] = process.argv.slice(2)

async function runSources() {
  const { register } = await import('tsx/esm/api')
  register()
  const { pathToFileURL } = require('node:url')
  const { run } = await import(pathToFileURL(join(__dirname, '../src/compose.ts')).href)
  await run()
}

async function run() {
  const start = join(__dirname, '../dist/start.cjs')
  await (existsSync(start) ? require(start).start() : runSources())
}

/** Nothing of the program is there yet to say this better. @param {unknown} error */
function notStarted(error) {
  const reason = error instanceof Error ? error.message : String(error)
  const [line] = reason.split('\n')
  process.exitCode = 1
  process.stderr.write(`enso: the program could not be started: ${line}\n`)
  if (process.env['ENSO_TRACE'] === '1') process.stderr.write(`${error instanceof Error ? error.stack : reason}\n`)
  else process.stderr.write('  ENSO_TRACE=1 shows where; installing enso again may help\n')
}

/** As for every command: a reader that left is quiet. @param {NodeJS.ErrnoException} error */
function notWritten({ code }) {
  process.exitCode = code === 'EPIPE' ? 141 : 1
  if (code !== 'EPIPE') process.stderr.write(`enso: standard output can't be written: ${code}\n`)
}

if (more.length === 0 && (first === '--version' || first === '-V' || first === '-v')) {
  process.stdout.on('error', notWritten)
  process.stdout.write(`${JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')).version}\n`)
} else {
  run().catch(notStarted)
}
