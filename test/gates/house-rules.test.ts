import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../support/root.js'
import { sourceFiles } from '../support/source-imports.js'

const sources = sourceFiles().map((file) => ({ file, text: readFileSync(inRoot(file), 'utf8') }))

test('no source file is over 300 lines', () => {
  const long = sources.filter(({ text }) => text.split('\n').length > 301).map(({ file }) => file)
  assert.deepEqual(long, [])
  assert.ok(sources.length > 50, `found only ${sources.length} files`)
})

test('no source ends the process or prints by itself, outside the command line and its wiring', () => {
  const wrong = sources
    .filter(({ file }) => !/^src\/(cli|page|compose)/.test(file))
    .filter(({ text }) => /\bprocess\.exit\(|\bconsole\.\w+\(/.test(text))
  assert.deepEqual(
    wrong.map(({ file }) => file),
    [],
  )
})

test('nothing is left to do in the code', () => {
  const left = sources.filter(({ text }) => /\b(?:TODO|FIXME|HACK)\b/.test(text)).map(({ file }) => file)
  assert.deepEqual(left, [])
})
