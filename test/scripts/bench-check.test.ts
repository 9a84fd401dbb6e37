import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../support/root.js'

type Ratios = Record<string, { median: number; spread: number }>
const { ratiosOf, stored, worsened } = (await import(pathToFileURL(inRoot('scripts/bench/check.js')).href)) as {
  ratiosOf(groups: readonly object[], results: ReadonlyMap<string, readonly object[]>): Ratios
  stored(): Ratios
  worsened(ratios: Ratios, earlier: Ratios): string[]
}

const ratio = (median: number, spread = 0): Ratios => ({ 'a / b: wallMs': { median, spread } })

test('a ratio that worsens by more than noise is told, one that does not or is better is not', () => {
  assert.deepEqual(worsened(ratio(1.09), ratio(1)), [])
  assert.deepEqual(worsened(ratio(0.5), ratio(1)), [])
  assert.deepEqual(worsened(ratio(1.12), ratio(1)), ['a / b: wallMs was 1.00 and is 1.12: more than 10 % worse'])
})

test('runs that lie far apart make room for noise, though never for everything', () => {
  assert.deepEqual(worsened(ratio(1.25), ratio(1, 0.6)), [])
  assert.deepEqual(worsened(ratio(1.25, 0.6), ratio(1)), [])
  assert.equal(worsened(ratio(1.45, 9), ratio(1, 9)).length, 1)
})

test('a pair that is new, or could not be measured, is no fault', () => {
  assert.deepEqual(worsened(ratio(9), {}), [])
  const groups = [{ pairs: [{ ours: 'a', theirs: 'b', figures: ['wallMs', 'requestMs'] }] }]
  const results = new Map([
    ['a', [{ wallMs: 2 }, { wallMs: 4 }, { wallMs: 3, failed: 'exit 1' }]],
    ['b', [{ wallMs: 1 }, { wallMs: 4 }, { wallMs: 1 }]],
  ])
  assert.deepEqual(ratiosOf(groups, results), { 'a / b: wallMs': { median: 1.5, spread: 1 / 1.5 } })
})

test('the stored ratios are there to be held against', () => {
  assert.ok(Object.keys(stored()).length > 20)
})
