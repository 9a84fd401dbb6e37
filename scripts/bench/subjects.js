// What is measured: programs by group, and the pairs whose ratios are printed.
import { join } from 'node:path'
import { root } from './world.js'

const node = process.execPath
const enso = join(root, 'bin/enso.js')
const pi = join(root, 'node_modules/@mariozechner/pi-coding-agent/dist/cli.js')
const program = (/** @type {string} */ name) => join(root, 'scripts/bench/programs', name)
const piFlags = ['--no-session', '--model', 'local/x']

/**
 * @typedef {'wallMs' | 'cpuMs' | 'peakMiB' | 'requestMs' | 'bytes'} Figure
 * @typedef {object} Subject
 * @property {string} name
 * @property {string} [command] the program, where it is not node
 * @property {readonly string[]} argv after it
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
 */

/** @param {Awaited<ReturnType<typeof import('./world.js').createWorld>>} world @returns {readonly Group[]} */
export const groupsWith = ({ bundledMinimal, extension, others }) => [
  {
    name: 'start',
    about: 'commands that need no model',
    subjects: [
      { name: 'node -e 0', argv: ['-e', '0'] },
      { name: 'enso --version', argv: [enso, '--version'] },
      { name: 'enso --help', argv: [enso, '--help'] },
      { name: 'enso threads', argv: [enso, 'threads', 'list'] },
      { name: 'enso stats', argv: [enso, 'stats'] },
      { name: 'enso schema', argv: [enso, 'schema'] },
      { name: 'enso completion', argv: [enso, 'completion', 'bash'] },
      { name: 'pi --version', argv: [pi, '--version'] },
    ],
    pairs: [
      { ours: 'enso --version', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso --help', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso threads', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso stats', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso schema', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso completion', theirs: 'node -e 0', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso --version', theirs: 'pi --version', figures: ['wallMs', 'cpuMs'] },
    ],
  },
  {
    name: 'hello',
    about: 'one prompt, a reply of one chunk',
    subjects: [
      { name: 'bare request', argv: [program('bare-request.js')], deltas: 1 },
      { name: 'enso', argv: [enso, '-m', 'local/x', '--ephemeral', 'hello'], deltas: 1 },
      { name: 'enso --json', argv: [enso, '--json', '-m', 'local/x', '--ephemeral', 'hello'], deltas: 1 },
      { name: 'enso, stored', argv: [enso, '-m', 'local/x', 'hello'], deltas: 1 },
      { name: 'enso, an extension', argv: [enso, '-m', 'local/x', '--ephemeral', '-e', extension, 'hello'], deltas: 1 },
      { name: 'minimal script on pi', argv: [program('minimal-pi.js')], deltas: 1 },
      { name: 'minimal script, bundled', argv: [bundledMinimal], deltas: 1 },
      { name: 'pi -p', argv: [pi, '-p', ...piFlags, 'hello'], deltas: 1 },
      { name: 'pi --mode json', argv: [pi, '--mode', 'json', ...piFlags, 'hello'], deltas: 1 },
      { name: 'pi -p, an extension', argv: [pi, '-p', ...piFlags, '-e', extension, 'hello'], deltas: 1 },
      ...others,
    ],
    pairs: [
      { ours: 'enso', theirs: 'pi -p', figures: ['requestMs', 'wallMs', 'cpuMs', 'peakMiB'] },
      { ours: 'enso --json', theirs: 'pi --mode json', figures: ['requestMs', 'wallMs', 'cpuMs', 'peakMiB'] },
      { ours: 'enso', theirs: 'minimal script, bundled', figures: ['requestMs', 'wallMs', 'cpuMs', 'peakMiB'] },
      { ours: 'enso', theirs: 'bare request', figures: ['requestMs', 'wallMs', 'cpuMs', 'peakMiB'] },
      { ours: 'enso, stored', theirs: 'enso', figures: ['wallMs', 'cpuMs'] },
      {
        ours: 'enso, an extension',
        theirs: 'pi -p, an extension',
        figures: ['requestMs', 'wallMs', 'cpuMs', 'peakMiB'],
      },
      ...others.map(({ name }) => ({
        ours: 'enso',
        theirs: name,
        figures: /** @type {const} */ (['requestMs', 'wallMs', 'cpuMs', 'peakMiB']),
      })),
    ],
  },
  {
    name: 'stream',
    about: 'one reply of 20,000 chunks (pi: 2,000 too, where it has not yet run out of memory)',
    subjects: [
      { name: 'bare stream 20k', argv: [program('bare-request.js'), '--json'], deltas: 20_000 },
      { name: 'minimal script on pi 20k', argv: [program('minimal-pi.js')], deltas: 20_000 },
      { name: 'minimal script, bundled 20k', argv: [bundledMinimal], deltas: 20_000 },
      { name: 'enso --json 20k', argv: [enso, '--json', '-m', 'local/x', '--ephemeral', 'hello'], deltas: 20_000 },
      { name: 'enso --json 100k', argv: [enso, '--json', '-m', 'local/x', '--ephemeral', 'hello'], deltas: 100_000 },
      { name: 'enso 20k', argv: [enso, '-m', 'local/x', '--ephemeral', 'hello'], deltas: 20_000 },
      { name: 'enso --json 2k', argv: [enso, '--json', '-m', 'local/x', '--ephemeral', 'hello'], deltas: 2000 },
      { name: 'pi --mode json 2k', argv: [pi, '--mode', 'json', ...piFlags, 'hello'], deltas: 2000 },
    ],
    pairs: [
      {
        ours: 'enso --json 20k',
        theirs: 'minimal script, bundled 20k',
        figures: ['wallMs', 'cpuMs', 'peakMiB', 'bytes'],
      },
      { ours: 'enso --json 20k', theirs: 'minimal script on pi 20k', figures: ['wallMs', 'cpuMs', 'peakMiB', 'bytes'] },
      { ours: 'enso --json 20k', theirs: 'bare stream 20k', figures: ['wallMs', 'cpuMs', 'peakMiB'] },
      { ours: 'enso --json 100k', theirs: 'enso --json 20k', figures: ['cpuMs', 'peakMiB'] },
      { ours: 'enso --json 2k', theirs: 'pi --mode json 2k', figures: ['wallMs', 'cpuMs', 'peakMiB', 'bytes'] },
    ],
  },
]

/** Slow by nature: asked for by `--full`. */
export const FULL_SUBJECT = {
  name: 'pi --mode json 20k',
  argv: [pi, '--mode', 'json', ...piFlags, 'hello'],
  deltas: 20_000,
}

export const NODE = node
