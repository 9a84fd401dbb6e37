import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../support/root.js'

interface Reached {
  readonly goal: { readonly what: string }
  readonly worst?: { readonly median: number }
  readonly over?: number
}

const load = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bench', file)).href)
const { reached } = (await load('goals.js')) as { reached(results: object): readonly Reached[] }
const { goals, programs } = (await load('tables.js')) as Readonly<
  Record<'goals' | 'programs', (results: object, group: string) => string>
>
const { stored } = (await load('results.js')) as { stored(): object }

const spread = (median: number): object => ({ median, low: median, high: median })
const deliveries = '100 followers, an event a turn: deliveries'
const results = {
  groups: {
    start: {
      about: '',
      rows: [],
      ratios: { 'enso --help / node -e 0: wallMs': spread(1.2), 'enso stats / node -e 0: wallMs': spread(1.8) },
    },
  },
  parts: { serve: { [deliveries]: { ...spread(0.5), unit: 'M a CPU second' } } },
}
const about = (what: RegExp): Reached => reached(results).find(({ goal }) => what.test(goal.what))!

test('the worst of its kind counts for a goal', () => {
  const { worst, over } = about(/without a model/)
  assert.equal(worst?.median, 1.8)
  assert.equal(over?.toFixed(2), '0.20')
})

test('a goal of at least so much is missed by what is lacking', () => {
  const { worst, over } = about(/deliveries/)
  assert.equal(worst?.median, 0.5)
  assert.equal(over, 1)
})

test('a goal nothing was measured for says so', () => {
  assert.equal(about(/start to request \/ codex/).worst, undefined)
  assert.match(goals(results, ''), /start to request \/ codex \| ≤ 0\.8 \| not measured/)
})

test('every goal names something of the stored run, or another agent or part', () => {
  const unmeasured = reached(stored()).filter(({ worst }) => worst === undefined)
  assert.deepEqual(
    unmeasured.map(({ goal }) => goal.what).filter((what) => !/codex/.test(what)),
    [],
  )
})

test('a program that failed is shown with its reason, on one line', () => {
  const rows = [{ name: 'x', failed: 'exit 1: a\nb | c' }]
  assert.match(
    programs({ groups: { g: { about: '', rows, ratios: {} } } }, 'g'),
    /\| x \| failed: exit 1: a b \\\| c \|/,
  )
})
