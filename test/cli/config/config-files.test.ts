import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { findWorkspaceConfig, readUserConfig } from '../../../src/cli/config/config-files.js'
import { EnsoError } from '../../../src/core/index.js'

const CONFIG = JSON.stringify({ webFetch: { allowedHosts: ['a.example'] } })

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'enso-config-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function faultOf(work: () => unknown): EnsoError {
  try {
    work()
  } catch (error) {
    if (error instanceof EnsoError) return error
  }
  throw new Error('no fault')
}

test('no file is an empty configuration of the person', (t) => {
  assert.deepEqual(readUserConfig(join(folder(t), 'config.json')), {})
})

test('a file of the person that is no JSON, or has an unknown key, is a fault that names it', (t) => {
  const file = join(folder(t), 'config.json')
  writeFileSync(file, '{\n  "color": "never"\n  "x": 1 }')
  const broken = faultOf(() => readUserConfig(file))
  assert.equal(broken.code, 'bad-config')
  assert.match(broken.message, /config\.json: not JSON: line 3, column 3/)
  writeFileSync(file, '{ "colour": "never" }')
  assert.match(faultOf(() => readUserConfig(file)).message, /config\.json: .*colour/)
})

test('a file that is there and can not be read is a fault, not an absence', (t) => {
  const dir = folder(t)
  assert.equal(faultOf(() => readUserConfig(dir)).code, 'bad-config')
})

test('the configuration of the workspace is the nearest one up to the root of its repository', (t) => {
  const dir = folder(t)
  const inner = join(dir, 'repo', 'packages', 'one')
  mkdirSync(inner, { recursive: true })
  mkdirSync(join(dir, 'repo', '.git'))
  writeFileSync(join(dir, 'enso.config.json'), CONFIG)
  assert.equal(findWorkspaceConfig(inner), undefined)
  writeFileSync(join(dir, 'repo', 'enso.config.json'), CONFIG)
  assert.equal(findWorkspaceConfig(inner)?.file, join(dir, 'repo', 'enso.config.json'))
  writeFileSync(join(inner, 'enso.config.json'), CONFIG)
  assert.equal(findWorkspaceConfig(inner)?.file, join(inner, 'enso.config.json'))
})

test('outside a repository only the folder itself counts', (t) => {
  const dir = folder(t)
  mkdirSync(join(dir, 'inner'))
  writeFileSync(join(dir, 'enso.config.json'), CONFIG)
  assert.equal(findWorkspaceConfig(join(dir, 'inner')), undefined)
  assert.deepEqual(findWorkspaceConfig(dir)?.config.webFetch.allowedHosts, ['a.example'])
})

test('a broken configuration of the workspace is a fault with an example of a good one', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'enso.config.json'), '{ "webFetch": { "allowedHosts": "all" } }')
  const fault = faultOf(() => findWorkspaceConfig(dir))
  assert.equal(fault.code, 'bad-config')
  assert.match(fault.hint ?? '', /allowedHosts/)
})
