import {
  argumentTexts,
  DEFAULT_USAGE,
  type ModelReply,
  textChunks,
  thoughtsOf,
  type WirePiece,
} from './model-replies.js'

const STOP = {
  stop: 'end_turn',
  length: 'max_tokens',
  toolUse: 'tool_use',
  content_filter: 'sensitive',
  refusal: 'refusal',
} as const

function piece(event: { readonly type: string } & Record<string, unknown>, content = false): WirePiece {
  return { text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, content }
}

const start = (index: number, content_block: object): WirePiece =>
  piece({ type: 'content_block_start', index, content_block })
const delta = (index: number, value: object): WirePiece =>
  piece({ type: 'content_block_delta', index, delta: value }, true)
const stop = (index: number): WirePiece => piece({ type: 'content_block_stop', index })

/** A reply as Anthropic's messages stream. `ordinal` makes ids that differ from request to request. */
export async function* anthropicWire(reply: ModelReply, model: string, ordinal: number): AsyncGenerator<WirePiece> {
  const usage = { ...DEFAULT_USAGE, ...reply.usage }
  const opening = {
    input_tokens: usage.input,
    output_tokens: 1,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  }
  yield piece({
    type: 'message_start',
    message: {
      id: `msg_${ordinal}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: opening,
    },
  })
  let index = 0
  if (reply.thinking !== undefined) {
    yield start(index, { type: 'thinking', thinking: '', signature: '' })
    for (const thinking of thoughtsOf(reply)) yield delta(index, { type: 'thinking_delta', thinking })
    yield { ...delta(index, { type: 'signature_delta', signature: `sig-${ordinal}` }), content: false }
    yield stop(index++)
  }
  let open = false
  for await (const chunk of textChunks(reply)) {
    if (!open) yield start(index, { type: 'text', text: '' })
    open = true
    yield delta(index, { type: 'text_delta', text: chunk })
  }
  if (open) yield stop(index++)
  for (const [position, call] of (reply.toolCalls ?? []).entries()) {
    yield start(index, { type: 'tool_use', id: call.id ?? `toolu_${ordinal}_${position}`, name: call.name, input: {} })
    for (const text of argumentTexts(call)) yield delta(index, { type: 'input_json_delta', partial_json: text })
    yield stop(index++)
  }
  yield piece({
    type: 'message_delta',
    delta: {
      stop_reason: STOP[reply.stopReason ?? (reply.toolCalls?.length ? 'toolUse' : 'stop')],
      stop_sequence: null,
    },
    usage: { ...opening, output_tokens: usage.output },
  })
  yield piece({ type: 'message_stop' })
}

/** The body of an error status. */
export function anthropicError(status: number, message: string): object {
  const type = status === 429 ? 'rate_limit_error' : status === 401 ? 'authentication_error' : 'invalid_request_error'
  return { type: 'error', error: { type, message } }
}
