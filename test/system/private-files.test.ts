import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { mkdirPrivate, writePrivateFile } from '../../src/system/private-files.js'
import { inRoot } from '../support/root.js'

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

test('a place where no folder can be made is a fault at once: a file in the way, a file system without folders', (t) => {
  const dir = makeDir(t)
  writePrivateFile(join(dir, 'file'), 'text')
  assert.throws(() => mkdirPrivate(join(dir, 'file', 'below')), { code: 'ENOTDIR' })
  const started = spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `import { mkdirPrivate } from '${inRoot('src/system/private-files.ts')}'
       try { mkdirPrivate('/proc/enso/agent') } catch (error) { console.log(error.code) }`,
    ],
    // Where it never ends, no signal but this one ends it.
    { cwd: inRoot(), encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' },
  )
  assert.equal(started.stdout, 'ENOENT\n', started.stderr)
})
