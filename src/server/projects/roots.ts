import { statSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { ensoLogger } from '../../core/index.js'
import { expandHome } from '../../system/home.js'
import { canonicalPath } from '../../system/project-id.js'

const log = ensoLogger('server', 'projects')

/**
 * The folders projects may be registered under, canonical: absolute ones and `~/` ones that are there. Anything else
 * grants nothing and is said in the log.
 */
export function projectRoots(
  configured: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const roots = new Set<string>()
  for (const root of configured) {
    if (!isAbsolute(root) && root !== '~' && !root.startsWith('~/')) {
      log.warn('project root {root} is neither absolute nor in the home folder, and grants nothing', { root })
      continue
    }
    const path = canonicalPath(expandHome(root, env))
    if (isFolder(path)) roots.add(path)
    else log.warn('project root {root} is no folder, and grants nothing', { root })
  }
  return [...roots]
}

/** The path from `root` down to `path`, both canonical; `undefined` where `path` is not inside. Empty for the root. */
export function pathInside(root: string, path: string): string | undefined {
  const inside = relative(root, path)
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside
}

/** The root that holds a canonical path; of several the innermost. */
export function rootOf(roots: readonly string[], path: string): string | undefined {
  const holding = roots.filter((root) => pathInside(root, path) !== undefined)
  return holding.sort((a, b) => b.length - a.length)[0]
}

/** Is there a hidden folder on the way from the root to the path? */
export function isHiddenInside(root: string, path: string): boolean {
  return (pathInside(root, path) ?? '').split(sep).some((segment) => segment.startsWith('.'))
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
