import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bindRefusal } from '../../src/server/guards/bind-address.js'
import { createKeptToken } from '../../src/server/token/token-file.js'
import { isToken, makeToken } from '../../src/server/token/token.js'
import { testFolder } from '../support/fake-cli.js'
import { servedApp } from '../support/served-app.js'

test('a token is 256 bits, and no two are the same', () => {
  const tokens = new Set(Array.from({ length: 100 }, makeToken))
  assert.equal(tokens.size, 100)
  for (const token of tokens) {
    assert.ok(isToken(token))
    assert.equal(Buffer.from(token, 'base64url').length, 32)
  }
})

test('a kept token is made once, private, and the same at the next start', async (t) => {
  const file = join(await testFolder(t), 'deep', 'token')
  const token = createKeptToken(file).current()
  assert.equal(readFileSync(file, 'utf8'), `${token}\n`)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(createKeptToken(file).current(), token)
})

test('a token file that can’t be trusted is refused', async (t) => {
  const dir = await testFolder(t)
  const file = join(dir, 'token')
  const wrong: [() => void, RegExp][] = [
    [() => writeFileSync(file, makeToken(), { mode: 0o600 }), /open to others/],
    [() => writeFileSync(file, 'short'), /holds no token/],
    [() => writeFileSync(file, `${makeToken()} ${makeToken()}`), /holds no token/],
    [() => writeFileSync(file, ''), /holds no token/],
    [() => mkdirSync(file), /is no file|can't be read/],
    [() => execFileSync('mkfifo', ['-m', '600', file]), /is no file/],
    [() => writeFileSync(file, makeToken() + ' '.repeat(2000)), /holds no token/],
  ]
  for (const [make, message] of wrong) {
    rmSync(file, { recursive: true, force: true })
    make()
    if (message.source.includes('others')) chmodSync(file, 0o644)
    else chmodSync(file, 0o600)
    assert.throws(() => createKeptToken(file), { code: 'bad-config', message })
  }
})

test('a token can be replaced while the server runs; while there is none, nobody is let in', async (t) => {
  const file = join(await testFolder(t), 'token')
  const token = createKeptToken(file)
  const { ask } = servedApp(t, { token })
  const asked = async (value: string) =>
    (await ask('/api/threads', { headers: { authorization: `Bearer ${value}` } })).status
  const first = token.current()!
  assert.equal(await asked(first), 200)
  const second = makeToken()
  writeFileSync(file, second)
  assert.deepEqual([await asked(first), await asked(second)], [401, 200])
  chmodSync(file, 0o644)
  assert.equal(await asked(second), 401)
  rmSync(file)
  assert.deepEqual([await asked(first), await asked(second)], [401, 401])
})

test('only this machine is listened to unless it is said in so many words, and never every interface', () => {
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) assert.equal(bindRefusal(host, false), undefined)
  for (const host of ['192.168.1.5', 'example.com', 'fe80::1', '127.example.com', '128.0.0.1']) {
    assert.match(bindRefusal(host, false) ?? '', /other machines/, host)
    assert.equal(bindRefusal(host, true), undefined)
  }
  for (const host of ['0.0.0.0', '::', '0', '*', '', '0:0:0:0:0:0:0:0', '::ffff:0.0.0.0', '00.0.0.0']) {
    assert.match(bindRefusal(host, true) ?? '', /every interface/, host)
  }
})
