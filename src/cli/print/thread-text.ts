import type { EnsoTranscriptEntry, EnsoTranscriptPart } from '../../core/index.js'
import { sanitize } from './sanitize.js'
import { toolTitle } from './tool-lines.js'

/** Lines of a stored result that are shown. */
const RESULT_LINES = 5

function partText(part: EnsoTranscriptPart): string | undefined {
  switch (part.type) {
    case 'text':
      return sanitize(part.text).trim()
    case 'tool-call':
      return `● ${toolTitle(part.toolName, part.args)}`
    case 'image':
      return `[image, ${sanitize(part.mimeType)}]`
    default:
      return undefined
  }
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function entryText(entry: EnsoTranscriptEntry): string | undefined {
  if (entry.kind === 'tool-result') {
    const lines = sanitize(entry.text).trim().split('\n')
    const shown = lines.slice(0, RESULT_LINES).map((line) => `    ${line}`.trimEnd())
    const hidden = lines.length - shown.length
    return [...shown, ...(hidden > 0 ? [`    … ${hidden} more line${hidden === 1 ? '' : 's'}`] : [])].join('\n')
  }
  if (entry.kind !== 'message') return undefined
  const text = entry.parts
    .map(partText)
    .filter((part) => part !== undefined && part !== '')
    .join('\n')
  if (entry.refusal !== undefined) return [text, `✗ ${sanitize(entry.refusal.message).trim()}`].join('\n').trim()
  if (text === '') return undefined
  return entry.role === 'user' ? quoted(text) : text
}

/** A stored thread as text: prompts quoted, replies plain, calls and the heads of their results. Harmless. */
export function threadText(entries: readonly EnsoTranscriptEntry[]): string {
  const blocks = entries.map(entryText).filter((text) => text !== undefined)
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`
}
