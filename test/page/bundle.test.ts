import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { inRoot } from '../support/root.js'

/** What a browser loads before anything is asked for, packed, in bytes. */
const FIRST_LOAD_MAX = 60_000

const read = (name: string): Buffer => readFileSync(inRoot('dist/page', name))

/** A script and whatever it imports at once. */
function eager(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const found = read(name)
    .toString()
    .matchAll(/(?:from|import)\s*["']\.\/([\w-]+\.js)["']/g)
  for (const [, next = ''] of found) eager(next, seen)
  return seen
}

test('the page’s first load is at most 60 kB packed', () => {
  const html = read('index.html').toString()
  const names = [...html.matchAll(/\/page\/([\w-]+\.(?:js|css))/g)].map(([, name = '']) => name)
  assert.equal(names.length, 2)
  const files = new Set(['index.html', ...names.flatMap((name) => (name.endsWith('.js') ? [...eager(name)] : [name]))])
  assert.ok(files.size >= 4, [...files].join(' '))
  const total = [...files].reduce((sum, name) => sum + gzipSync(read(name), { level: 9 }).length, 0)
  assert.ok(total <= FIRST_LOAD_MAX, `${total} bytes: ${[...files].join(' ')}`)
})

test('the page holds no compiler of schemas and names no other host', () => {
  for (const name of readdirSync(inRoot('dist/page'))) {
    const text = read(name).toString()
    assert.doesNotMatch(text, /new Function\(|\beval\(|TypeCompiler/, name)
    const hosts = [...text.matchAll(/https?:\/\/([\w.-]+\.[a-z]{2,})/g)].map(([, host]) => host)
    assert.deepEqual(
      hosts.filter((host) => !['www.w3.org', 'preactjs.com', 'github.com'].includes(host ?? '')),
      [],
      name,
    )
  }
})
