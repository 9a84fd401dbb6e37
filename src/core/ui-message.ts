import { type Static, Type } from '@sinclair/typebox'
import { ENSO_PROVIDER_REFUSAL_KEY } from './provider-refusal.js'
import { closed } from './schema.js'
import { ENSO_TOOL_RESULT_KEY } from './tool-result.js'
import type {
  EnsoTranscriptEntry,
  EnsoTranscriptMessage,
  EnsoTranscriptPart,
  EnsoTranscriptToolResult,
} from './transcript.js'

const metadata = Type.Optional(Type.Record(Type.String(), Type.Unknown()))

/** One piece of a UI message: TanStack's `MessagePart`, as far as a thread makes them. */
export const EnsoUiPart = Type.Union([
  closed({ type: Type.Literal('text'), content: Type.String() }),
  closed({ type: Type.Literal('thinking'), content: Type.String() }),
  closed({
    type: Type.Literal('image'),
    source: closed({ type: Type.Literal('data'), value: Type.String(), mimeType: Type.String() }),
  }),
  closed({
    type: Type.Literal('tool-call'),
    id: Type.String(),
    name: Type.String(),
    /** The arguments as JSON text. */
    arguments: Type.String(),
    input: Type.Optional(Type.Unknown()),
    /** `complete` and `error` have an output; `input-complete` waits for one. */
    state: Type.Union([Type.Literal('input-complete'), Type.Literal('complete'), Type.Literal('error')]),
    output: Type.Optional(Type.Unknown()),
    metadata,
  }),
  closed({
    type: Type.Literal('tool-result'),
    toolCallId: Type.String(),
    name: Type.String(),
    content: Type.String(),
    state: Type.Union([Type.Literal('complete'), Type.Literal('error')]),
    error: Type.Optional(Type.String()),
    metadata,
  }),
])
export type EnsoUiPart = Static<typeof EnsoUiPart>

/** A message as a chat draws it: TanStack's `UIMessage`. Assignable to it but for `createdAt`, which is in `metadata`. */
export const EnsoUiMessage = closed({
  id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
  parts: Type.Array(EnsoUiPart),
  metadata,
})
export type EnsoUiMessage = Static<typeof EnsoUiMessage>
