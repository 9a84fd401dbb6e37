// Shows where the time goes: the self time of enso's runs by area, from CPU profiles of the shipped bundle.
//   node scripts/bench/profile.js [--runs N] [--only NAME[,NAME]] [--store]
import { parseArgs } from 'node:util'
import { areasOf, largest } from './profile/areas.js'
import { originsOf } from './profile/origins.js'
import { RUNS } from './profile/runs.js'
import { store, stored } from './results.js'
import { profile } from './tables.js'
import { createWorld, root } from './world.js'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '8' },
    only: { type: 'string' },
    store: { type: 'boolean', default: false },
  },
})
const names = options.only?.split(',') ?? Object.keys(RUNS)
const runs = Math.max(1, Number(options.runs))
const world = await createWorld()
const originOf = await originsOf(root)
/** @type {Record<string, import('./results.js').Profile>} */
const profiles = {}
for (const name of names) {
  const run = RUNS[name]
  if (run === undefined) throw new Error(`there is no ${name}; there are ${Object.keys(RUNS).join(', ')}`)
  // The first run warms the disk's cache and counts for nothing.
  await run(world)
  const areas = []
  for (let n = 0; n < runs; n++) areas.push(areasOf(await run(world), originOf))
  profiles[name] = largest(areas)
  console.log(`\n## ${name}\n\n${profile({ profiles }, name)}`)
}
await world.close()
if (options.store) {
  const earlier = stored()
  store({ ...earlier, profiles }, earlier)
}
