import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fencesOf } from '../../scripts/docs/fences.js'
import { pages } from '../../scripts/docs/pages.js'
import { symbolsOf } from '../../scripts/docs/symbol.js'
import { TABLES, refreshTables, tablesOf } from '../../scripts/docs/tables.js'
import { inRoot } from '../support/root.js'

const read = (page: string): string => readFileSync(inRoot(page), 'utf8')
const withoutFences = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '')

test('every fence that claims to be source equals its source', () => {
  let seen = 0
  for (const page of pages()) {
    for (const fence of fencesOf(read(page))) {
      seen++
      assert.notEqual(fence.source, undefined, `${page}: ${fence.file}#${fence.symbol} does not exist`)
      assert.equal(fence.shown, fence.source, `${page}: ${fence.file}#${fence.symbol} (npm run docs)`)
    }
  }
  assert.ok(seen >= 8, `found only ${seen} fences`)
})

test('every relative link and every link to a heading leads somewhere', () => {
  let seen = 0
  for (const page of pages()) {
    for (const [, target = ''] of withoutFences(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|mailto:)/.test(target)) continue
      seen++
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      assert.ok(existsSync(inRoot(file)), `${page}: ${target}`)
      if (anchor === undefined || !file.endsWith('.md')) continue
      const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      )
      assert.ok(anchors.includes(anchor), `${page}: no heading for #${anchor}`)
    }
  }
  assert.ok(seen >= 10, `found only ${seen} links`)
})

test('every `file#symbol` in a page names a declaration, and every named source file exists', () => {
  let seen = 0
  for (const page of pages()) {
    const text = withoutFences(read(page))
    for (const [, file = '', symbol = ''] of text.matchAll(/`((?:src|test|scripts|bin)\/[\w./-]+\.[jt]sx?)#(\w+)`/g)) {
      seen++
      assert.ok(existsSync(inRoot(file)), `${page}: ${file}`)
      assert.ok(symbolsOf(file).includes(symbol), `${page}: ${file}#${symbol}`)
    }
    for (const [, file = ''] of text.matchAll(/`((?:src|test|scripts|bin|demo|docs)\/[\w./-]+)`/g)) {
      seen++
      assert.ok(existsSync(inRoot(file)), `${page}: ${file}`)
    }
  }
  assert.ok(seen >= 20, `found only ${seen} references`)
})

test('every generated table is current, and each one that exists is shown somewhere', () => {
  const shown = new Set<string>()
  for (const page of pages()) {
    const text = read(page)
    for (const name of tablesOf(text)) {
      assert.ok(name in TABLES, `${page}: no table ${name}`)
      shown.add(name)
    }
    assert.equal(text, refreshTables(text), `${page}: npm run docs`)
  }
  assert.deepEqual([...shown].sort(), Object.keys(TABLES).sort())
})
