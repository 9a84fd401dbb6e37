import {
  ENSO_GUARD_DENIAL_KEY,
  ENSO_PERMISSION_DENIAL_KEY,
  ENSO_PROVIDER_REFUSAL_KEY,
  ENSO_TOOL_RESULT_KEY,
  type EnsoGuardDenial,
  type EnsoPermissionDenial,
  type EnsoProviderRefusal,
  type EnsoToolResultDescriptor,
  type EnsoUiMessage,
  type EnsoUiPart,
} from '../../core/index.js'
import type { PagePart, PageTool, ToolState, UnkeyedMessage } from './messages.js'

type ResultPart = Extract<EnsoUiPart, { type: 'tool-result' }>

/**
 * A snapshot's messages as a chat shows them: each tool's result joined to its call. Calls without a result are still
 * running in a busy thread and were cut in any other.
 */
export function messagesFromSnapshot(messages: readonly EnsoUiMessage[], busy: boolean): UnkeyedMessage[] {
  return messages.map(({ role, parts, metadata }) => ({
    role,
    parts: partsOf(parts, busy),
    at: createdAt(metadata),
    refusal: metadata?.[ENSO_PROVIDER_REFUSAL_KEY] as EnsoProviderRefusal | undefined,
  }))
}

function createdAt(metadata: EnsoUiMessage['metadata']): string | undefined {
  const times = metadata?.['tanstack'] as { readonly createdAt?: unknown } | undefined
  return typeof times?.createdAt === 'string' ? times.createdAt : undefined
}

function partsOf(parts: readonly EnsoUiPart[], busy: boolean): PagePart[] {
  const results = new Map<string, ResultPart>()
  for (const part of parts) if (part.type === 'tool-result') results.set(part.toolCallId, part)
  const made: PagePart[] = []
  for (const part of parts) {
    switch (part.type) {
      case 'text':
      case 'thinking':
        made.push({ type: part.type, text: part.content })
        break
      case 'image':
        made.push({ type: 'image', mimeType: part.source.mimeType, data: part.source.value })
        break
      case 'tool-call': {
        const result = results.get(part.id)
        results.delete(part.id)
        const input = { json: part.arguments }
        made.push({ type: 'tool', tool: toolOf(part.id, part.name, input, result, busy) })
        break
      }
      case 'tool-result':
        break
    }
  }
  for (const result of results.values()) {
    made.push({ type: 'tool', tool: toolOf(result.toolCallId, result.name, { value: {} }, result, busy) })
  }
  return made
}

function toolOf(
  id: string,
  name: string,
  input: PageTool['input'],
  result: ResultPart | undefined,
  busy: boolean,
): PageTool {
  return {
    id,
    name,
    input,
    state: stateOf(result, busy),
    text: result?.content ?? '',
    descriptor: result?.metadata?.[ENSO_TOOL_RESULT_KEY] as EnsoToolResultDescriptor | undefined,
    rule: (result?.metadata?.[ENSO_GUARD_DENIAL_KEY] as EnsoGuardDenial | undefined)?.rule,
    deniedBy: (result?.metadata?.[ENSO_PERMISSION_DENIAL_KEY] as EnsoPermissionDenial | undefined)?.by,
  }
}

function stateOf(result: ResultPart | undefined, busy: boolean): ToolState {
  if (result === undefined || result.state === 'streaming') return busy ? 'running' : 'cut'
  return result.state === 'error' ? 'failed' : 'done'
}
