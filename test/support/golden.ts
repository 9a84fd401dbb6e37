import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { inRoot } from './root.js'

/** Compares with what is kept under test/fixtures/golden; `UPDATE_GOLDEN=1` keeps the new text instead, to be read. */
export function assertGolden(name: string, text: string): void {
  const file = inRoot('test/fixtures/golden', name)
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  assert.equal(text, readFileSync(file, 'utf8'), name)
}
