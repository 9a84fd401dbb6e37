import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mkdirPrivate } from '../system/private-files.js'
import { type CodeCache, packCodeCache } from './code-cache.js'

/** Caches of programs that nobody starts any more go after this long, in milliseconds. */
const STALE_MS = 30 * 24 * 60 * 60_000

/**
 * Writes a cache to the first of these files that can be written, whole or not at all. Of several processes that do so
 * at once the last one wins; that none of the files can be written is no fault: the next start compiles again.
 * @returns the file
 */
export function keepCodeCache(files: readonly string[], cache: CodeCache): string | undefined {
  const bytes = packCodeCache(cache)
  return files.find((file) => wrote(file, bytes))
}

function wrote(file: string, bytes: Buffer): boolean {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirPrivate(dirname(file))
    const open = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(open, bytes)
      // A file that is there but not whole would be run as it is.
      fsyncSync(open)
    } finally {
      closeSync(open)
    }
    renameSync(temporary, file)
    removeStale(file)
    return true
  } catch {
    // A folder of somebody else, a disk that is full or can only be read.
    return false
  }
}

function removeStale(file: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) {
    const other = join(folder, name)
    if (name !== basename(file) && statSync(other).mtimeMs < Date.now() - STALE_MS) rmSync(other, { force: true })
  }
}
