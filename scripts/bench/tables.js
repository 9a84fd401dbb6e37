// A run's results as Markdown: printed by the run itself, and shown by the documentation.
import { reached } from './goals.js'

/**
 * @typedef {import('./results.js').Results} Results
 * @typedef {import('./results.js').Spread} Spread
 */

/** @type {Readonly<Record<string, string>>} */
const FIGURES = {
  requestMs: 'start to request',
  wallMs: 'wall',
  cpuMs: 'CPU',
  peakMiB: 'peak memory',
  bytes: 'bytes out',
}

const number = (/** @type {number} */ value) =>
  value === 0
    ? '0'
    : value >= 100
      ? value.toFixed(0)
      : value >= 0.1
        ? String(Number(value.toPrecision(3)))
        : value.toPrecision(2)
const apart = (/** @type {Spread} */ { median, low, high }) => `${number(median)} (${number(low)} to ${number(high)})`
const unless = (/** @type {number | undefined} */ value, /** @type {string} */ unit) =>
  value === undefined ? '–' : `${value.toFixed(0)} ${unit}`

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** The machine and the agents a run had, as a sentence. @param {Results} results */
export function machine({ machine: { node, cpu, agents }, rounds }) {
  const others = Object.entries(agents).map(([name, version]) => `${name} ${version.replace(/-linux.*/, '')}`)
  const installed = others.length === 0 ? 'no other agent on the PATH' : `installed beside it: ${others.join(', ')}`
  return `Node ${node}, ${cpu}; ${rounds} rounds, medians; ${installed}.`
}

/** The programs of a group. @param {Results} results @param {string} group */
export function programs({ groups }, group) {
  const rows = (groups[group]?.rows ?? []).map(({ name, requestMs, wallMs, cpuMs, peakMiB, content, failed }) =>
    failed === undefined
      ? [
          name,
          unless(requestMs, 'ms'),
          unless(wallMs, 'ms'),
          unless(cpuMs, 'ms'),
          unless(peakMiB, 'MiB'),
          content === undefined ? '' : `${number(content)} ×`,
        ]
      : [name, `failed: ${failed.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')}`, '', '', '', ''],
  )
  return table(['', 'start to request', 'wall', 'CPU', 'peak memory', 'bytes out / text'], rows)
}

/** The ratios of a group: the median of the rounds, and the lowest and highest. @param {Results} results @param {string} group */
export function ratios({ groups }, group) {
  /** @type {Map<string, Map<string, Spread>>} */
  const pairs = new Map()
  for (const [name, ratio] of Object.entries(groups[group]?.ratios ?? {})) {
    const [pair = '', figure = ''] = name.split(': ')
    pairs.set(pair, (pairs.get(pair) ?? new Map()).set(figure, ratio))
  }
  const figures = Object.keys(FIGURES).filter((figure) => [...pairs.values()].some((of) => of.has(figure)))
  const rows = [...pairs].map(([pair, of]) => [
    pair,
    ...figures.map((figure) => {
      const ratio = of.get(figure)
      return ratio === undefined ? '' : apart(ratio)
    }),
  ])
  return table(['pair', ...figures.map((figure) => FIGURES[figure] ?? figure)], rows)
}

/** The figures of another part. @param {Results} results @param {string} part */
export function part({ parts }, part) {
  const rows = Object.entries(parts[part] ?? {}).map(([name, figure]) => [
    name,
    `${figure.low === figure.high ? number(figure.median) : apart(figure)} ${figure.unit}`.trim(),
  ])
  return table(['', 'median (lowest to highest)'], rows)
}

/** Where the time of a run goes. @param {Pick<Results, 'profiles'>} results @param {string} name */
export function profile({ profiles = {} }, name) {
  const rows = (profiles[name] ?? []).map(({ area, ms, share }) => [
    `${(share * 100).toFixed(0)} %`,
    `${number(ms)} ms`,
    area,
  ])
  return table(['share', 'self time', 'where'], rows)
}

/** Every goal, and by how much it is reached or missed. @param {Results} results */
export function goals(results) {
  const rows = reached(results).map(({ goal, worst, over }) => [
    goal.what,
    `${goal.floor ? 'floor ' : ''}${goal.atMost === undefined ? `≥ ${number(goal.atLeast ?? 0)}` : `≤ ${goal.atMost}`}`,
    worst === undefined ? 'not measured' : apart(worst),
    over === undefined
      ? ''
      : over <= 0
        ? `reached, ${Math.round(-over * 100)} % to spare`
        : `missed by ${Math.round(over * 100)} %`,
  ])
  return table(['', 'goal or floor', 'measured (worst of its kind)', ''], rows)
}

/** Everything a run measured. @param {Results} results */
export function report(results) {
  const lines = [machine(results)]
  for (const [name, { about }] of Object.entries(results.groups)) {
    lines.push('', `## ${name}: ${about}`, '', programs(results, name), '', ratios(results, name))
  }
  for (const name of Object.keys(results.parts)) lines.push('', `## ${name}`, '', part(results, name))
  return [...lines, '', '## goals', '', goals(results)].join('\n')
}
