// What a part of the benchmark found: said on standard output, and kept for whoever started it.
import { writeFileSync } from 'node:fs'
import { median, pairedRatio } from './statistics.js'

/** @type {Record<string, import('./results.js').Figure>} */
const figures = {}

/** @param {string} name @param {string} unit @param {readonly number[]} values of the rounds */
export function addFigure(name, unit, values) {
  keep(name, unit, { median: median(values), low: Math.min(...values), high: Math.max(...values) })
}

/** Round by round. @param {string} name @param {readonly number[]} ours @param {readonly number[]} theirs */
export function addRatio(name, ours, theirs) {
  keep(name, '×', pairedRatio(ours, theirs))
}

/** @param {string} name @param {string} unit @param {import('./results.js').Spread} of */
function keep(name, unit, of) {
  const [middle, low, high] = [of.median, of.low, of.high].map((value) => Number(value.toPrecision(4)))
  figures[name] = { unit, median: middle ?? NaN, low: low ?? NaN, high: high ?? NaN }
  const apart = low === high ? '' : `  (${low} to ${high})`
  process.stdout.write(`${name.padEnd(62)} ${middle} ${unit}${apart}\n`)
}

/** To the file that `BENCH_FIGURES` names, if it does. */
export function keepFigures() {
  const file = process.env['BENCH_FIGURES']
  if (file !== undefined) writeFileSync(file, JSON.stringify(figures))
}
