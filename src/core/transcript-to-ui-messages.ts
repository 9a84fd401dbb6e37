import { ENSO_GUARD_DENIAL_KEY, readEnsoGuardDenial } from './guard.js'
import { jsonLine } from './jsonl.js'
import { ENSO_PERMISSION_DENIAL_KEY, readEnsoPermissionDenial } from './permission-denial.js'
import { ENSO_PROVIDER_REFUSAL_KEY } from './provider-refusal.js'
import { ENSO_TOOL_RESULT_KEY } from './tool-result.js'
import type {
  EnsoTranscriptEntry,
  EnsoTranscriptMessage,
  EnsoTranscriptPart,
  EnsoTranscriptToolResult,
} from './transcript.js'
import type { EnsoUiMessage, EnsoUiPart } from './ui-message.js'

type ToolCallPart = Extract<EnsoUiPart, { type: 'tool-call' }>

/**
 * A branch as the messages a chat draws.
 *
 * A tool's result joins the reply that called it; one whose call is not on the branch joins the reply before it, or
 * stands alone. A later result of the same call replaces the earlier one. Entries and parts that are not modelled, and
 * replies with nothing in them, are left out.
 */
export function transcriptToUiMessages(entries: readonly EnsoTranscriptEntry[]): EnsoUiMessage[] {
  const messages: EnsoUiMessage[] = []
  const denials = denialsOf(entries)
  const calls = new Map<string, { readonly message: EnsoUiMessage; readonly part: ToolCallPart }>()
  for (const entry of entries) {
    if (entry.kind === 'message') {
      const message = messageOf(entry)
      if (message.role === 'assistant' && message.parts.length === 0 && entry.refusal === undefined) continue
      messages.push(message)
      for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.id, { message, part })
    } else if (entry.kind === 'tool-result') {
      const call = calls.get(entry.toolCallId)
      if (call !== undefined) call.part.state = entry.isError ? 'error' : 'complete'
      const last = messages.at(-1)
      const home = call?.message ?? (last?.role === 'assistant' ? last : undefined)
      const part = resultPart(entry, denials.get(entry.toolCallId))
      if (home === undefined) messages.push(withTime({ id: entry.id, role: 'assistant', parts: [part] }, entry.at))
      else placeResult(home.parts, part)
    }
  }
  return messages
}

/** What the session says of denied calls, by call and as the metadata of its result. */
function denialsOf(entries: readonly EnsoTranscriptEntry[]): Map<string, Readonly<Record<string, unknown>>> {
  const denials = new Map<string, Readonly<Record<string, unknown>>>()
  for (const entry of entries) {
    if (entry.kind !== 'custom') continue
    const byGuard = readEnsoGuardDenial(entry.customType, entry.data)
    const byPermission = readEnsoPermissionDenial(entry.customType, entry.data)
    if (byGuard !== undefined) denials.set(byGuard.toolCallId, { [ENSO_GUARD_DENIAL_KEY]: byGuard })
    if (byPermission !== undefined) denials.set(byPermission.toolCallId, { [ENSO_PERMISSION_DENIAL_KEY]: byPermission })
  }
  return denials
}

function messageOf(entry: EnsoTranscriptMessage): EnsoUiMessage {
  const message = withTime({ id: entry.id, role: entry.role, parts: entry.parts.flatMap(partOf) }, entry.at)
  if (entry.refusal !== undefined) {
    message.metadata = { ...message.metadata, [ENSO_PROVIDER_REFUSAL_KEY]: entry.refusal }
  }
  return message
}

function withTime(message: EnsoUiMessage, at: string | undefined): EnsoUiMessage {
  return at === undefined ? message : { ...message, metadata: { tanstack: { createdAt: at } } }
}

function partOf(part: EnsoTranscriptPart): EnsoUiPart[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', content: part.text }]
    case 'thinking':
      return [{ type: 'thinking', content: part.thinking }]
    case 'image':
      return [{ type: 'image', source: { type: 'data', value: part.data, mimeType: part.mimeType } }]
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          id: part.toolCallId,
          name: part.toolName,
          arguments: jsonLine(part.args),
          state: 'input-complete',
        },
      ]
    case 'other':
      return []
  }
}

function resultPart(entry: EnsoTranscriptToolResult, denial: Readonly<Record<string, unknown>> = {}): EnsoUiPart {
  const described = entry.descriptor === undefined ? {} : { [ENSO_TOOL_RESULT_KEY]: entry.descriptor }
  const metadata = { ...described, ...denial }
  return {
    type: 'tool-result',
    toolCallId: entry.toolCallId,
    name: entry.toolName,
    content: entry.text,
    state: entry.isError ? 'error' : 'complete',
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function placeResult(parts: EnsoUiPart[], result: EnsoUiPart): void {
  if (result.type !== 'tool-result') return
  const earlier = parts.findIndex((part) => part.type === 'tool-result' && part.toolCallId === result.toolCallId)
  if (earlier === -1) parts.push(result)
  else parts[earlier] = result
}
