import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** Facts of ours that ride on a message or a part, by namespaced key. */
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
    /** `input-complete` has no result yet; the result itself is the `tool-result` part of the same id. */
    state: Type.Union([Type.Literal('input-complete'), Type.Literal('complete'), Type.Literal('error')]),
  }),
  closed({
    type: Type.Literal('tool-result'),
    toolCallId: Type.String(),
    name: Type.String(),
    content: Type.String(),
    /** `streaming`: the tool still runs, and `content` is what it has said so far. */
    state: Type.Union([Type.Literal('streaming'), Type.Literal('complete'), Type.Literal('error')]),
    /**
     * `ENSO_TOOL_RESULT_KEY`: how to draw it. `ENSO_GUARD_DENIAL_KEY`: the rule that denied the call.
     * `ENSO_PERMISSION_DENIAL_KEY`: who else did.
     */
    metadata,
  }),
])
export type EnsoUiPart = Static<typeof EnsoUiPart>

/**
 * A message as a chat draws it: TanStack's `UIMessage`, as far as a thread makes them. A reply's tool results are parts
 * of it, after their calls. The time is `metadata.tanstack.createdAt`, ISO 8601.
 */
export const EnsoUiMessage = closed({
  id: Type.String(),
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
  parts: Type.Array(EnsoUiPart),
  /**
   * `ENSO_PROVIDER_REFUSAL_KEY`: the provider refused the request this reply was for. `ENSO_PROVIDER_RETRY_KEY`, on a
   * snapshot's last message: it is being tried again.
   */
  metadata,
})
export type EnsoUiMessage = Static<typeof EnsoUiMessage>
