// A folder and processes that end with this program, however it ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * @typedef {object} Scratch
 * @property {string} dir
 * @property {(path: string) => string} owns another folder that goes with it
 * @property {(group: number | undefined) => () => void} holds a process group that is killed with it, until let go
 */

/** @param {string} name @returns {Scratch} */
export function createScratch(name) {
  const dir = mkdtempSync(join(tmpdir(), name))
  const folders = [dir]
  /** @type {Set<number>} */
  const groups = new Set()
  process.once('exit', () => {
    for (const group of groups) killGroup(group)
    // What was killed just now may still be writing.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return {
    dir,
    owns: (path) => {
      folders.push(path)
      return path
    },
    holds: (group) => {
      if (group === undefined) return () => undefined
      groups.add(group)
      return () => void groups.delete(group)
    },
  }
}

/** Ends a process and those it started. @param {number} group */
export function killGroup(group) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
