import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../support/root.js'

test('every promise of the contract names a test that exists', () => {
  const page = readFileSync(inRoot('docs/guide/contract.md'), 'utf8')
  const promises = page.split(/^- /m).slice(1)
  assert.ok(promises.length >= 35, `found only ${promises.length} promises`)
  for (const promise of promises) {
    const [, file, title] = /^ {2}`(test\/[\w/.-]+)`: (.+)$/m.exec(promise) ?? []
    assert.ok(file !== undefined && title !== undefined, `no test is named for: ${promise}`)
    assert.ok(existsSync(inRoot(file)), file)
    assert.ok(readFileSync(inRoot(file), 'utf8').includes(title), `${file} has no test: ${title}`)
  }
})
