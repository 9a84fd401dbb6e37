import type { EnsoTranscriptEntry, EnsoTranscriptPart } from '../../core/index.js'
import { descriptorOf, loose, refusalOf, textOf, type Loose } from '../observe/message-values.js'

/** An entry of a session as it is stored: a node of the tree that the thread's branches make. */
export interface StoredEntry extends Loose {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
}

/** Is this line of a session file an entry? The header is none. */
export function isStoredEntry(value: unknown): value is StoredEntry {
  const { type, id, parentId } = loose(value)
  const hasParent = parentId === null || parentId === undefined || typeof parentId === 'string'
  return typeof type === 'string' && type !== 'session' && typeof id === 'string' && hasParent
}

/**
 * The branch that ends at the newest entry, oldest first. Where the line of a parent was lost, the entry before it in
 * the file stands in: one bad line must not take everything older with it.
 */
export function currentBranch<T extends Pick<StoredEntry, 'id' | 'parentId'>>(entries: readonly T[]): T[] {
  const indexOf = new Map<string, number>()
  for (const [index, entry] of entries.entries()) indexOf.set(entry.id, index)
  const branch: T[] = []
  const seen = new Set<number>()
  let index: number | undefined = entries.length - 1
  while (index !== undefined && index >= 0 && !seen.has(index)) {
    seen.add(index)
    const entry: T = entries[index]!
    branch.push(entry)
    index = typeof entry.parentId === 'string' ? (indexOf.get(entry.parentId) ?? index - 1) : undefined
  }
  return branch.reverse()
}

/** Makes the same repair in a list of entries, in place, so that whoever follows `parentId` finds the whole branch. */
export function mendParents(entries: readonly { id: string; parentId: string | null }[]): void {
  const ids = new Set(entries.map((entry) => entry.id))
  for (const [index, entry] of entries.entries()) {
    if (entry.parentId !== null && !ids.has(entry.parentId)) entry.parentId = entries[index - 1]?.id ?? null
  }
}

function decodePart(part: unknown): EnsoTranscriptPart {
  const fields = loose(part)
  const { type, text, thinking, data, mimeType, id, name } = fields
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'thinking' && typeof thinking === 'string') return { type, thinking }
  if (type === 'image' && typeof data === 'string' && typeof mimeType === 'string') return { type, data, mimeType }
  if (type === 'toolCall' && typeof id === 'string' && typeof name === 'string') {
    return { type: 'tool-call', toolCallId: id, toolName: name, args: fields['arguments'] }
  }
  return { type: 'other', kind: typeof type === 'string' ? type : 'unknown' }
}

/** A message's content as parts, whatever form it is stored in. */
export function decodeParts(content: unknown): EnsoTranscriptPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(decodePart) : []
}

const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '')

type Head = { readonly id: string; readonly at?: string }

function decodeMessage(head: Head, message: Loose): EnsoTranscriptEntry {
  const { role, content } = message
  if (role === 'user') return { kind: 'message', ...head, role, parts: decodeParts(content) }
  if (role === 'assistant') {
    const refusal = refusalOf(message)
    return { kind: 'message', ...head, role, parts: decodeParts(content), ...(refusal ? { refusal } : {}) }
  }
  if (role === 'toolResult') {
    const descriptor = descriptorOf(message['details'])
    return {
      kind: 'tool-result',
      ...head,
      toolCallId: nameOf(message['toolCallId']),
      toolName: nameOf(message['toolName']),
      text: textOf(content, '\n'),
      isError: message['isError'] === true,
      ...(descriptor ? { descriptor } : {}),
    }
  }
  return { kind: 'other', ...head, type: typeof role === 'string' ? role : 'message' }
}

/** One stored entry as a surface reads it. */
export function decodeEntry(entry: StoredEntry): EnsoTranscriptEntry {
  const { timestamp, customType } = entry
  const head: Head = { id: entry.id, ...(typeof timestamp === 'string' ? { at: timestamp } : {}) }
  if (entry.type === 'message') return decodeMessage(head, loose(entry['message']))
  if (entry.type === 'custom' && typeof customType === 'string') {
    return { kind: 'custom', ...head, customType, data: entry['data'] }
  }
  return { kind: 'other', ...head, type: entry.type }
}

/** The newest data of a custom entry on a branch, or `undefined` when it holds none. */
export function lastCustomData(branch: readonly StoredEntry[], customType: string): unknown {
  for (let at = branch.length - 1; at >= 0; at--) {
    const entry = branch[at]!
    if (entry.type === 'custom' && entry['customType'] === customType) return entry['data']
  }
  return undefined
}
