import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { truncateHead, truncateLine } from '@mariozechner/pi-coding-agent'
import { pathMatcher } from './path-glob.js'
import { findLines, lineMatcher, searchableText } from './search-text.js'
import { walk } from './walk.js'

const DEFAULT_LIMIT = 100

/** The parameters of the search. */
export interface GrepInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly ignoreCase?: boolean
  readonly literal?: boolean
  readonly context?: number
  readonly limit?: number
}

/** What our own text search is made with. */
export interface OwnGrepDeps {
  /** How a path of the model becomes a real one. */
  readonly resolve: (path: string) => string
  /** May what is in this file be shown? */
  readonly mayRead: (path: string) => boolean
}

/** A search's result in the form of the agent library's own. */
export interface GrepResult {
  readonly text: string
  readonly details: Record<string, unknown> | undefined
}

/**
 * Searches texts over our own walk, for a machine without ripgrep: the same parameters and form of result as the agent
 * library's search. Links, binary files and those that may not be read are left out.
 *
 * @throws Error for a path that isn't there, a pattern that is none, and a stop
 */
export async function ownGrep(
  input: GrepInput,
  { resolve, mayRead }: OwnGrepDeps,
  signal: AbortSignal | undefined,
): Promise<GrepResult> {
  const root = resolve(input.path ?? '.')
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) throw new Error(`Path not found: ${root}`)
  const matches = lineMatcher(input.pattern, input)
  const inGlob = input.glob === undefined ? () => true : pathMatcher(input.glob)
  const limit = Math.max(1, input.limit ?? DEFAULT_LIMIT)
  const out: string[] = []
  let count = 0
  let longLines = false
  for await (const path of isFolder ? filesBelow(root, signal) : [basename(root)]) {
    const file = isFolder ? join(root, path) : root
    if (!inGlob(path) || !mayRead(file)) continue
    const text = searchableText(file)
    if (text === undefined) continue
    const found = findLines(text, matches, Math.max(0, input.context ?? 0), limit - count)
    count += found.matches
    for (const line of found.found) {
      const short = truncateLine(line.text)
      longLines ||= short.wasTruncated
      out.push(line.isMatch ? `${path}:${line.line}: ${short.text}` : `${path}-${line.line}- ${short.text}`)
    }
    if (count >= limit) break
  }
  if (signal?.aborted) throw new Error('Operation aborted')
  return count === 0 ? { text: 'No matches found', details: undefined } : result(out, count >= limit, limit, longLines)
}

async function* filesBelow(root: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for await (const { path, isFolder } of walk(root, signal)) if (!isFolder) yield path
}

function result(lines: readonly string[], limited: boolean, limit: number, longLines: boolean): GrepResult {
  const truncation = truncateHead(lines.join('\n'), { maxLines: Number.MAX_SAFE_INTEGER })
  const notes = [
    ...(limited ? [`${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern`] : []),
    ...(truncation.truncated ? ['size limit reached'] : []),
    ...(longLines ? ['Some lines truncated. Use read tool to see full lines'] : []),
  ]
  return {
    text: truncation.content + (notes.length > 0 ? `\n\n[${notes.join('. ')}]` : ''),
    details: {
      ...(limited ? { matchLimitReached: limit } : {}),
      ...(truncation.truncated ? { truncation } : {}),
      ...(longLines ? { linesTruncated: true } : {}),
    },
  }
}
