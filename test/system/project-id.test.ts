import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isEnsoProjectId } from '../../src/core/index.js'
import { canonicalPath, projectIdOf } from '../../src/system/project-id.js'

test('a project’s id is readable, and its path alone decides it', () => {
  assert.match(projectIdOf('/home/me/My Shop'), /^my-shop-[0-9a-f]{12}$/)
  assert.equal(projectIdOf('/a/b'), projectIdOf('/a/b'))
  assert.notEqual(projectIdOf('/a/b'), projectIdOf('/c/b'))
})

test('every path has an id that is safe as the name of a folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const id = projectIdOf(`/${name}`)
      assert.ok(isEnsoProjectId(id), id)
    }),
  )
})

test('a path behind a link is the folder it leads to; one that is not there stays itself', (t) => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'enso-project-')))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'real'))
  symlinkSync(join(dir, 'real'), join(dir, 'link'))
  assert.equal(canonicalPath(join(dir, 'link')), join(dir, 'real'))
  assert.equal(canonicalPath(join(dir, 'gone')), join(dir, 'gone'))
})
