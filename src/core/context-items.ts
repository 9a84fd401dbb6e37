import { contextImage, estimateRecord, estimateTool, tokensOfChars } from './context-estimate.js'
import type { EnsoContextSystemRecord, EnsoContextToolsRecord } from './context-records.js'
import { firstWords } from './first-words.js'
import type { EnsoContextBody, EnsoContextCategory } from './thread-context.js'
import type { ReplyRecord, ThreadRecord, ToolResultRecord } from './thread-record.js'
import { summarizeToolInput } from './tool-input.js'

/** One element of a running context; what it holds is made only when somebody looks. */
export interface ContextItem {
  readonly key: string
  readonly category: EnsoContextCategory
  readonly label: string
  readonly at: string | undefined
  readonly tokens: number
  readonly body: () => EnsoContextBody
}

/** Key of the element that stands for a part of the context nobody recorded. */
export const UNKNOWN_SYSTEM_KEY = 'unknown:system'
export const UNKNOWN_TOOLS_KEY = 'unknown:tools'

const text = (content: string): EnsoContextBody => ({ kind: 'text', text: content, images: [] })

/** What stands where the system prompt would, and where the tools would, of a thread that did not record them. */
export function unknownItems(): ContextItem[] {
  const unknown = (key: string, category: EnsoContextCategory, what: string): ContextItem => ({
    key,
    category,
    label: `unknown: ${what} not recorded`,
    at: undefined,
    tokens: 0,
    body: () => text(''),
  })
  return [
    unknown(UNKNOWN_SYSTEM_KEY, 'system', 'the system prompt was'),
    unknown(UNKNOWN_TOOLS_KEY, 'tools', 'the tools were'),
  ]
}

/** A recorded system prompt as elements, one a section. */
export function systemItems({ sections }: EnsoContextSystemRecord, at: string | undefined): ContextItem[] {
  return sections.map(({ key, label, category, text: content }) => ({
    key: `system:${key}`,
    category,
    label,
    at,
    tokens: tokensOfChars(content.length),
    body: () => text(content),
  }))
}

/** Recorded tools as elements, one a definition. */
export function toolItems({ tools }: EnsoContextToolsRecord, at: string | undefined): ContextItem[] {
  return tools.map((tool) => ({
    key: `tool:${tool.name}`,
    category: 'tools',
    label: tool.name,
    at,
    tokens: estimateTool(tool),
    body: () => ({ kind: 'tool', ...tool }),
  }))
}

/** Arguments of the tool calls so far, by id. */
export type CallArguments = ReadonlyMap<string, unknown>

/** An entry of the conversation as an element, or nothing for one the model never gets. */
export function conversationItem(record: ThreadRecord, calls: CallArguments): ContextItem | undefined {
  const item = (category: EnsoContextCategory, label: string, body: () => EnsoContextBody): ContextItem => ({
    key: record.id,
    category,
    label,
    at: record.at,
    tokens: estimateRecord(record),
    body,
  })
  switch (record.kind) {
    case 'prompt':
      return item('user', firstWords(record.text) || '[image]', () => textBody(record))
    case 'injected':
      return item('injected', record.label, () => textBody(record))
    case 'shell':
      if (record.excluded) return undefined
      return item('user', `! ${firstWords(record.command)}`, () => text(`! ${record.command}\n${record.output}`))
    case 'compaction':
      return item('injected', 'compaction summary', () => text(record.text))
    case 'reply':
      // The library leaves a reply that failed or was stopped out of every later request.
      if (record.stopReason === 'error' || record.stopReason === 'aborted') return undefined
      return item('assistant', replyLabel(record), () => replyBody(record))
    case 'tool-result': {
      const args = calls.get(record.toolCallId)
      const subject = summarizeToolInput(args)
      const label = subject === undefined ? record.toolName : `${record.toolName} ${subject}`
      return item('toolResults', label, () => resultBody(record, args))
    }
    default:
      return undefined
  }
}

function textBody({ text: content, images }: Extract<ThreadRecord, { kind: 'prompt' | 'injected' }>): EnsoContextBody {
  return { kind: 'text', text: content, images: images.map(contextImage) }
}

function resultBody(record: ToolResultRecord, args: unknown): EnsoContextBody {
  return {
    kind: 'toolResult',
    toolName: record.toolName,
    ...(args === undefined ? {} : { arguments: args }),
    text: record.text,
    images: record.images.map(contextImage),
    isError: record.isError,
  }
}

/** The words of a reply, or the tools it called where it said nothing. */
function replyLabel({ parts }: ReplyRecord): string {
  const words = firstWords(replyText(parts))
  return words === '' ? `→ ${toolNames(parts).join(', ')}`.trimEnd() : words
}

/** A reply's text, without its thinking. */
export function replyText(parts: ReplyRecord['parts']): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
}

/** The tools a reply called, in order. */
export function toolNames(parts: ReplyRecord['parts']): string[] {
  return parts.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []))
}

function replyBody({ parts }: ReplyRecord): EnsoContextBody {
  return {
    kind: 'reply',
    parts: parts.flatMap((part): Extract<EnsoContextBody, { kind: 'reply' }>['parts'] => {
      if (part.type === 'text') return [{ type: 'text', text: part.text }]
      if (part.type === 'thinking') return [{ type: 'thinking', text: part.thinking }]
      if (part.type === 'tool-call') return [{ type: 'toolCall', name: part.toolName, arguments: part.args ?? null }]
      return []
    }),
  }
}
