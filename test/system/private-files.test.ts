import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { mkdirPrivate, writePrivateFile } from '../../src/system/private-files.js'

function makeDir(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-private-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('files and folders are the owner’s alone, whatever the umask', (t) => {
  const dir = makeDir(t)
  const before = process.umask(0)
  t.after(() => process.umask(before))
  writePrivateFile(join(dir, 'a', 'b', 'file'), 'text')
  assert.deepEqual(
    ['a', 'a/b', 'a/b/file'].map((path) => modeOf(join(dir, path))),
    [0o700, 0o700, 0o600],
  )
})

test('a folder that is there already keeps its mode', (t) => {
  const dir = join(makeDir(t), 'shared')
  mkdirSync(dir, { mode: 0o755 })
  mkdirPrivate(dir)
  assert.equal(modeOf(dir), 0o755)
})

test('a file is replaced whole, and nothing else is left beside it', (t) => {
  const dir = makeDir(t)
  const path = join(dir, 'file')
  writePrivateFile(path, 'a longer text')
  writePrivateFile(path, 'short')
  assert.equal(readFileSync(path, 'utf8'), 'short')
  assert.deepEqual(readdirSync(dir), ['file'])
})

test('a write that fails leaves the old file and no temporary one', (t) => {
  const dir = makeDir(t)
  mkdirSync(join(dir, 'taken'))
  assert.throws(() => writePrivateFile(join(dir, 'taken'), 'text'))
  assert.deepEqual(readdirSync(dir), ['taken'])
})
