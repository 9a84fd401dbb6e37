import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ENSO_CONFIG_EXAMPLE, ENSO_CONFIG_FILENAME, parseEnsoConfig } from '../../src/core/index.js'
import { inRoot } from '../support/root.js'

function reason(text: string): string {
  const result = parseEnsoConfig(text)
  assert.equal(result.kind, 'unreadable', text)
  return result.kind === 'unreadable' ? result.reason : ''
}

test('the example and this repository’s own file can be read', () => {
  assert.deepEqual(parseEnsoConfig(ENSO_CONFIG_EXAMPLE), {
    kind: 'ok',
    config: { webFetch: { allowedHosts: ['docs.example.com'] } },
  })
  assert.equal(parseEnsoConfig(readFileSync(inRoot(ENSO_CONFIG_FILENAME), 'utf8')).kind, 'ok')
})

test('every section that may stand there is read', () => {
  const config = {
    webFetch: { allowedHosts: [] },
    webSearch: { backend: 'deepseek', tavily: { includeDomains: ['a.test'], excludeDomains: [] } },
    projects: { roots: ['~/work', '/srv'] },
  }
  assert.deepEqual(parseEnsoConfig(JSON.stringify(config)), { kind: 'ok', config })
  assert.deepEqual(parseEnsoConfig(`\uFEFF${JSON.stringify(config)}`), { kind: 'ok', config })
})

test('an unknown key makes the whole file unreadable, and is named', () => {
  assert.equal(
    reason('{"webFetch":{"allowedHosts":[]},"webfetch":{}}'),
    'line 1, column 33: unknown key webfetch (did you mean webFetch?)',
  )
  assert.match(reason('{"webFetch":{"allowedHost":[]}}'), /webFetch\.allowedHost \(did you mean allowedHosts\?\)/)
  assert.match(reason('{"webFetch":{"allowedHosts":[]},"guards":"off"}'), /unknown key guards \(known: /)
  assert.match(
    reason('{"webFetch":{"allowedHosts":[]},"webSearch":{"tavily":{"apiKey":"x"}}}'),
    /webSearch\.tavily\.apiKey/,
  )
  assert.match(reason('{"webFetch":{"allowedHosts":[]},"__proto__":{"x":1}}'), /unknown key __proto__/)
})

test('a wrong value makes the whole file unreadable, and its place is named', () => {
  assert.equal(reason('{}'), 'line 1, column 1: webFetch is missing')
  assert.match(reason('[]'), /expected object/)
  assert.match(reason('null'), /expected object/)
  assert.match(reason('{"webFetch":{"allowedHosts":"docs.example.com"}}'), /: webFetch\.allowedHosts: /)
  assert.match(reason('{"webFetch":{"allowedHosts":["a.test",""]}}'), /: webFetch\.allowedHosts\.1: /)
  assert.match(reason('{"webFetch":{"allowedHosts":[]},"webSearch":{"backend":"other"}}'), /: webSearch\.backend: /)
})

test('a text that is no JSON is unreadable, with line and column', () => {
  assert.equal(reason('{\n  "webFetch": {},\n}'), 'not JSON: line 3, column 1: a key in double quotes is expected')
  assert.match(reason(''), /not JSON: line 1, column 1/)
})
