import { isAbsolute } from 'node:path'
import { type EnsoRefusal, refusal } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { isFolder, isHiddenInside, rootOf } from './roots.js'

/** A folder somebody asked for, or why it isn't shown. */
export type AskedFolder =
  | { readonly ok: true; readonly path: string; readonly root: string }
  | { readonly ok: false; readonly refusal: EnsoRefusal }

/**
 * A path from outside as a folder inside a root. What lies outside is not looked at: neither by name, nor through a link
 * that leads out. Hidden folders are not there.
 */
export function askedFolder(asked: string, roots: readonly string[]): AskedFolder {
  if (!isAbsolute(asked) || /[\0\\]/.test(asked) || asked.split('/').includes('..')) {
    return refused('malformed', 'a folder is named by its absolute path')
  }
  const path = canonicalPath(asked)
  const root = rootOf(roots, path)
  if (root === undefined) return refused('refused', 'the folder is not inside a project root')
  if (isHiddenInside(root, path) || !isFolder(path)) return refused('not-found', 'there is no such folder')
  return { ok: true, path, root }
}

function refused(code: EnsoRefusal['code'], reason: string): AskedFolder {
  return { ok: false, refusal: refusal(code, reason) }
}
