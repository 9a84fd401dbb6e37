import { cpus } from 'node:os'
import { median, pairedRatio } from './statistics.js'

/** @typedef {import('./measure.js').Measured} Measured */

/** @type {Readonly<Record<import('./subjects.js').Figure, string>>} */
const FIGURES = {
  requestMs: 'start to request',
  wallMs: 'wall',
  cpuMs: 'CPU',
  peakMiB: 'peak memory',
  bytes: 'bytes out',
}

const times = (/** @type {number} */ ratio) => (ratio < 0.1 ? ratio.toPrecision(2) : ratio.toFixed(2))
const ms = (/** @type {number} */ value) => (Number.isNaN(value) ? '–' : `${value.toFixed(0)} ms`)

/**
 * Markdown: for each group a table of medians and a table of paired ratios.
 * @param {readonly import('./subjects.js').Group[]} groups
 * @param {ReadonlyMap<string, readonly Measured[]>} results
 * @param {number} deltaBytes
 */
export function report(groups, results, deltaBytes) {
  const [cpu] = cpus()
  const rounds = Math.max(...[...results.values()].map((all) => all.length))
  const lines = [`node ${process.version}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${rounds} rounds`]
  for (const group of groups) {
    lines.push('', `## ${group.name}: ${group.about}`, '', ...medians(group, results, deltaBytes), '')
    lines.push(...ratios(group, results))
  }
  return lines.join('\n')
}

/**
 * @param {import('./subjects.js').Group} group
 * @param {ReadonlyMap<string, readonly Measured[]>} results
 * @param {number} deltaBytes
 */
function medians(group, results, deltaBytes) {
  const rows = group.subjects.map(({ name, deltas = 0 }) => {
    const all = good(results.get(name))
    if (all.length === 0)
      return `| ${name} | failed: ${(results.get(name)?.[0]?.failed ?? 'not run').replaceAll('\n', ' ')} | | | | |`
    const of = (/** @type {import('./subjects.js').Figure} */ figure) => median(all.map((one) => one[figure] ?? NaN))
    const content = deltas * deltaBytes
    const bytes =
      deltas > 1 ? `${(of('bytes') / content).toFixed(2)} × content, ${median(all.map((one) => one.lines))} lines` : ''
    return `| ${name} | ${ms(of('requestMs'))} | ${ms(of('wallMs'))} | ${ms(of('cpuMs'))} | ${of('peakMiB').toFixed(0)} MiB | ${bytes} |`
  })
  return ['| | start to request | wall | CPU | peak memory | output |', '|---|---|---|---|---|---|', ...rows]
}

/**
 * @param {import('./subjects.js').Group} group
 * @param {ReadonlyMap<string, readonly Measured[]>} results
 */
function ratios(group, results) {
  const rows = group.pairs.flatMap(({ ours, theirs, figures }) =>
    figures.map((figure) => {
      const left = (results.get(ours) ?? []).map((one) => (one.failed ? NaN : (one[figure] ?? NaN)))
      const right = (results.get(theirs) ?? []).map((one) => (one.failed ? NaN : (one[figure] ?? NaN)))
      const ratio = pairedRatio(left, right)
      const shown = Number.isNaN(ratio.median)
        ? '–'
        : `${times(ratio.median)} (${times(ratio.low)} to ${times(ratio.high)})`
      return `| ${ours} / ${theirs} | ${FIGURES[figure]} | ${shown} |`
    }),
  )
  return ['| pair | figure | ratio (over rounds) |', '|---|---|---|', ...rows]
}

/** @param {readonly Measured[] | undefined} all */
function good(all) {
  return (all ?? []).filter((one) => one.failed === undefined)
}
