import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { codeCacheOf, type CodeCache, packCodeCache, readCodeCache } from '../../src/start/code-cache.js'
import { keepCodeCache } from '../../src/start/keep-code-cache.js'

const DATA = new Map([
  ['compose.cjs', Buffer.from('odd')],
  ['chunks/ä.cjs', Buffer.alloc(1000, 7)],
  ['empty.cjs', Buffer.alloc(0)],
])
const CACHE = codeCacheOf(DATA)

const dataOf = (cache: CodeCache) => new Map([...cache.names()].map((name) => [name, cache.get(name)]))

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'enso-cache-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a cache is read as it was packed, each script’s data where V8 wants it', (t) => {
  const file = join(folder(t), 'cache')
  writeFileSync(file, packCodeCache(CACHE))
  const read = readCodeCache([file])
  assert.deepEqual(dataOf(read), DATA)
  for (const data of dataOf(read).values()) assert.equal((data?.byteOffset ?? 1) % 8, 0)
  assert.equal(read.get('another.cjs'), undefined)
  writeFileSync(file, packCodeCache(codeCacheOf(new Map())))
  assert.deepEqual(dataOf(readCodeCache([file])), new Map())
})

test('what is not all of a cache is passed over, and the next file is read; none is an empty one', (t) => {
  const dir = folder(t)
  const packed = packCodeCache(CACHE)
  const bad = [
    ...[0, 10, 32, packed.length - 1].map((length) => packed.subarray(0, length)),
    Buffer.concat([packed, Buffer.alloc(1)]),
    Buffer.alloc(4096, 'something else'),
  ].map((bytes, n) => {
    writeFileSync(join(dir, `bad${n}`), bytes)
    return join(dir, `bad${n}`)
  })
  writeFileSync(join(dir, 'good'), packed)
  assert.deepEqual(dataOf(readCodeCache([join(dir, 'missing'), dir, ...bad, join(dir, 'good')])), DATA)
  assert.deepEqual(dataOf(readCodeCache([join(dir, 'missing'), dir, ...bad])), new Map())
})

test('data with a wrong byte is none: it is taken from the next file, or from nowhere', (t) => {
  const dir = folder(t)
  const packed = packCodeCache(CACHE)
  const [file, good] = [join(dir, 'file'), join(dir, 'good')]
  writeFileSync(good, packed)
  // The head and the index wholly, of the data some.
  const all = Array.from({ length: packed.length }, (_, at) => at)
  for (const at of all.filter((at) => at < 160 || at % 40 === 0)) {
    const wrong = Buffer.from(packed)
    wrong.writeUInt8(wrong.readUInt8(at) ^ (1 << (at % 8)), at)
    writeFileSync(file, wrong)
    for (const [name, data] of DATA) {
      const found = readCodeCache([file]).get(name)
      assert.ok(found === undefined || found.equals(data), `byte ${at}`)
      assert.deepEqual(readCodeCache([file, good]).get(name), data)
    }
  }
})

test('what the first file lacks is taken from the next', (t) => {
  const dir = folder(t)
  keepCodeCache([join(dir, 'a')], codeCacheOf(new Map([['a.cjs', Buffer.from('a')]])))
  keepCodeCache([join(dir, 'b')], codeCacheOf(new Map([['a.cjs', Buffer.from('x')], ['b.cjs', Buffer.from('b')]]))) // prettier-ignore
  const read = readCodeCache([join(dir, 'a'), join(dir, 'b'), join(dir, 'none')])
  assert.deepEqual(dataOf(read), new Map([['a.cjs', Buffer.from('a')], ['b.cjs', Buffer.from('b')]])) // prettier-ignore
  assert.equal(read.get('c.cjs'), undefined)
})

test('a cache that is replaced while it is read stays what it was', (t) => {
  const file = join(folder(t), 'cache')
  keepCodeCache([file], CACHE)
  const read = readCodeCache([file])
  keepCodeCache([file], codeCacheOf(new Map([['compose.cjs', Buffer.from('another')]])))
  assert.deepEqual(dataOf(read), DATA)
})

test('a cache is kept in the first place that can be written, private, with nothing left beside it', (t) => {
  const dir = folder(t)
  writeFileSync(join(dir, 'file'), '')
  const [impossible, possible] = [join(dir, 'file/code/a.bin'), join(dir, 'home/code/a.bin')]
  assert.equal(keepCodeCache([impossible, possible], CACHE), possible)
  assert.deepEqual(dataOf(readCodeCache([possible])), DATA)
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
  assert.deepEqual(dataOf(readCodeCache([join(dir, 'now.bin')])), DATA)
  assert.equal(existsSync(join(dir, 'old.bin')), false)
  assert.equal(existsSync(join(dir, 'recent.bin')), true)
})
