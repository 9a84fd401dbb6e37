import { lstatSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Confinement } from './confinement.js'

/** Git settings that name a program to run. */
const EXECUTING_GIT_SETTINGS =
  /^\s*(?:fsmonitor|hookspath|sshcommand|pager|editor|askpass|\w*cmd|helper|textconv|process|clean|smudge|include|path)\b|^\s*\[(?:alias|include|filter|credential)/im

/**
 * Protected names that don't exist can't be mounted over without leaving empty files behind. They are watched instead:
 * `absent` is taken before a command, and whatever of it is there afterwards is taken away again and named.
 */
export function absentProtected(confinement: Confinement): string[] {
  const paths = confinement.writeRoots.flatMap((root) => [
    ...confinement.protectedNames.filter((name) => name !== '.git').map((name) => join(root, name)),
    join(root, '.git', 'hooks'),
    join(root, '.git', 'config'),
  ])
  return paths.filter((path) => !isThere(path))
}

/** Takes away what appeared under protected names, and says which. What `git init` itself writes may stay. */
export function undoAppeared(absent: readonly string[]): string[] {
  const undone: string[] = []
  for (const path of absent) {
    if (!isThere(path)) continue
    if (path.endsWith('/.git/hooks')) undone.push(...removeLiveHooks(path))
    else if (path.endsWith('/.git/config')) {
      if (EXECUTING_GIT_SETTINGS.test(readFileSync(path, 'utf8'))) undone.push(remove(path))
    } else undone.push(remove(path))
  }
  return undone
}

function removeLiveHooks(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !name.endsWith('.sample'))
    .map((name) => remove(join(folder, name)))
}

function remove(path: string): string {
  rmSync(path, { recursive: true, force: true })
  return path
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
