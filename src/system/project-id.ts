import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, resolve } from 'node:path'

/** The folder a path really names, symbolic links followed; the path itself where nothing is there. */
export function canonicalPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/**
 * A project's id: a readable head from the folder's name and 12 hex digits from its canonical path. Made from the path
 * alone, so it is never stored and can't drift. Passes `isEnsoProjectId`.
 */
export function projectIdOf(canonical: string): string {
  const head = basename(canonical)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24)
  const digest = createHash('sha256').update(canonical).digest('hex').slice(0, 12)
  return head === '' ? digest : `${head}-${digest}`
}
