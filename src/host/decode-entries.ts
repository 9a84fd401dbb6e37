import type { EnsoTranscriptEntry, EnsoTranscriptPart } from '../core/index.js'
import { descriptorOf, loose, refusalOf, textOf, type Loose } from './message-values.js'

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

/** The branch that ends at the newest entry, oldest first. An entry whose parent is missing begins it. */
export function currentBranch(entries: readonly StoredEntry[]): StoredEntry[] {
  const byId = new Map<string, StoredEntry>()
  for (const entry of entries) byId.set(entry.id, entry)
  const branch: StoredEntry[] = []
  const seen = new Set<string>()
  let current = entries.at(-1)
  while (current && !seen.has(current.id)) {
    seen.add(current.id)
    branch.push(current)
    current = typeof current.parentId === 'string' ? byId.get(current.parentId) : undefined
  }
  return branch.reverse()
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
