// Measures enso against bare node and against pi on one endpoint, in interleaved rounds, and prints medians and ratios.
//   node scripts/bench/run.js [--rounds N] [--only GROUP[,GROUP]] [--full] [--json]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { measure } from './measure.js'
import { report } from './report.js'
import { FULL_SUBJECT, groupsWith, NODE } from './subjects.js'
import { createWorld, root } from './world.js'

/** About four tokens. */
const DELTA = 'streaming words '
const BOUND_MS = 120_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const rounds = Math.max(1, Number(options.rounds))
if (!existsSync(join(root, 'dist/start.cjs'))) await import('../build.js')

const world = await createWorld()
const all = groupsWith(world.bundledMinimal)
const chosen = options.only?.split(',') ?? all.map(({ name }) => name)
const groups = all
  .filter(({ name }) => chosen.includes(name))
  .map((group) =>
    options.full && group.name === 'stream' ? { ...group, subjects: [...group.subjects, FULL_SUBJECT] } : group,
  )
/** @type {Map<string, import('./measure.js').Measured[]>} */
const results = new Map()

/** @param {import('./subjects.js').Subject} subject */
async function once(subject) {
  const { server } = world
  const count = subject.deltas ?? 0
  if (count > 0) server.otherwise({ deltas: Array.from({ length: count }, () => DELTA) })
  const firstRequest = server.waitForRequest(server.requests.length + 1).then(() => performance.now())
  const program = { command: NODE, args: subject.argv, env: world.env, cwd: world.cwd }
  const measured = await measure(program, { boundMs: BOUND_MS, ...(count > 0 ? { firstRequest } : {}) })
  results.set(subject.name, [...(results.get(subject.name) ?? []), measured])
  if (measured.failed) console.error(`${subject.name}: ${measured.failed}`)
}

try {
  if (groups.length === 0) throw new Error(`no such group; there are ${all.map(({ name }) => name).join(', ')}`)
  for (const group of groups) {
    // The first round warms the disk's cache and counts for nobody.
    for (let round = -1; round < rounds; round++) {
      for (const subject of group.subjects) await once(subject)
      if (round === -1) for (const { name } of group.subjects) results.delete(name)
      process.stderr.write(`${group.name}: ${round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`}\n`)
    }
  }
} finally {
  await world.close()
}
console.log(options.json ? JSON.stringify(Object.fromEntries(results), null, 2) : report(groups, results, DELTA.length))
