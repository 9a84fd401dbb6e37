import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { blocksOf, createGrowingBlocks } from '../../src/page/model/markdown-blocks.js'

const PIECES = [
  'a line',
  '\n',
  '\n\n',
  '- item\n',
  '1. one\n',
  '```ts\ncode\n```\n',
  '```\n',
  '> quote\n',
  '# head\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '  ',
  '---\n',
  '<b>x</b>\n',
  '\r\n',
]

const grown = (text: string, step: number): readonly { readonly raw: string }[] => {
  const growing = createGrowingBlocks()
  let blocks: readonly { raw: string }[] = []
  for (let at = step; at < text.length + step; at += step) blocks = growing.next(text.slice(0, at))
  return blocks
}

test('a text that grows in any pieces loses no word and says none twice', () => {
  const wordsOf = (blocks: readonly { readonly raw: string }[]): string =>
    blocks.map(({ raw }) => raw.replace(/\s+/g, '')).join('')
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }),
      fc.integer({ min: 1, max: 9 }),
      (pieces, step) => {
        const text = pieces.join('')
        assert.equal(wordsOf(grown(text, step)), wordsOf(blocksOf(text)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a text that grows letter by letter comes to the blocks of the whole', () => {
  const texts = [
    '# Title\n\na line\nand another\n\n- one\n- two\n\n  more of two\n\n```ts\nlet a\n\nlet b\n```\n\nthe end',
    '1. one\n\n\n1. two\n\n> said\n> so\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nthe end of it',
  ]
  for (const text of texts) {
    assert.deepEqual(
      grown(text, 1).map(({ raw }) => raw.trim()),
      blocksOf(text).map(({ raw }) => raw.trim()),
    )
  }
})

test('what is complete stays the same object while the rest grows', () => {
  const growing = createGrowingBlocks()
  const [first] = growing.next('one\n\ntwo')
  const later = growing.next('one\n\ntwo and more\n\nthree and yet more')
  assert.equal(later.length, 3)
  assert.equal(growing.next('one\n\ntwo and more\n\nthree and yet more!')[0], later[0])
  assert.equal(first?.raw, 'one')
})

test('code says its language; links by name find their targets', () => {
  const blocks = blocksOf('```TS title="x"\nlet a\n```\n\nsee [the docs][d]\n\n[d]: https://example.com\n')
  assert.deepEqual([blocks[0]?.lang, blocks[0]?.code], ['ts', 'let a'])
  assert.match(blocks[1]?.raw ?? '', /\[d\]: https/)
})

test('texts that take long to read, or can’t be read, are shown as they are', () => {
  const hard = [
    '_a_b'.repeat(5000),
    `- ${'a.'.repeat(10_000)}@`,
    '>'.repeat(20_000),
    `| ${'*a'.repeat(9000)} |\n|--|\n| x |`,
  ]
  for (const text of hard) {
    const began = performance.now()
    assert.deepEqual(
      blocksOf(text).map(({ type }) => type),
      ['plain'],
      text.slice(0, 10),
    )
    assert.ok(performance.now() - began < 1000)
  }
})
