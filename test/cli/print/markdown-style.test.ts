import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMarkdownStyle } from '../../../src/cli/print/markdown-style.js'

function styled(pieces: readonly string[]): string {
  const style = createMarkdownStyle()
  return pieces.map((piece) => style.push(piece)).join('') + style.end()
}

// oxlint-disable-next-line no-control-regex
const bare = (text: string): string => text.replace(/\u001b\[\d+m/g, '')

/** What each character looks like. */
function looks(text: string): string[] {
  const on = new Set<string>()
  const names: Record<string, string> = { 1: 'bold', 2: 'dim', 36: 'code' }
  const seen: string[] = []
  // oxlint-disable-next-line no-control-regex
  for (const [, code, character] of text.matchAll(/\u001b\[(\d+)m|([^])/g)) {
    if (code === undefined) seen.push(`${character}${[...on].toSorted().join('+')}`)
    else if (code === '22') for (const name of ['bold', 'dim']) on.delete(name)
    else if (code === '39') on.delete('code')
    else on.add(names[code] ?? code)
  }
  return seen
}

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom('\n', '`', '``', '```', '```ts\n', '*', '**', '#', '# ', '~~~', ' ', '   ', '- ', '> '),
    fc.string({ maxLength: 4 }),
  ),
)

test('nothing is added to a text but colour, however it is cut', () => {
  fc.assert(
    fc.property(pieces, (some) => {
      const text = some.join('').replaceAll('\u001b', '')
      assert.equal(bare(styled(some.map((piece) => piece.replaceAll('\u001b', '')))), text)
    }),
  )
})

test('a text looks the same however it is cut', () => {
  fc.assert(
    fc.property(pieces, (some) => {
      const whole = some.join('').replaceAll('\u001b', '')
      assert.deepEqual(looks(styled(Array.from(whole))), looks(styled([whole])))
    }),
  )
})

test('every piece ends without colour, so that something else may be said after it', () => {
  const style = createMarkdownStyle()
  for (const piece of ['# Ti', 'tle\nso **b', 'old** and `co', 'de`\n```\nx\n', '```\n']) {
    assert.deepEqual(looks(`${style.push(piece)}x`).at(-1), 'x')
  }
})

test('headings, emphasis, code and fences are told apart; what is in a fence stays as it is', () => {
  assert.equal(styled(['# A\n']), '\u001b[1m# A\u001b[22m\n')
  assert.equal(styled(['so **b** `c`\n']), 'so \u001b[1m**b**\u001b[22m \u001b[36m`c`\u001b[39m\n')
  assert.equal(styled(['```\n# **a** `b`\n```\n']), '\u001b[2m```\u001b[22m\n# **a** `b`\n\u001b[2m```\u001b[22m\n')
  for (const text of ['#no\n', '2 ** 3\n', '* item\n', 'a_b_c\n']) assert.equal(styled([text]), text)
  assert.equal(styled(['an `open\nnext\n']), 'an \u001b[36m`open\u001b[39m\nnext\n')
})
