import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  createGrepToolDefinition,
  truncateHead,
  truncateLine,
  type ToolDefinition,
} from '@mariozechner/pi-coding-agent'
import { pathMatcher } from './find-operations.js'
import { findLines, lineMatcher, searchableText } from './search-text.js'
import { walkFiles } from './walk.js'

const DEFAULT_LIMIT = 100

interface GrepInput {
  readonly pattern: string
  readonly path?: string
  readonly glob?: string
  readonly ignoreCase?: boolean
  readonly literal?: boolean
  readonly context?: number
  readonly limit?: number
}

/**
 * The text search for a machine without ripgrep: the same name, parameters and form of result as the agent library's
 * own, over our own walk. `resolve` is how a path of the model becomes a real one; `mayRead` leaves secret files out.
 */
export function createOwnGrepTool(
  cwd: string,
  resolve: (path: string) => string,
  mayRead: (path: string) => boolean,
): ToolDefinition {
  const model = createGrepToolDefinition(cwd)
  return {
    name: model.name,
    label: model.label,
    description: model.description,
    ...(model.promptSnippet === undefined ? {} : { promptSnippet: model.promptSnippet }),
    parameters: model.parameters,
    execute: async (_id, params, signal) => {
      const { text, details } = await grep(params as GrepInput, resolve, mayRead, signal)
      return { content: [{ type: 'text', text }], details }
    },
  }
}

async function grep(
  input: GrepInput,
  resolve: (path: string) => string,
  mayRead: (path: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<{ text: string; details: Record<string, unknown> | undefined }> {
  const root = resolve(input.path ?? '.')
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory()
  if (isFolder === undefined) throw new Error(`Path not found: ${root}`)
  const matches = lineMatcher(input.pattern, input)
  const inGlob = input.glob === undefined ? () => true : pathMatcher(input.glob)
  const limit = Math.max(1, input.limit ?? DEFAULT_LIMIT)
  const out: string[] = []
  let count = 0
  let longLines = false
  for await (const path of isFolder ? walkFiles(root, signal) : [basename(root)]) {
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

function result(lines: readonly string[], limited: boolean, limit: number, longLines: boolean) {
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
