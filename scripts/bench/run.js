// Measures enso against bare node, pi and whatever other agents are installed, on one endpoint, in interleaved rounds,
// and prints medians and ratios; then the server's and the logs' own measures.
//   node scripts/bench/run.js [--rounds N] [--only GROUP[,GROUP]] [--full] [--json] [--store | --check]
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { measure } from './measure.js'
import { ratiosOf, store, stored, worsened } from './check.js'
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
    store: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
})
const rounds = Math.max(1, Number(options.rounds))
const starter = join(root, 'dist/start.cjs')
// A test's build is not the one that people get: its chunks are not put together.
if (!existsSync(starter) || !readFileSync(starter, 'utf8').includes('packs/')) await import('../warm.js')

const world = await createWorld()
const all = groupsWith(world)
/** Programs of their own, whose words are printed as they are. */
const OTHERS = /** @type {const} */ ({ serve: ['serve.ts'], logs: ['logs.ts', '200'], threads: ['threads.ts'] })
const chosen = options.only?.split(',') ?? [
  ...all.map(({ name }) => name),
  ...(options.check ? [] : Object.keys(OTHERS)),
]
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
  const program = { command: subject.command ?? NODE, args: subject.argv, env: world.env, cwd: world.cwd }
  const measured = await measure(program, { boundMs: BOUND_MS, ...(count > 0 ? { firstRequest } : {}) })
  results.set(subject.name, [...(results.get(subject.name) ?? []), measured])
  if (measured.failed) console.error(`${subject.name}: ${measured.failed}`)
}

try {
  const names = [...all.map(({ name }) => name), ...Object.keys(OTHERS)]
  const unknown = chosen.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`there is no group ${unknown}; there are ${names.join(', ')}`)
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
const ratios = ratiosOf(groups, results)
if (options.json) console.log(JSON.stringify(Object.fromEntries(results), null, 2))
else if (groups.length > 0) console.log(report(groups, results, DELTA.length))
for (const [name, [file, ...args]] of Object.entries(OTHERS)) {
  if (!chosen.includes(name)) continue
  console.log(`\n## ${name}\n`)
  const script = join(root, 'scripts/bench', file)
  const ended = spawnSync(NODE, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 3 * BOUND_MS,
    killSignal: 'SIGKILL',
  })
  if (ended.status !== 0) console.log(`${file} failed: ${ended.error?.message ?? `exit ${ended.status}`}`)
}
if (options.store) store(ratios)
if (options.check) {
  const worse = worsened(ratios, stored())
  for (const line of worse) console.error(`worse: ${line}`)
  process.exitCode = worse.length === 0 ? 0 : 1
}
