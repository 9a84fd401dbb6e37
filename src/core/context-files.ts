import { firstWords } from './first-words.js'
import type { EnsoFileOperation } from './thread-context.js'
import type { ThreadRecord, ToolResultRecord } from './thread-record.js'

/** Most files of one search that are listed; the search's own row counts them all. */
const SEARCHED_FILES_MAX = 200

interface Call {
  readonly key: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly at: string
  readonly turn: number
}

const KINDS: ReadonlyMap<string, EnsoFileOperation['kind']> = new Map([
  ['read', 'read'],
  ['write', 'write'],
  ['edit', 'write'],
  ['grep', 'search'],
  ['find', 'search'],
  ['ls', 'search'],
])

/**
 * What the file tools did along a branch, in the order of their calls: one row for each read and write, for each search
 * one for the path that was searched and one for each file it matched. A call without a result has a row too.
 */
export function fileOperations(branch: readonly ThreadRecord[]): EnsoFileOperation[] {
  const results = resultsByCall(branch)
  const operations: EnsoFileOperation[] = []
  let turn = 0
  for (const record of branch) {
    if (record.kind !== 'reply') continue
    turn++
    for (const part of record.parts) {
      if (part.type !== 'tool-call') continue
      const result = results.get(part.toolCallId)?.shift()
      const kind = KINDS.get(part.toolName)
      if (kind === undefined) continue
      const args = typeof part.args === 'object' && part.args !== null ? (part.args as Record<string, unknown>) : {}
      const call = { key: part.toolCallId, tool: part.toolName, args, at: record.at ?? '', turn }
      operations.push(...(kind === 'search' ? searched(call, result) : [touched(kind, call, result)]))
    }
  }
  return operations
}

function resultsByCall(branch: readonly ThreadRecord[]): Map<string, ToolResultRecord[]> {
  const results = new Map<string, ToolResultRecord[]>()
  for (const record of branch) {
    if (record.kind !== 'tool-result') continue
    const known = results.get(record.toolCallId)
    if (known === undefined) results.set(record.toolCallId, [record])
    else known.push(record)
  }
  return results
}

function operationOf(
  kind: EnsoFileOperation['kind'],
  { key, tool, at, turn }: Call,
  result: ToolResultRecord | undefined,
  path: string,
  subject: string,
): EnsoFileOperation {
  const row = { key, kind, tool, path, subject, at, turn, added: 0, removed: 0, hits: 0, image: false }
  return { ...row, isError: result?.isError ?? false, ...(result === undefined ? {} : { resultKey: result.id }) }
}

function touched(kind: 'read' | 'write', call: Call, result: ToolResultRecord | undefined): EnsoFileOperation {
  const path = pathIn(call)
  const row = operationOf(kind, call, result, path, kind === 'read' ? `${path}${rangeIn(call)}` : path)
  if (kind === 'read') return { ...row, image: (result?.images.length ?? 0) > 0 }
  // A write that failed, or that has no result, changed nothing as far as is known.
  return result === undefined || result.isError ? row : { ...row, ...footprint(call, result) }
}

/** Lines a write added and removed: as the tool said, else as its arguments do. What a whole-file write replaced is unknown. */
function footprint({ tool, args }: Call, { changed }: ToolResultRecord): { added: number; removed: number } {
  if (changed !== undefined) return { ...changed }
  if (tool === 'write') return { added: lineCount(args['content']), removed: 0 }
  const edits = Array.isArray(args['edits']) ? (args['edits'] as unknown[]) : [args]
  const lines = (name: string): number =>
    edits.reduce<number>((sum, edit) => sum + lineCount((edit as Record<string, unknown> | null)?.[name]), 0)
  return { added: lines('newText'), removed: lines('oldText') }
}

function searched(call: Call, result: ToolResultRecord | undefined): EnsoFileOperation[] {
  const { tool, key } = call
  const pattern = typeof call.args['pattern'] === 'string' ? call.args['pattern'] : ''
  const row = operationOf('search', call, result, pathIn(call), firstWords(pattern) || pathIn(call))
  if (result === undefined || result.isError) return [row]
  const files = tool === 'grep' ? grepHits(result.text) : listedPaths(result.text)
  const hits = [...files.values()].reduce((sum, count) => sum + count, 0)
  if (tool === 'ls') return [{ ...row, hits }]
  const matched = [...files].slice(0, SEARCHED_FILES_MAX).map(([path, count], index) => ({
    ...row,
    key: `${key}/${index + 1}`,
    path,
    hits: count,
  }))
  return [{ ...row, hits }, ...matched]
}

/** Matches by file, in a text search's own form: `path:line: text`. */
function grepHits(text: string): Map<string, number> {
  const hits = new Map<string, number>()
  for (const line of text.split('\n')) {
    const path = /^(.+?):\d+: /.exec(line.slice(0, 4096))?.[1]
    if (path !== undefined) hits.set(path, (hits.get(path) ?? 0) + 1)
  }
  return hits
}

/** One path a line, up to the blank line before the tool's own remarks. */
function listedPaths(text: string): Map<string, number> {
  const paths = new Map<string, number>()
  if (/^(?:No files found|\(empty directory\))/.test(text)) return paths
  for (const line of (text.split('\n\n', 1)[0] ?? '').split('\n')) if (line !== '') paths.set(line, 1)
  return paths
}

function pathIn({ args }: Call): string {
  const path = args['path'] ?? args['file_path']
  return typeof path === 'string' && path !== '' ? path : '.'
}

function rangeIn({ args }: Call): string {
  const { offset, limit } = args
  if (typeof offset !== 'number' && typeof limit !== 'number') return ''
  const from = typeof offset === 'number' ? offset : 1
  return typeof limit === 'number' ? `:${from}-${from + limit - 1}` : `:${from}-`
}

function lineCount(text: unknown): number {
  if (typeof text !== 'string' || text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
