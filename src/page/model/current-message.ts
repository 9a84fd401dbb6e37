import type { EnsoObservation, EnsoToolResultDescriptor } from '../../core/index.js'
import type { PageMessage, PagePart, PageTool } from './messages.js'

type Delta = Extract<EnsoObservation, { kind: 'text-delta' | 'thinking-delta' }>
type Result = Extract<EnsoObservation, { kind: 'tool-result' }>

/** The message that is being written, and the tools it called, until the next one begins. */
export interface CurrentMessage {
  readonly key: string
  append(delta: Delta): void
  call(id: string, name: string, input: unknown, now: number): void
  /** False where the call isn't of this message. */
  result(result: Result, now: number): boolean
  /** False where the call isn't of this message. */
  denied(toolCallId: string, denial: Pick<PageTool, 'rule' | 'deniedBy'>): boolean
  ended(facts: Pick<PageMessage, 'model' | 'usage' | 'refusal'>): void
  /** Tools that still run will not end any more. */
  cut(): void
  /** As of now. */
  message(): PageMessage
}

/** Goes on with `message`, which a snapshot may have brought half written. */
export function createCurrentMessage(message: PageMessage): CurrentMessage {
  const parts: PagePart[] = [...message.parts]
  let facts: Partial<PageMessage> = {}
  /** Which part holds which content block's text. */
  const partOf = new Map<string, number>()
  // The text parts that are there are the first content blocks, in order: the next delta goes on with the last of them.
  let adopted = parts.some((part) => part.type === 'text' || part.type === 'thinking')

  function place(type: 'text' | 'thinking', contentIndex: number): number {
    const name = `${type} ${contentIndex}`
    const known = partOf.get(name)
    if (known !== undefined) return known
    let at = parts.length
    if (adopted) {
      adopted = false
      const last = parts.findLastIndex((part) => part.type !== 'tool')
      // A block that was begun before the snapshot goes on; a later one is new.
      if (parts[last]?.type === type && last <= contentIndex) at = last
    }
    partOf.set(name, at)
    return at
  }

  function change(toolCallId: string, changed: (tool: PageTool) => PageTool): boolean {
    const at = parts.findIndex((part) => part.type === 'tool' && part.tool.id === toolCallId)
    const part = parts[at]
    if (part?.type !== 'tool') return false
    parts[at] = { type: 'tool', tool: changed(part.tool) }
    return true
  }

  return {
    key: message.key,
    append: ({ kind, contentIndex, delta }) => {
      const type = kind === 'text-delta' ? 'text' : 'thinking'
      const at = place(type, contentIndex)
      const part = parts[at]
      const before = part?.type === type ? part.text : ''
      parts[at] = { type, text: before + delta }
    },
    call: (id, name, input, now) => {
      const known = change(id, (tool) => ({ ...tool, startedAt: tool.startedAt ?? now }))
      if (!known) {
        const tool = { id, name, input: { value: input }, state: 'running', text: '', startedAt: now } as const
        parts.push({ type: 'tool', tool })
      }
    },
    result: (result, now) => change(result.toolCallId, (tool) => withResult(tool, result, now)),
    denied: (toolCallId, denial) => change(toolCallId, (tool) => ({ ...tool, ...denial })),
    ended: (said) => {
      facts = { ...facts, ...said }
    },
    cut: () => {
      for (const part of parts) {
        if (part.type === 'tool' && part.tool.state === 'running') change(part.tool.id, cutTool)
      }
    },
    message: () => ({ ...message, ...facts, parts: [...parts] }),
  }
}

function cutTool(tool: PageTool): PageTool {
  return { ...tool, state: 'cut' }
}

function withResult(tool: PageTool, result: Result, now: number): PageTool {
  const descriptor: EnsoToolResultDescriptor | undefined = result.descriptor ?? tool.descriptor
  if (!result.complete) return { ...tool, text: result.text, descriptor }
  const ms = tool.startedAt === undefined ? undefined : now - tool.startedAt
  return { ...tool, text: result.text, descriptor, state: result.isError ? 'failed' : 'done', ms }
}
