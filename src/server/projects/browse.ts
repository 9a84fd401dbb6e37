import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type EnsoDirectoryEntry, type EnsoDirectoryListing, type EnsoRefusal, refusal } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { askedFolder } from './asked-path.js'
import { isFolder, isHiddenInside, rootOf } from './roots.js'

/** Most folders of one listing. */
export const BROWSE_MAX_FOLDERS = 500

/** A listing, or why there is none. */
export type Browsing =
  | { readonly ok: true; readonly listing: EnsoDirectoryListing }
  | { readonly ok: false; readonly refusal: EnsoRefusal }

/**
 * The declared roots, or one folder inside them and the folders in it. A link is followed, and is listed by where it
 * leads, if that is inside a root.
 */
export async function browse(
  asked: string | undefined,
  roots: readonly string[],
  projectIdAt: (path: string) => string | undefined,
): Promise<Browsing> {
  const entryAt = (name: string, path: string): EnsoDirectoryEntry => {
    const projectId = projectIdAt(path)
    return projectId === undefined ? { name, path } : { name, path, projectId }
  }
  if (asked === undefined) {
    const directories = roots.map((root) => entryAt(basename(root) || root, root))
    return { ok: true, listing: { path: null, parent: null, registrable: false, directories, truncated: false } }
  }
  const found = askedFolder(asked, roots)
  if (!found.ok) return found
  const { path, root } = found
  const names = await folderNames(path)
  if (names === undefined) return { ok: false, refusal: refusal('refused', 'the folder can’t be read') }
  const directories: EnsoDirectoryEntry[] = []
  let truncated = false
  for (const name of names) {
    const real = canonicalPath(join(path, name))
    const holding = rootOf(roots, real)
    if (holding === undefined || isHiddenInside(holding, real) || !isFolder(real)) continue
    if (directories.length === BROWSE_MAX_FOLDERS) {
      truncated = true
      break
    }
    directories.push(entryAt(name, real))
  }
  const parent = path === root ? null : dirname(path)
  return { ok: true, listing: { path, parent, registrable: path !== root, directories, truncated } }
}

/** Names of what may be a folder, hidden ones left out; `undefined` where they can't be read. */
async function folderNames(path: string): Promise<readonly string[] | undefined> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
      .sort()
  } catch {
    // Not ours to read, or gone since it was looked at.
    return undefined
  }
}
