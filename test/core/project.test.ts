import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isEnsoProjectId } from '../../src/core/index.js'
import { projectIdOf } from '../../src/system/project-id.js'

test('every id made from a path is a project id', () => {
  for (const path of [
    '/',
    '/srv/repo',
    '/home/me/Ünïcode project',
    `/x/${'long'.repeat(40)}`,
    '/a/---',
    'C:\\work\\repo',
  ]) {
    assert.ok(isEnsoProjectId(projectIdOf(path)), projectIdOf(path))
  }
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (path) => isEnsoProjectId(projectIdOf(`/${path}`))))
})

test('nothing that could leave a folder is a project id', () => {
  for (const id of ['', '.', '..', 'a/b', 'a_b', 'A', '-a', 'a-', 'a'.repeat(65), 'a\n', 3, null, undefined]) {
    assert.equal(isEnsoProjectId(id), false, String(id))
  }
})
