import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseServerAddress, tokenFor } from '../../../src/cli/connect/server-address.js'
import { testFolder } from '../../support/fake-cli.js'

test('an address is taken with its token or without', () => {
  assert.deepEqual(parseServerAddress('http://127.0.0.1:4040/#token=abc'), {
    ok: true,
    value: { origin: 'http://127.0.0.1:4040', token: 'abc' },
  })
  assert.deepEqual(parseServerAddress('https://enso.example.com'), {
    ok: true,
    value: { origin: 'https://enso.example.com', token: undefined },
  })
})

test('what is no server’s address is refused', () => {
  const wrong = [
    '',
    'localhost:4040',
    '127.0.0.1',
    'ftp://x/',
    'http://user:pw@x/',
    'http://x/?token=abc',
    'http://x/api',
    '--json',
    'javascript:alert(1)',
  ]
  for (const text of wrong) assert.equal(parseServerAddress(text).ok, false, text)
})

test('the token is the address’s, else the file’s, else the environment’s', async (t) => {
  const file = join(await testFolder(t), 'token')
  writeFileSync(file, 'from-file\n', { mode: 0o600 })
  const env = { ENSO_TOKEN: 'from-env' }
  const bare = { origin: 'http://x', token: undefined }
  assert.equal(tokenFor({ ...bare, token: 'own' }, file, env), 'own')
  assert.equal(tokenFor(bare, file, env), 'from-file')
  assert.equal(tokenFor(bare, undefined, env), 'from-env')
  assert.throws(() => tokenFor(bare, undefined, {}), { code: 'bad-input', message: /no token/ })
  assert.throws(() => tokenFor(bare, `${file}-none`, env), { code: 'bad-input', message: /can't be read/ })
  assert.throws(() => tokenFor(bare, undefined, { ENSO_TOKEN: 'a b' }), { code: 'bad-input' })
  writeFileSync(`${file}-open`, 'x', { mode: 0o644 })
  assert.throws(() => tokenFor(bare, `${file}-open`, env), { code: 'bad-input', message: /open to others/ })
})
