// What is measured: programs by group, and the pairs whose ratios are printed.
import { join } from 'node:path'
import { hello } from './groups/hello.js'
import { start } from './groups/start.js'
import { stream } from './groups/stream.js'
import { root } from './world.js'

/**
 * @typedef {'wallMs' | 'cpuMs' | 'peakMiB' | 'requestMs' | 'bytes'} Figure
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} [command] the program, where it is not node
 * @property {readonly string[]} argv after it
 * @property {Readonly<Record<string, string>>} [env] beside the common one
 * @property {number} [deltas] how many chunks the endpoint streams; none when there is no request
 *
 * @typedef {object} Pair
 * @property {string} ours
 * @property {string} theirs
 * @property {readonly Figure[]} figures
 *
 * @typedef {object} Group
 * @property {string} name
 * @property {string} about
 * @property {readonly Subject[]} subjects
 * @property {readonly Pair[]} pairs
 *
 * @typedef {object} Programs what the subjects are made of
 * @property {string} enso
 * @property {string} pi
 * @property {readonly string[]} piFlags
 * @property {(name: string) => string} program one of the bench's own
 * @property {string} bundledMinimal
 * @property {string} leanMinimal
 * @property {string} extension
 * @property {readonly import('./agents/installed.js').Agent[]} agents
 */

export const NODE = process.execPath

/**
 * @param {Pick<Programs, 'bundledMinimal' | 'leanMinimal' | 'extension' | 'agents'>} world
 * @param {{ full: boolean }} options `full`: what is slow by nature too
 * @returns {readonly Group[]}
 */
export function groupsWith(world, { full }) {
  const programs = {
    ...world,
    enso: join(root, 'bin/enso.js'),
    pi: join(root, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js'),
    piFlags: ['--no-session', '--model', 'local/x'],
    program: (/** @type {string} */ name) => join(root, 'scripts/bench/programs', name),
  }
  return [start(programs), hello(programs), stream(programs, full)]
}
