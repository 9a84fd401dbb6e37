import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../support/root.js'

interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}
type Ratios = Readonly<Record<string, Spread>>

const load = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bench', file)).href)
const { worsened } = (await load('check.js')) as { worsened(ratios: Ratios, earlier: Ratios): string[] }
const { groupResult, ratiosOf, stored } = (await load('results.js')) as {
  groupResult(group: object, measured: ReadonlyMap<string, readonly object[]>, deltaBytes: number): { ratios: Ratios }
  ratiosOf(results: object): Ratios
  stored(): object
}

const ratio = (median: number, apart = 0): Ratios => ({
  'a / b: wallMs': { median, low: median, high: median * (1 + apart) },
})

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
  const group = {
    about: '',
    subjects: [],
    pairs: [{ ours: 'a', theirs: 'b', figures: ['wallMs', 'requestMs'] }],
  }
  const measured = new Map([
    ['a', [{ wallMs: 2 }, { wallMs: 4 }, { wallMs: 3, failed: 'exit 1' }]],
    ['b', [{ wallMs: 1 }, { wallMs: 4 }, { wallMs: 1 }]],
  ])
  assert.deepEqual(groupResult(group, measured, 1).ratios, { 'a / b: wallMs': { median: 1.5, low: 1, high: 2 } })
})

test('ratios of the other parts are held as well, their other figures are not', () => {
  const figures = {
    'x / y': { unit: '×', median: 2, low: 2, high: 2 },
    idle: { unit: 'MiB', median: 9, low: 9, high: 9 },
  }
  assert.deepEqual(Object.keys(ratiosOf({ groups: {}, parts: { serve: figures } })), ['serve: x / y'])
})

test('the stored ratios are there to be held against', () => {
  assert.ok(Object.keys(ratiosOf(stored())).length > 40)
})
