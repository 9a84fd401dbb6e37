import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FindOperations } from '@mariozechner/pi-coding-agent'
import picomatch from 'picomatch'
import { walkFiles } from './walk.js'

/**
 * File search without a program of the machine: what is installed there may be missing or too old. A pattern without a
 * slash is matched against names, one with a slash against the end of paths, as the agent library's own search does it.
 */
export const findOperations: FindOperations = {
  exists: (path) => existsSync(path),
  glob: async (pattern, root, { limit }) => {
    const matches = pathMatcher(pattern)
    const found: string[] = []
    for await (const path of walkFiles(root)) {
      if (!matches(path)) continue
      found.push(join(root, path))
      if (found.length >= limit) break
    }
    return found
  },
}

/** Does a path (with `/`) match a glob? */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const options = { dot: true }
  if (!pattern.includes('/')) {
    const matches = picomatch(pattern, options)
    return (path) => matches(path.slice(path.lastIndexOf('/') + 1))
  }
  const anchored = /^(\/|\*\*)/.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`
  return picomatch(anchored, options)
}
