// Holds a run's ratios against those of an earlier one.

/** @typedef {Readonly<Record<string, import('./results.js').Spread>>} Ratios */

/** A ratio may worsen by this part of itself, however quiet the runs were, and at most by the other one. */
const [LEAST_NOISE, MOST_NOISE] = [0.1, 0.4]

/**
 * What has become worse than an earlier run by more than the two runs' own noise, as sentences.
 * @param {Ratios} ratios @param {Ratios} earlier
 */
export function worsened(ratios, earlier) {
  return Object.entries(ratios).flatMap(([name, now]) => {
    const before = earlier[name]
    if (before === undefined) return []
    const noise = Math.min(MOST_NOISE, Math.max(LEAST_NOISE, apart(before) / 2, apart(now) / 2))
    if (now.median <= before.median * (1 + noise)) return []
    const [was, is] = [before.median.toPrecision(3), now.median.toPrecision(3)]
    return [`${name} was ${was} and is ${is}: more than ${Math.round(noise * 100)} % worse`]
  })
}

/** How far a ratio's rounds lie apart, as a part of it. @param {import('./results.js').Spread} of */
function apart({ median, low, high }) {
  return (high - low) / median
}
