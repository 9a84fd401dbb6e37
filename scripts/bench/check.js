// Keeps the ratios of a run, and holds a later run against them.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pairedRatio } from './statistics.js'

/** @typedef {import('./measure.js').Measured} Measured */
/** @typedef {Record<string, { readonly median: number, readonly spread: number }>} Ratios by pair and figure */

const STORED = fileURLToPath(new URL('ratios.json', import.meta.url))
/** A ratio may worsen by this part of itself, however quiet the runs were, and at most by the other one. */
const [LEAST_NOISE, MOST_NOISE] = [0.1, 0.4]

/**
 * @param {readonly import('./subjects.js').Group[]} groups
 * @param {ReadonlyMap<string, readonly Measured[]>} results
 * @returns {Ratios}
 */
export function ratiosOf(groups, results) {
  const rows = groups.flatMap(({ pairs }) =>
    pairs.flatMap(({ ours, theirs, figures }) =>
      figures.map((figure) => {
        const of = (/** @type {string} */ name) =>
          (results.get(name) ?? []).map((one) => (one.failed ? NaN : (one[figure] ?? NaN)))
        const { median, low, high } = pairedRatio(of(ours), of(theirs))
        return /** @type {const} */ ([`${ours} / ${theirs}: ${figure}`, { median, spread: (high - low) / median }])
      }),
    ),
  )
  return Object.fromEntries(rows.filter(([, { median }]) => Number.isFinite(median)))
}

/** @param {Ratios} ratios */
export function store(ratios) {
  writeFileSync(STORED, `${JSON.stringify(ratios, null, 2)}\n`)
}

/** @returns {Ratios} */
export function stored() {
  return JSON.parse(readFileSync(STORED, 'utf8'))
}

/**
 * What has become slower than an earlier run by more than the two runs' own noise, as sentences.
 * @param {Ratios} ratios @param {Ratios} earlier
 */
export function worsened(ratios, earlier) {
  return Object.entries(ratios).flatMap(([name, now]) => {
    const before = earlier[name]
    if (before === undefined) return []
    const noise = Math.min(MOST_NOISE, Math.max(LEAST_NOISE, before.spread / 2, now.spread / 2))
    if (now.median <= before.median * (1 + noise)) return []
    const [was, is] = [before.median.toPrecision(3), now.median.toPrecision(3)]
    return [`${name} was ${was} and is ${is}: more than ${Math.round(noise * 100)} % worse`]
  })
}
