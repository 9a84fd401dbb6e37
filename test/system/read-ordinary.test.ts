import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readOrdinaryFile } from '../../src/system/read-ordinary.js'

test('an ordinary file is read; a pipe, a device, a folder and a large file are refused at once', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'enso-ordinary-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string): string => join(folder, name)
  writeFileSync(at('file'), 'text')
  symlinkSync('file', at('link'))
  symlinkSync('/dev/zero', at('endless'))
  execFileSync('mkfifo', [at('pipe')])
  for (const name of ['file', 'link']) assert.equal(readOrdinaryFile(at(name), 4), 'text')
  for (const [path, code] of [
    [at('file'), 'EFBIG'],
    [at('endless'), 'EINVAL'],
    [at('pipe'), 'EINVAL'],
    [folder, 'EINVAL'],
    [at('missing'), 'ENOENT'],
  ] as const) {
    assert.throws(() => readOrdinaryFile(path, 3), { code }, path)
  }
})
