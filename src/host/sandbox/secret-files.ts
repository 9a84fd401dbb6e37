import { readdirSync, type Dirent } from 'node:fs'
import { join } from 'node:path'

/** Folders that hold other people's files by the thousand and none of a person's own secrets. */
const NOT_SEARCHED = new Set(['node_modules', '.git', '.venv', 'venv', 'target', 'dist', '.cache'])

/** At most this many entries are looked at below one root; the rest is left to the guard in front. */
export const SECRET_SEARCH_LIMIT = 20_000

/**
 * The secret files below a folder, by name, breadth first and bounded: what the sandbox puts out of reach.
 * Symbolic links are not followed.
 */
export function secretFilesBelow(root: string, isSecretName: (name: string) => boolean): string[] {
  const found: string[] = []
  const queue = [root]
  let looked = 0
  for (let folder = queue.shift(); folder !== undefined && looked < SECRET_SEARCH_LIMIT; folder = queue.shift()) {
    for (const entry of entriesOf(folder)) {
      looked++
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!NOT_SEARCHED.has(entry.name)) queue.push(path)
      } else if (entry.isFile() && isSecretName(entry.name)) found.push(path)
    }
  }
  return found
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A folder that can't be listed can't be read by the command either.
    return []
  }
}
