// Measures enso against bare node, pi and whatever other agents are installed, on one endpoint, in interleaved rounds,
// and prints medians, ratios and goals; then the server's, the logs', the threads' and the page's own measures.
//   node scripts/bench/run.js [--rounds N] [--only NAME[,NAME]] [--full] [--json] [--out FILE] [--store] [--check]
//     [--as-built]        measures what is built, a test's build too
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { worsened } from './check.js'
import { PARTS, runPart } from './parts.js'
import { groupResult, machineOf, ratiosOf, store, stored } from './results.js'
import { DELTA, inRounds } from './rounds.js'
import { groupsWith } from './subjects.js'
import { report } from './tables.js'
import { createWorld, root } from './world.js'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    out: { type: 'string' },
    store: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'as-built': { type: 'boolean', default: false },
  },
})
const rounds = Math.max(1, Number(options.rounds))
const tell = (/** @type {string} */ text) => void process.stderr.write(`${text}\n`)
const starter = join(root, 'dist/start.cjs')
// A test's build is not the one that people get: its chunks are not put together.
const isWhole = existsSync(starter) && (options['as-built'] || readFileSync(starter, 'utf8').includes('packs/'))
if (!isWhole) await import('../warm.js')

const only = options.only?.split(',')
const minimal = only === undefined || only.some((name) => name === 'hello' || name === 'stream')
const world = await createWorld({ minimal })
const groups = groupsWith(world, { full: options.full })
const names = [...groups.map(({ name }) => name), ...Object.keys(PARTS)]
const chosen = only ?? names
const unknown = chosen.find((name) => !names.includes(name))
if (unknown !== undefined) {
  tell(`there is no ${unknown}; there are ${names.join(', ')}`)
  process.exit(2)
}

const measuredGroups = groups.filter(({ name }) => chosen.includes(name))
const measured = await inRounds(measuredGroups, world, rounds, tell)
await world.close()
/** @type {Record<string, import('./results.js').Figures>} */
const parts = {}
for (const name of Object.keys(PARTS).filter((part) => chosen.includes(part))) {
  tell(name)
  const figures = await runPart(name, world.scratch)
  if (figures !== undefined) parts[name] = figures
}

const results = {
  machine: machineOf(world.agents),
  rounds,
  groups: Object.fromEntries(measuredGroups.map((group) => [group.name, groupResult(group, measured, DELTA.length)])),
  parts,
}
console.log(options.json ? JSON.stringify(results, null, 2) : report(results))
const earlier = stored()
if (options.check) {
  const worse = worsened(ratiosOf(results), ratiosOf(earlier))
  for (const line of worse) console.error(`worse: ${line}`)
  process.exitCode = worse.length === 0 ? 0 : 1
}
if (options.out !== undefined) store(results, { ...results, groups: {}, parts: {} }, options.out)
if (options.store) store(results, earlier)
