// Runs the programs of groups in turn, round after round.
import { performance } from 'node:perf_hooks'
import { measure } from './measure.js'
import { NODE } from './subjects.js'

/** About four tokens. */
export const DELTA = 'streaming words '
const BOUND_MS = 120_000
/** Some programs cut blanks off the end of a reply. */
const TRIMMED = 1

/** @typedef {import('./measure.js').Measured} Measured */

/**
 * @param {readonly import('./subjects.js').Group[]} groups
 * @param {Awaited<ReturnType<typeof import('./world.js').createWorld>>} world
 * @param {number} rounds
 * @param {(text: string) => void} tell
 * @returns {Promise<Map<string, Measured[]>>}
 */
export async function inRounds(groups, world, rounds, tell) {
  /** @type {Map<string, Measured[]>} */
  const results = new Map()
  for (const group of groups) {
    // The first round warms the disk's cache and counts for nobody.
    for (let round = -1; round < rounds; round++) {
      for (const subject of group.subjects) {
        const measured = await once(subject, world)
        if (measured.failed) tell(`${subject.name}: ${measured.failed}`)
        if (round >= 0) results.set(subject.name, [...(results.get(subject.name) ?? []), measured])
      }
      tell(`${group.name}: ${round < 0 ? 'warm-up' : `round ${round + 1} of ${rounds}`}`)
    }
  }
  return results
}

/** @param {import('./subjects.js').Subject} subject @param {Parameters<typeof inRounds>[1]} world */
async function once({ command = NODE, argv, deltas = 0, env }, { server, scratch, cwd, ...world }) {
  const program = { command, args: argv, env: { ...world.env, ...env }, cwd }
  if (deltas === 0) return measure(program, { boundMs: BOUND_MS, holds: scratch.holds })
  const reply = { deltas: Array.from({ length: deltas }, () => DELTA) }
  let requestAt = /** @type {number | undefined} */ (undefined)
  server.otherwise((body) => {
    // Titles and other things of a program's own are asked for without tools.
    if (!Array.isArray(body.tools)) return { text: 'a title' }
    requestAt ??= performance.now()
    return reply
  })
  const said = { text: DELTA.trim(), bytes: deltas * DELTA.length - TRIMMED }
  return measure(program, { boundMs: BOUND_MS, holds: scratch.holds, requestAt: () => requestAt, said })
}
