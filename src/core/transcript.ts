import { type Static, Type } from '@sinclair/typebox'
import { EnsoProviderRefusal, providerReasonOf, providerRefusalClass } from './provider-refusal.js'
import { closed } from './schema.js'
import { summarizeToolInput } from './tool-input.js'
import { EnsoToolResultDescriptor } from './tool-result.js'

/** One piece of a message's content, as it was stored. */
export const EnsoTranscriptPart = Type.Union([
  closed({ type: Type.Literal('text'), text: Type.String() }),
  closed({ type: Type.Literal('thinking'), thinking: Type.String() }),
  closed({ type: Type.Literal('image'), data: Type.String(), mimeType: Type.String() }),
  closed({
    type: Type.Literal('tool-call'),
    toolCallId: Type.String(),
    toolName: Type.String(),
    args: Type.Unknown(),
  }),
  /** A piece of a kind that is not modelled; `kind` is its name. */
  closed({ type: Type.Literal('other'), kind: Type.String() }),
])
export type EnsoTranscriptPart = Static<typeof EnsoTranscriptPart>

const id = Type.String()
/** ISO 8601, where the runtime stamped one. */
const at = Type.Optional(Type.String())

/** A prompt or a reply. `refusal` only on a reply whose request the provider refused. */
export const EnsoTranscriptMessage = closed({
  kind: Type.Literal('message'),
  id,
  at,
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
  parts: Type.Array(EnsoTranscriptPart),
  refusal: Type.Optional(EnsoProviderRefusal),
})
export type EnsoTranscriptMessage = Static<typeof EnsoTranscriptMessage>

/** A tool's answer to a call. */
export const EnsoTranscriptToolResult = closed({
  kind: Type.Literal('tool-result'),
  id,
  at,
  toolCallId: Type.String(),
  toolName: Type.String(),
  text: Type.String(),
  isError: Type.Boolean(),
  descriptor: Type.Optional(EnsoToolResultDescriptor),
})
export type EnsoTranscriptToolResult = Static<typeof EnsoTranscriptToolResult>

/** State that an extension stored; `data` is its own. */
export const EnsoTranscriptCustom = closed({
  kind: Type.Literal('custom'),
  id,
  at,
  customType: Type.String(),
  data: Type.Unknown(),
})
export type EnsoTranscriptCustom = Static<typeof EnsoTranscriptCustom>

/** An entry that is not modelled (a model change, a compaction, a label); `type` is its name. */
export const EnsoTranscriptOther = closed({ kind: Type.Literal('other'), id, at, type: Type.String() })
export type EnsoTranscriptOther = Static<typeof EnsoTranscriptOther>

/** One entry of a thread's branch. */
export const EnsoTranscriptEntry = Type.Union([
  EnsoTranscriptMessage,
  EnsoTranscriptToolResult,
  EnsoTranscriptCustom,
  EnsoTranscriptOther,
])
export type EnsoTranscriptEntry = Static<typeof EnsoTranscriptEntry>

/** Longest row, in characters. */
const ROW_MAX = 200

/** One entry as one line for a person. */
export function describeTranscriptEntry(entry: EnsoTranscriptEntry): string {
  return clip(describe(entry))
}

function describe(entry: EnsoTranscriptEntry): string {
  switch (entry.kind) {
    case 'message': {
      const parts = entry.parts.map(describePart)
      if (entry.refusal !== undefined) parts.push(describeRefusal(entry.refusal))
      return `${entry.role}: ${parts.length === 0 ? '(empty)' : parts.join(' · ')}`
    }
    case 'tool-result':
      return `${entry.isError ? 'tool error' : 'tool result'} ${entry.toolName}: ${entry.text}`
    case 'custom':
      return `custom ${entry.customType}`
    case 'other':
      return entry.type
  }
}

function describePart(part: EnsoTranscriptPart): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'thinking':
      return `(thinking) ${part.thinking}`
    case 'image':
      return `[image ${part.mimeType}]`
    case 'tool-call':
      return `${part.toolName} ${summarizeToolInput(part.args) ?? ''}`.trimEnd()
    case 'other':
      return `[${part.kind}]`
  }
}

function describeRefusal(refusal: EnsoProviderRefusal): string {
  return `refused (${providerRefusalClass(refusal)}): ${providerReasonOf(refusal.message)}`
}

function clip(text: string): string {
  const line = text
    .slice(0, ROW_MAX * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > ROW_MAX ? `${line.slice(0, ROW_MAX - 1).trimEnd()}…` : line
}
