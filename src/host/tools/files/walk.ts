import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isIgnored, rulesAbove, rulesIn, type IgnoreRules } from './ignore-rules.js'

/** Milliseconds of a walk, and of what is done with its files, before other work gets its turn. */
const TURN_MS = 20

/** Folders that nobody searches without naming them. */
const NEVER = new Set(['.git', 'node_modules'])

/** One file, or folder, of a walk. Neither says where a symbolic link leads: links are named, never followed. */
export interface WalkEntry {
  /** Below the root, with `/`. */
  readonly path: string
  readonly isFolder: boolean
}

/**
 * Everything below a folder that git would not ignore, in order of name, a folder before what is in it. Hidden files
 * are among them; `.git` and `node_modules` are not. Gives other work its turn, and ends early when the signal says so.
 */
export async function* walk(root: string, signal?: AbortSignal): AsyncGenerator<WalkEntry> {
  let turn = performance.now()
  async function* below(folder: string, above: readonly IgnoreRules[]): AsyncGenerator<WalkEntry> {
    const entries = entriesOf(join(root, folder))
    const own = entries.some((entry) => entry.name === '.gitignore') ? rulesIn(join(root, folder)) : undefined
    const rules = own === undefined ? above : [...above, own]
    for (const entry of entries) {
      if (signal?.aborted) return
      if (performance.now() - turn > TURN_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        turn = performance.now()
      }
      const isFolder = entry.isDirectory()
      if (isFolder && NEVER.has(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isIgnored(isFolder ? `${join(root, path)}/` : join(root, path), rules)) continue
      yield { path, isFolder }
      if (isFolder) yield* below(path, rules)
    }
  }
  yield* below('', rulesAbove(root))
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // A folder that can't be listed has nothing to search; the search goes on beside it.
    return []
  }
}
