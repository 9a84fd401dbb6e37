import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createNeedleSearch } from '../../../src/log/redact/needle-search.js'

const lower = (text: string): string => text.replace(/[A-Z]/g, (char) => char.toLowerCase())

/** The first place, and of the needles there the longest, found the slow way. */
function plainly(needles: readonly string[], text: string): { start: number; end: number } | undefined {
  const folded = lower(text)
  for (let start = 0; start < folded.length; start++) {
    const here = needles.filter((needle) => needle.length >= 8 && folded.startsWith(lower(needle), start))
    if (here.length > 0) return { start, end: start + Math.max(...here.map(({ length }) => length)) }
  }
  return undefined
}

test('it finds what a plain search finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', '\u212a', '/'), maxLength: 60 })
  const needle = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', '/'), minLength: 6, maxLength: 12 })
  fc.assert(
    fc.property(fc.array(needle, { maxLength: 8 }), text, fc.nat(59), (needles, before, cut) => {
      const subject = `${before.slice(0, cut)}${needles[0] ?? ''}${before.slice(cut)}`
      assert.deepEqual(createNeedleSearch(needles).find(subject, 0), plainly(needles, subject))
    }),
    { numRuns: 2000 },
  )
})

test('nothing is found where nothing is searched for', () => {
  assert.equal(createNeedleSearch([]).find('any text at all', 0), undefined)
  assert.equal(createNeedleSearch(['short']).longest, 0)
})

test('it finds the last needle of a text, and searches from where it is told', () => {
  const search = createNeedleSearch(['needle-one', 'needle-two'])
  assert.deepEqual(search.find('needle-one needle-TWO', 1), { start: 11, end: 21 })
  assert.equal(search.find('needle-one needle-two', 12), undefined)
})
