// What a run found, in the shape that is kept: medians of the programs, paired ratios, and figures of the other parts.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import { median, pairedRatio } from './statistics.js'

/**
 * @typedef {import('./measure.js').Measured} Measured
 * @typedef {{ readonly median: number, readonly low: number, readonly high: number }} Spread
 *
 * @typedef {object} Row a program's medians
 * @property {string} name
 * @property {number} [requestMs]
 * @property {number} [wallMs]
 * @property {number} [cpuMs]
 * @property {number} [peakMiB]
 * @property {number} [content] bytes written over bytes of the reply, of a long one
 * @property {string} [failed]
 *
 * @typedef {{ readonly about: string, readonly rows: readonly Row[], readonly ratios: Readonly<Record<string, Spread>> }} GroupResult
 * @typedef {Spread & { readonly unit: string }} Figure
 * @typedef {Readonly<Record<string, Figure>>} Figures by what is measured
 * @typedef {readonly { readonly area: string, readonly ms: number, readonly share: number }[]} Profile
 *
 * @typedef {object} Results
 * @property {{ readonly node: string, readonly cpu: string, readonly agents: Readonly<Record<string, string>> }} machine
 * @property {number} rounds
 * @property {Readonly<Record<string, GroupResult>>} groups
 * @property {Readonly<Record<string, Figures>>} parts
 * @property {Readonly<Record<string, Profile>>} [profiles] where the time of a run goes
 */

const STORED = fileURLToPath(new URL('results.json', import.meta.url))
const round = (/** @type {number} */ value) => Number(value.toPrecision(4))

/** @param {readonly import('./agents/installed.js').Agent[]} agents @returns {Results['machine']} */
export function machineOf(agents) {
  const [cpu] = cpus()
  return {
    node: process.version,
    cpu: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`,
    agents: Object.fromEntries(agents.map(({ name, version }) => [name, version])),
  }
}

/**
 * @param {import('./subjects.js').Group} group
 * @param {ReadonlyMap<string, readonly Measured[]>} measured
 * @param {number} deltaBytes
 * @returns {GroupResult}
 */
export function groupResult({ about, subjects, pairs }, measured, deltaBytes) {
  const rows = subjects.map(({ name, deltas = 0 }) => rowOf(name, measured.get(name) ?? [], deltas * deltaBytes))
  const ratios = pairs.flatMap(({ ours, theirs, figures }) =>
    figures.map((figure) => {
      const of = (/** @type {string} */ name) =>
        (measured.get(name) ?? []).map((one) => (one.failed ? NaN : (one[figure] ?? NaN)))
      const ratio = pairedRatio(of(ours), of(theirs))
      return /** @type {const} */ ([`${ours} / ${theirs}: ${figure}`, spread(ratio)])
    }),
  )
  return { about, rows, ratios: Object.fromEntries(ratios.filter(([, ratio]) => Number.isFinite(ratio.median))) }
}

/** @param {string} name @param {readonly Measured[]} all @param {number} contentBytes @returns {Row} */
function rowOf(name, all, contentBytes) {
  const good = all.filter(({ failed }) => failed === undefined)
  if (good.length === 0) return { name, failed: all[0]?.failed ?? 'not run' }
  const of = (/** @type {'requestMs' | 'wallMs' | 'cpuMs' | 'peakMiB' | 'bytes'} */ figure) =>
    round(median(good.map((one) => one[figure] ?? NaN)))
  return {
    name,
    ...(contentBytes > 0 ? { requestMs: of('requestMs') } : {}),
    wallMs: of('wallMs'),
    cpuMs: of('cpuMs'),
    peakMiB: of('peakMiB'),
    ...(contentBytes > 1000 ? { content: round(of('bytes') / contentBytes) } : {}),
  }
}

/** @param {Spread} of @returns {Spread} */
export function spread(of) {
  return { median: round(of.median), low: round(of.low), high: round(of.high) }
}

/** Every ratio of a run by its name, those of the other parts included. @param {Results} results */
export function ratiosOf({ groups, parts }) {
  /** @type {Record<string, Spread>} */
  const ratios = {}
  for (const group of Object.values(groups)) Object.assign(ratios, group.ratios)
  for (const [part, figures] of Object.entries(parts)) {
    for (const [name, figure] of Object.entries(figures)) if (figure.unit === '×') ratios[`${part}: ${name}`] = figure
  }
  return ratios
}

/** @returns {Results} */
export function stored() {
  return JSON.parse(readFileSync(STORED, 'utf8'))
}

/** Keeps a run; what it did not measure stays as it was. @param {Results} run @param {Results} earlier @param {string} [file] */
export function store(run, earlier, file = STORED) {
  const all = {
    ...run,
    groups: { ...earlier.groups, ...run.groups },
    parts: { ...earlier.parts, ...run.parts },
    profiles: { ...earlier.profiles, ...run.profiles },
  }
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
}
