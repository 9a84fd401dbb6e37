// Runs one program and measures it from outside: wall time, CPU of it and its children, peak memory, bytes it wrote.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

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
 * @property {number | undefined} requestMs from the start to the first request; `undefined` when there was none
 * @property {string | undefined} failed why the figures don't count
 */

// bash's own clock is exact about CPU where sampling is not. Its result goes to descriptor 3, away from the program.
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; { time "$0" "$@" 2>&4 3>&- 4>&-; } 2>&3'
const SAMPLE_MS = 5

/**
 * @param {Program} program
 * @param {{ boundMs: number, firstRequest?: Promise<number> }} options `firstRequest` resolves to `performance.now()`
 * @returns {Promise<Measured>}
 */
export async function measure(program, { boundMs, firstRequest }) {
  let requestAt = /** @type {number | undefined} */ (undefined)
  void firstRequest?.then((at) => (requestAt = at))
  const startedAt = performance.now()
  const child = spawn('bash', ['-c', TIMED, program.command, ...program.args], {
    cwd: program.cwd,
    env: { ...program.env },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let [bytes, lines, peakKiB, timing, complaint] = [0, 0, 0, '', '']
  child.stdout?.on('data', (/** @type {Buffer} */ chunk) => {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  })
  child.stdio[3]?.on('data', (/** @type {Buffer} */ chunk) => (timing += String(chunk)))
  child.stdio[4]?.on('data', (/** @type {Buffer} */ chunk) => (complaint = complaint.concat(String(chunk)).slice(-300)))
  const sampler = setInterval(() => (peakKiB = Math.max(peakKiB, peakOf(child.pid))), SAMPLE_MS)
  let late = false
  const bound = setTimeout(() => {
    late = true
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  }, boundMs)
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(bound)
  clearInterval(sampler)
  const [real = 0, user = 0, system = 0] = timing.trim().split(/\s+/).map(Number)
  return {
    wallMs: real * 1000,
    cpuMs: (user + system) * 1000,
    peakMiB: peakKiB / 1024,
    bytes,
    lines,
    requestMs: requestAt === undefined ? undefined : requestAt - startedAt,
    failed: late ? `killed after ${boundMs / 1000} s` : code === 0 ? undefined : `exit ${code}: ${complaint.trim()}`,
  }
}

/** The high-water mark of resident memory, in KiB, of the program under bash. @param {number | undefined} bash */
function peakOf(bash) {
  try {
    const pid = readFileSync(`/proc/${bash}/task/${bash}/children`, 'latin1').split(' ')[0]
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0)
  } catch {
    // It has just begun or ended.
    return 0
  }
}
