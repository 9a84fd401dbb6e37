import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Folders are the owner's alone. */
export const PRIVATE_DIR_MODE = 0o700
/** Files are the owner's alone, set when they are created and never left to the umask. */
export const PRIVATE_FILE_MODE = 0o600

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Makes a folder and its missing parents, each 0700. An existing one is left as it is. */
export function mkdirPrivate(path: string): void {
  if (isFolder(path)) return
  // One by one: Node's own recursion never ends in a file system that makes no folders and says so with ENOENT (/proc).
  if (dirname(path) !== path) mkdirPrivate(dirname(path))
  try {
    mkdirSync(path, { mode: PRIVATE_DIR_MODE })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(path)) throw error
  }
}

/**
 * Replaces a file whole: a reader sees the old text or the new one, never half of either, also after a crash.
 * @throws what the file system throws; the old file is then untouched and no temporary file stays
 */
export function writePrivateFile(path: string, text: string): void {
  mkdirPrivate(dirname(path))
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    const file = openSync(temporary, 'wx', PRIVATE_FILE_MODE)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
