import { statSync } from 'node:fs'
import { DEFAULT_MAX_BYTES, formatSize, truncateHead, truncateLine } from '@mariozechner/pi-coding-agent'

/** How many matches are shown where the model names no number. */
const DEFAULT_LIMIT = 100

/** The parameters of the text search. */
export interface GrepInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly ignoreCase?: boolean
  readonly literal?: boolean
  readonly context?: number
  readonly limit?: number
}

/** What a text search is made with. */
export interface GrepDeps {
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

/** A line that matches, or one beside it. Numbers from 1; `path` as the model is told it. */
export interface GrepLine {
  readonly path: string
  readonly line: number
  readonly text: string
  readonly isMatch: boolean
}

/** Characters after which more of a result would not be shown: it is cut at 50 KB. */
const ENOUGH_CHARS = 64 * 1024

/** Gathers what a search finds until it is enough. */
export interface GrepGathering {
  add(line: GrepLine): void
  /** As many matches as were asked for. */
  isLimited(): boolean
  isEmpty(): boolean
  /** More than a result shows. */
  isFull(): boolean
  result(): GrepResult
}

/** @param limit most matches */
export function gatherGrep(limit: number): GrepGathering {
  const lines: string[] = []
  let chars = 0
  let matches = 0
  let longLines = false
  return {
    add({ path, line, text, isMatch }) {
      const short = truncateLine(text)
      longLines ||= short.wasTruncated
      const said = isMatch ? `${path}:${line}: ${short.text}` : `${path}-${line}- ${short.text}`
      lines.push(said)
      chars += said.length + 1
      if (isMatch) matches++
    },
    isLimited: () => matches >= limit,
    isEmpty: () => matches === 0,
    isFull: () => chars > ENOUGH_CHARS,
    result() {
      if (matches === 0) return { text: 'No matches found', details: undefined }
      const limited = matches >= limit
      const truncation = truncateHead(lines.join('\n'), { maxLines: Number.MAX_SAFE_INTEGER })
      const notes = [
        ...(limited ? [`${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern`] : []),
        ...(truncation.truncated ? [`${formatSize(DEFAULT_MAX_BYTES)} limit reached`] : []),
        ...(longLines ? ['Some lines truncated. Use read tool to see full lines'] : []),
      ]
      const details = {
        ...(limited ? { matchLimitReached: limit } : {}),
        ...(truncation.truncated ? { truncation } : {}),
        ...(longLines ? { linesTruncated: true } : {}),
      }
      return { text: truncation.content + (notes.length > 0 ? `\n\n[${notes.join('. ')}]` : ''), details }
    },
  }
}

/** The most matches that an input asks for. */
export function grepLimit({ limit = DEFAULT_LIMIT }: GrepInput): number {
  return Math.max(1, limit)
}

/**
 * Is what is searched a folder, or one file?
 *
 * @throws Error where nothing is there, and for what has no end (a device, a pipe)
 */
export function isSearchedFolder(root: string): boolean {
  const stat = statSync(root, { throwIfNoEntry: false })
  if (stat === undefined) throw new Error(`Path not found: ${root}`)
  if (!stat.isDirectory() && !stat.isFile()) throw new Error(`${root} is not a regular file`)
  return stat.isDirectory()
}
