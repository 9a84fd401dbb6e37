import type { EnsoContextUsage, RecordImage, ThreadRecord, ThreadRecords } from '../../core/index.js'
import { decodeParts, type StoredEntry } from './decode-entries.js'
import { descriptorOf, loose, textOf, usageOf, type Loose } from '../observe/message-values.js'
import { usageOfEntries } from './usage-of-entries.js'

type Head = { readonly id: string; readonly at?: string }

const nameOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A branch and the spending of every branch, as accounts are folded from them. */
export function decodeRecords(
  branch: readonly StoredEntry[],
  all: Iterable<unknown>,
  context: EnsoContextUsage | null,
): ThreadRecords {
  return { branch: branch.map(decodeRecord), usage: usageOfEntries(all, context) }
}

/** One stored entry with what a transcript leaves out. */
export function decodeRecord(entry: StoredEntry): ThreadRecord {
  const { timestamp } = entry
  const head: Head = { id: entry.id, ...(typeof timestamp === 'string' ? { at: timestamp } : {}) }
  switch (entry.type) {
    case 'message':
      return decodeMessage(head, loose(entry['message']))
    case 'custom_message':
      return injected(head, nameOf(entry['customType']) || 'message', entry['content'])
    case 'branch_summary':
      return injected(head, 'branch summary', nameOf(entry['summary']))
    case 'compaction': {
      const { tokensBefore } = entry
      return {
        kind: 'compaction',
        ...head,
        text: nameOf(entry['summary']),
        tokensBefore: typeof tokensBefore === 'number' ? tokensBefore : 0,
        firstKeptId: nameOf(entry['firstKeptEntryId']),
      }
    }
    case 'model_change':
      return { kind: 'model', ...head, model: modelName(entry['provider'], entry['modelId']) }
    case 'thinking_level_change':
      return { kind: 'thinking', ...head, level: nameOf(entry['thinkingLevel']) }
    case 'custom':
      return { kind: 'custom', ...head, customType: nameOf(entry['customType']), data: entry['data'] }
    default:
      return { kind: 'other', ...head, type: entry.type }
  }
}

function decodeMessage(head: Head, message: Loose): ThreadRecord {
  const { role, content } = message
  switch (role) {
    case 'user':
      return { kind: 'prompt', ...head, text: textOf(content, '\n'), images: imagesIn(content) }
    case 'assistant': {
      const usage = usageOf(message['usage'])
      return {
        kind: 'reply',
        ...head,
        parts: decodeParts(content),
        model: modelName(message['provider'], message['model']),
        stopReason: nameOf(message['stopReason']),
        ...(usage === undefined ? {} : { usage }),
      }
    }
    case 'toolResult':
      return decodeResult(head, message)
    case 'bashExecution':
      return {
        kind: 'shell',
        ...head,
        command: nameOf(message['command']),
        output: nameOf(message['output']),
        excluded: message['excludeFromContext'] === true,
      }
    // The name that the oldest sessions have for it.
    case 'hookMessage':
    case 'custom':
      return injected(head, nameOf(message['customType']) || 'message', content)
    default:
      return { kind: 'other', ...head, type: typeof role === 'string' ? role : 'message' }
  }
}

function decodeResult(head: Head, message: Loose): ThreadRecord {
  const { content, details } = message
  const diff = loose(details)['diff'] ?? descriptorOf(details)?.props['diff']
  return {
    kind: 'tool-result',
    ...head,
    toolCallId: nameOf(message['toolCallId']),
    toolName: nameOf(message['toolName']),
    text: textOf(content, '\n'),
    images: imagesIn(content),
    isError: message['isError'] === true,
    ...(typeof diff === 'string' ? { changed: footprintOf(diff) } : {}),
  }
}

function injected(head: Head, label: string, content: unknown): ThreadRecord {
  return { kind: 'injected', ...head, label, text: textOf(content, '\n'), images: imagesIn(content) }
}

function imagesIn(content: unknown): RecordImage[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part): RecordImage[] => {
    const { type, data, mimeType } = loose(part)
    return type === 'image' && typeof data === 'string' && typeof mimeType === 'string' ? [{ data, mimeType }] : []
  })
}

/** Lines that the library's own diff puts in and takes out: each begins with its sign. */
function footprintOf(diff: string): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const line of diff.split('\n')) {
    if (line.startsWith('+')) added++
    else if (line.startsWith('-')) removed++
  }
  return { added, removed }
}

function modelName(provider: unknown, id: unknown): string {
  return [provider, id].filter((part) => typeof part === 'string' && part !== '').join('/') || 'unknown'
}
