// What is aimed at, and how far a run is from it.
import { ratiosOf } from './results.js'

/**
 * @typedef {object} Goal
 * @property {string} what
 * @property {RegExp} of names of the ratios, or `part: figure` of the other parts; the worst of them counts
 * @property {number} [atMost]
 * @property {number} [atLeast]
 * @property {true} [floor] what must never be worse, rather than what is aimed at
 *
 * @typedef {object} Reached
 * @property {Goal} goal
 * @property {import('./results.js').Spread | undefined} worst nothing when it was not measured
 * @property {number | undefined} over by what part of the goal it is missed; below nought when it is reached
 */

/** @type {readonly Goal[]} */
export const GOALS = [
  { what: '`--version` / `node -e 0`, wall', of: /^enso --version \/ node -e 0: wallMs$/, atMost: 1.3 },
  { what: '`--version` / `node -e 0`, wall', of: /^enso --version \/ node -e 0: wallMs$/, atMost: 1.6, floor: true },
  {
    what: 'another command without a model / `node -e 0`, wall, its own work included',
    of: /^enso (?!--version).* \/ node -e 0: wallMs$/,
    atMost: 1.5,
  },
  { what: 'start to request / codex', of: /^enso \/ codex: requestMs$/, atMost: 0.8 },
  { what: 'start to request / pi', of: /^enso \/ pi -p: requestMs$/, atMost: 0.17 },
  { what: 'start to request / pi', of: /^enso \/ pi -p: requestMs$/, atMost: 0.35, floor: true },
  { what: 'hello / codex, wall', of: /^enso \/ codex: wallMs$/, atMost: 1 },
  { what: 'hello / pi, wall', of: /^enso \/ pi -p: wallMs$/, atMost: 0.22 },
  { what: 'hello / codex, peak memory', of: /^enso \/ codex: peakMiB$/, atMost: 0.75 },
  {
    what: '20,000 deltas / the minimal script on the same bundle, CPU',
    of: /^enso --json 20k \/ minimal script, bundled lean 20k: cpuMs$/,
    atMost: 1.15,
  },
  {
    what: '20,000 deltas / the minimal script on the same bundle, CPU',
    of: /^enso --json 20k \/ minimal script, bundled lean 20k: cpuMs$/,
    atMost: 1.4,
    floor: true,
  },
  {
    what: '100,000 / 20,000 deltas, peak memory',
    of: /^enso --json 100k \/ enso --json 20k: peakMiB$/,
    atMost: 1.2,
  },
  { what: '100 followers, M deliveries a CPU second', of: /^serve: 100 followers, .*: deliveries$/, atLeast: 1 },
  { what: '`serve`, start to listening, ms', of: /^serve: start to listening$/, atMost: 400 },
  { what: '`serve`, idle, MiB', of: /^serve: idle$/, atMost: 120 },
  { what: 'a day log of 200 MB folded, MB a second (1.2 s)', of: /^logs: .* fold: rate$/, atLeast: 200 / 1.2 },
  {
    what: 'opening a large session / a bare parse loop',
    of: /^threads: open .* \/ bare JSON.parse: wall$/,
    atMost: 1.5,
  },
]

/** @param {import('./results.js').Results} results @returns {readonly Reached[]} */
export function reached(results) {
  /** @type {Record<string, import('./results.js').Spread>} */
  const all = { ...ratiosOf(results) }
  for (const [part, figures] of Object.entries(results.parts)) {
    for (const [name, figure] of Object.entries(figures)) all[`${part}: ${name}`] = figure
  }
  return GOALS.map((goal) => {
    const [worst] = Object.entries(all)
      .filter(([name]) => goal.of.test(name))
      .map(([, figure]) => ({ figure, over: missedBy(goal, figure.median) }))
      .sort((a, b) => b.over - a.over)
    return { goal, worst: worst?.figure, over: worst?.over }
  })
}

/** @param {Goal} goal @param {number} value */
function missedBy({ atMost, atLeast }, value) {
  return atMost === undefined ? (atLeast ?? 0) / value - 1 : value / atMost - 1
}
