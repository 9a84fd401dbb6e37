// The benchmark's other parts, programs of their own: what the server, logs, stored threads and the page cost.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './world.js'

/** @type {Readonly<Record<string, readonly string[]>>} */
export const PARTS = {
  serve: ['serve.ts'],
  logs: ['logs.ts', '200'],
  threads: ['threads.ts'],
  page: ['page.ts'],
}

const BOUND_MS = 600_000

/**
 * Runs one part and returns its figures; its words go where ours go.
 * @param {string} name
 * @param {import('./scratch.js').Scratch} scratch
 * @returns {Promise<import('./results.js').Figures | undefined>} nothing when it failed
 */
export async function runPart(name, scratch) {
  const [file = '', ...args] = PARTS[name] ?? []
  const figures = join(scratch.dir, `${name}.json`)
  const tmp = join(scratch.dir, `tmp-${name}`)
  mkdirSync(tmp)
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'scripts/bench', file), ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, TMPDIR: tmp, BENCH_FIGURES: figures },
    detached: true,
    timeout: BOUND_MS,
    killSignal: 'SIGTERM',
  })
  const letGo = scratch.holds(child.pid)
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)))
  letGo()
  if (code === 0 && existsSync(figures)) return JSON.parse(readFileSync(figures, 'utf8'))
  process.stderr.write(`${file} failed: ${code}\n`)
  return undefined
}
