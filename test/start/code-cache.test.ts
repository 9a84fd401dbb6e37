import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { packCodeCache, readCodeCache, unpackCodeCache } from '../../src/start/code-cache.js'
import { keepCodeCache } from '../../src/start/keep-code-cache.js'

const CACHE = new Map([
  ['compose.cjs', Buffer.from('odd')],
  ['chunks/ä.cjs', Buffer.alloc(1000, 7)],
  ['empty.cjs', Buffer.alloc(0)],
])

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-cache-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a packed cache is unpacked the same, each part where V8 wants it', () => {
  const packed = packCodeCache(CACHE)
  const unpacked = unpackCodeCache(packed) ?? new Map<string, Buffer>()
  assert.deepEqual(unpacked, CACHE)
  for (const part of unpacked.values()) assert.equal((part.byteOffset - packed.byteOffset) % 8, 0)
  assert.deepEqual(unpackCodeCache(packCodeCache(new Map())), new Map())
})

test('what is not all of a cache is none', () => {
  const packed = packCodeCache(CACHE)
  for (const length of [0, 10, 32, packed.length - 1])
    assert.equal(unpackCodeCache(packed.subarray(0, length)), undefined)
  assert.equal(unpackCodeCache(Buffer.concat([packed, Buffer.alloc(1)])), undefined)
  assert.equal(unpackCodeCache(Buffer.alloc(4096, 'something else')), undefined)
})

test('the first file that holds a cache is read; none is an empty one', (t) => {
  const dir = folder(t)
  const [missing, torn, good] = [join(dir, 'missing'), join(dir, 'torn'), join(dir, 'good')]
  writeFileSync(torn, packCodeCache(CACHE).subarray(0, 100))
  writeFileSync(good, packCodeCache(CACHE))
  assert.deepEqual(readCodeCache([missing, torn, good]), CACHE)
  assert.deepEqual(readCodeCache([missing, torn, dir]), new Map())
})

test('a cache is kept in the first place that can be written, private, with nothing left beside it', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'file'), '')
  const [impossible, possible] = [join(dir, 'file/code/a.bin'), join(dir, 'home/code/a.bin')]
  assert.equal(keepCodeCache([impossible, possible], CACHE), possible)
  assert.deepEqual(readCodeCache([possible]), CACHE)
  assert.equal(statSync(possible).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(dir, 'home/code')), ['a.bin'])
  assert.equal(keepCodeCache([impossible], CACHE), undefined)
})

test('a kept cache replaces the one before it, and those of programs long gone', (t) => {
  const dir = join(folder(t), 'code')
  mkdirSync(dir)
  for (const name of ['now.bin', 'old.bin', 'recent.bin']) writeFileSync(join(dir, name), name)
  utimesSync(join(dir, 'old.bin'), 0, 0)
  keepCodeCache([join(dir, 'now.bin')], CACHE)
  assert.deepEqual(readCodeCache([join(dir, 'now.bin')]), CACHE)
  assert.equal(existsSync(join(dir, 'old.bin')), false)
  assert.equal(existsSync(join(dir, 'recent.bin')), true)
})
