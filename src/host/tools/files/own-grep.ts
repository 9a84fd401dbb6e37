import { basename, join } from 'node:path'
import {
  gatherGrep,
  type GrepDeps,
  type GrepInput,
  grepLimit,
  type GrepResult,
  isSearchedFolder,
} from './grep-result.js'
import { pathMatcher } from './path-glob.js'
import { findLines, lineMatcher, searchableText } from './search-text.js'
import { walk } from './walk.js'

/**
 * Searches texts over our own walk, for a machine without ripgrep: the same parameters and form of result. Links, binary
 * files and those that may not be read are left out.
 *
 * @throws Error for a path that isn't there, a pattern that is none, and a stop
 */
export async function ownGrep(
  input: GrepInput,
  { resolve, mayRead }: GrepDeps,
  signal: AbortSignal | undefined,
): Promise<GrepResult> {
  const root = resolve(input.path ?? '.')
  const isFolder = isSearchedFolder(root)
  const matches = lineMatcher(input.pattern, input)
  const inGlob = input.glob === undefined ? () => true : pathMatcher(input.glob)
  const limit = grepLimit(input)
  const gathered = gatherGrep(limit)
  let count = 0
  for await (const path of isFolder ? filesBelow(root, signal) : [basename(root)]) {
    const file = isFolder ? join(root, path) : root
    if (!inGlob(path) || !mayRead(file)) continue
    const text = searchableText(file)
    if (text === undefined) continue
    const { found, matches: more } = findLines(text, matches, Math.max(0, input.context ?? 0), limit - count)
    count += more
    for (const line of found) if (!gathered.isFull()) gathered.add({ path, ...line })
    if (gathered.isLimited() || gathered.isFull()) break
  }
  if (signal?.aborted) throw new Error('Operation aborted')
  return gathered.result()
}

async function* filesBelow(root: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for await (const { path, isFolder } of walk(root, signal)) if (!isFolder) yield path
}
