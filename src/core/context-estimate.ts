import { base64DecodedBytes } from './follow.js'
import { jsonLine } from './jsonl.js'
import type { EnsoContextToolsRecord } from './context-records.js'
import type { EnsoContextCategory, EnsoContextMakeup } from './thread-context.js'
import type { RecordImage, ThreadRecord } from './thread-record.js'
import type { EnsoTranscriptPart } from './transcript.js'
import { ENSO_CONTEXT_IMAGE_PREVIEW_BYTES, type EnsoContextImage } from './thread-context.js'

/**
 * The one rule of every estimate: a token is four characters, rounded up for each element, and an image weighs as much
 * as 4,800 characters. A tool call is its name and its arguments' JSON; a tool's definition its name, its description
 * and its parameters' JSON. The agent library decides by the same rule when to compact; it leaves a prompt's images out.
 */
const CHARS_PER_TOKEN = 4
const IMAGE_CHARS = 4800

/** Estimated tokens of a text of this many characters. */
export function tokensOfChars(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/** Estimated tokens of one entry of a branch; 0 for what the model never sees. */
export function estimateRecord(record: ThreadRecord): number {
  switch (record.kind) {
    case 'prompt':
    case 'tool-result':
    case 'injected':
      return tokensOfChars(record.text.length + record.images.length * IMAGE_CHARS)
    case 'shell':
      return tokensOfChars(record.command.length + record.output.length)
    case 'reply':
      return tokensOfChars(record.parts.reduce((chars, part) => chars + charsOfPart(part), 0))
    case 'compaction':
      return tokensOfChars(record.text.length)
    default:
      return 0
  }
}

/** Estimated tokens of a tool's definition. */
export function estimateTool({ name, description, parameters }: EnsoContextToolsRecord['tools'][number]): number {
  return tokensOfChars(name.length + description.length + jsonLine(parameters).length)
}

function charsOfPart(part: EnsoTranscriptPart): number {
  switch (part.type) {
    case 'text':
      return part.text.length
    case 'thinking':
      return part.thinking.length
    case 'image':
      return IMAGE_CHARS
    case 'tool-call':
      return part.toolName.length + ((JSON.stringify(part.args) as string | undefined)?.length ?? 0)
    case 'other':
      return 0
  }
}

/** An empty makeup. */
export function noMakeup(): EnsoContextMakeup {
  return { system: 0, tools: 0, user: 0, injected: 0, assistant: 0, toolResults: 0 }
}

/** All of a makeup. */
export function makeupTotal(makeup: EnsoContextMakeup): number {
  const categories = Object.keys(makeup) as EnsoContextCategory[]
  return categories.reduce((sum, category) => sum + makeup[category], 0)
}

/** An image as a context element shows it: its bytes only where they are few. */
export function contextImage({ data, mimeType }: RecordImage): EnsoContextImage {
  const bytes = base64DecodedBytes(data)
  return bytes > ENSO_CONTEXT_IMAGE_PREVIEW_BYTES ? { mimeType, bytes } : { mimeType, bytes, data }
}
