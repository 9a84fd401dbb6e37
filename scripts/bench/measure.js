// Runs one program and measures it from outside: wall time, CPU of it and its children, peak memory, bytes it wrote.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { killGroup } from './scratch.js'

/**
 * @typedef {object} Program
 * @property {string} command
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string>>} env
 * @property {string} cwd
 *
 * @typedef {object} Measured
 * @property {number} wallMs
 * @property {number} cpuMs
 * @property {number} peakMiB
 * @property {number} bytes of standard output
 * @property {number} lines of standard output
 * @property {number | undefined} requestMs from the start to the request with the prompt; `undefined` when there was none
 * @property {string | undefined} failed why the figures don't count
 *
 * @typedef {object} Said what the output must hold
 * @property {string} text
 * @property {number} bytes at least
 */

// bash's own clock is exact about CPU where sampling is not. Its result goes to descriptor 3, away from the program.
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" 2>&4 3>&- 4>&-; } 2>&3'
const SAMPLE_MS = 5

/**
 * @param {Program} program
 * @param {object} options
 * @param {number} options.boundMs
 * @param {(group: number | undefined) => () => void} options.holds takes the program's process group, so that it never outlives us
 * @param {() => number | undefined} [options.requestAt] when the request with the prompt came, by `performance.now()`
 * @param {Said} [options.said] a run that says less doesn't count
 * @returns {Promise<Measured>}
 */
export async function measure(program, { boundMs, holds, requestAt, said }) {
  const startedAt = performance.now()
  const child = spawn('bash', ['-c', TIMED, program.command, ...program.args], {
    cwd: program.cwd,
    env: { ...program.env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const letGo = holds(child.pid)
  let heard = said === undefined
  let [bytes, lines, peakKiB, timing, complaint] = [0, 0, 0, '', '']
  child.stdout?.on('data', (/** @type {Buffer} */ chunk) => {
    bytes += chunk.length
    heard ||= said !== undefined && chunk.includes(said.text)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  })
  child.stdio[3]?.on('data', (/** @type {Buffer} */ chunk) => (timing += String(chunk)))
  child.stdio[4]?.on('data', (/** @type {Buffer} */ chunk) => (complaint = complaint.concat(String(chunk)).slice(-300)))
  const sampler = setInterval(() => (peakKiB = Math.max(peakKiB, peakOf(child.pid))), SAMPLE_MS)
  let late = false
  const bound = setTimeout(() => {
    late = true
    if (child.pid) killGroup(child.pid)
  }, boundMs)
  const code = await new Promise((resolve) => child.on('close', resolve))
  letGo()
  clearTimeout(bound)
  clearInterval(sampler)
  const silent = !heard || bytes < (said?.bytes ?? 0) ? 'it did not say the whole reply' : undefined
  const at = requestAt?.()
  const [real = 0, user = 0, system = 0] = timing.trim().split(/\s+/).map(Number)
  return {
    wallMs: real * 1000,
    cpuMs: (user + system) * 1000,
    peakMiB: peakKiB / 1024,
    bytes,
    lines,
    requestMs: at === undefined ? undefined : at - startedAt,
    failed: late ? `killed after ${boundMs / 1000} s` : code === 0 ? silent : `exit ${code}: ${complaint.trim()}`,
  }
}

/** The high-water mark of resident memory, in KiB, of the largest process under bash. @param {number | undefined} pid @returns {number} */
function peakOf(pid) {
  return Math.max(0, ...childrenOf(pid).map((child) => Math.max(highWater(child), peakOf(child))))
}

/** @param {number | undefined} pid @returns {number[]} */
function childrenOf(pid) {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
}

/** @param {number} pid */
function highWater(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has just begun or ended.
    return ''
  }
}
