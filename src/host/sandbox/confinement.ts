import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './mounts.js'
import { secretFilesBelow } from './secret-files.js'

/** What a sandboxed command may reach, as the guard's policy and the machine have it. */
export interface Confinement {
  /** Absolute folders that may be written. */
  readonly writeRoots: readonly string[]
  /** The person's home directory. */
  readonly home: string
  /** Folders that are hidden whole: enso's own home, wherever it is. */
  readonly hiddenFolders: readonly string[]
  /** Files that are hidden, absolute: credentials, the server's token. */
  readonly hiddenFiles: readonly string[]
  /** Names directly in a write root that stay as they are: settings that would run something later. */
  readonly protectedNames: readonly string[]
  readonly isSecretName: (name: string) => boolean
}

/** Credentials below the home directory that no command of the agent has a use for. */
const HOME_SECRETS = ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.config/gh', '.config/gcloud']
const HOME_SECRET_FILES = ['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.pgpass']

/** Inside `.git` only what runs later is closed; commits must go on working. */
const GIT_PROTECTED = ['hooks', 'config']

/**
 * The mounts for one command, from what is there now. A write root that is reached through a symbolic link is refused:
 * the link could be turned between the look and the mount.
 *
 * @throws Error naming the root
 */
export function mountsFor(confinement: Confinement): Mount[] {
  const roots = confinement.writeRoots.filter((root) => existsSync(root))
  for (const root of roots) {
    if (realpathSync(root) !== root) throw new Error(`the write root ${root} is a symbolic link`)
  }
  const mounts: Mount[] = roots.map((path) => ({ kind: 'write', path }))
  for (const root of roots) {
    for (const name of confinement.protectedNames) {
      const path = join(root, name)
      if (name === '.git') mounts.push(...gitMounts(path))
      else if (isThere(path)) mounts.push({ kind: 'read-only', path })
    }
    for (const path of secretFilesBelow(root, confinement.isSecretName)) mounts.push({ kind: 'hide-file', path })
  }
  const { home } = confinement
  const folders = [...HOME_SECRETS.map((name) => join(home, name)), ...confinement.hiddenFolders]
  const files = [...HOME_SECRET_FILES.map((name) => join(home, name)), ...confinement.hiddenFiles]
  for (const path of folders) if (isFolder(path)) mounts.push({ kind: 'hide-folder', path: realpathSync(path) })
  for (const path of files) if (isFile(path)) mounts.push({ kind: 'hide-file', path: realpathSync(path) })
  return mounts
}

function gitMounts(git: string): Mount[] {
  // A worktree's `.git` is a file that names a folder elsewhere: it stays as it is.
  if (isFile(git)) return [{ kind: 'read-only', path: git }]
  return GIT_PROTECTED.map((name) => join(git, name))
    .filter(isThere)
    .map((path) => ({ kind: 'read-only', path }))
}

/** There, and no link: a link's target is judged at its own place. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
