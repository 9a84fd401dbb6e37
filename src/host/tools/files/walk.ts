import { readdirSync, readFileSync, type Dirent } from 'node:fs'
import { join } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** Entries looked at before other work gets its turn. */
const BATCH = 500

/** A folder's own ignore rules with those of the folders above it, each asked with a path of its own. */
interface Rules {
  readonly prefix: string
  readonly ignore: Ignore
}

/**
 * Every file below a folder that git would not ignore, as paths relative to it with `/`, in order of name. Hidden files
 * are among them; `.git` and `node_modules` are not. Symbolic links are named, never followed. Gives other work its
 * turn, and ends early when the signal says so.
 */
export async function* walkFiles(root: string, signal?: AbortSignal): AsyncGenerator<string> {
  let looked = 0
  async function* below(folder: string, rules: readonly Rules[]): AsyncGenerator<string> {
    const entries = entriesOf(join(root, folder))
    const own = entries.some((entry) => entry.name === '.gitignore') ? rulesOf(root, folder) : undefined
    const all = own === undefined ? rules : [...rules, own]
    for (const entry of entries) {
      if (signal?.aborted) return
      if (++looked % BATCH === 0) await new Promise((resolve) => setImmediate(resolve))
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (entry.name === '.git' || entry.name === 'node_modules' || isIgnored(`${path}/`, all)) continue
        yield* below(path, all)
      } else if (!isIgnored(path, all)) yield path
    }
  }
  yield* below('', [])
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // A folder that can't be listed has nothing to search; the search goes on beside it.
    return []
  }
}

function rulesOf(root: string, folder: string): Rules | undefined {
  try {
    const text = readFileSync(join(root, folder, '.gitignore'), 'utf8')
    return { prefix: folder === '' ? '' : `${folder}/`, ignore: ignore().add(text) }
  } catch {
    return undefined
  }
}

/** The deepest rules that say something decide. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { prefix, ignore } of rules.toReversed()) {
    const verdict = ignore.test(path.slice(prefix.length))
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}
