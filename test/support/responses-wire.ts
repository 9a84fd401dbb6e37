import {
  argumentText,
  argumentTexts,
  DEFAULT_USAGE,
  type ModelReply,
  textChunks,
  thoughtsOf,
  type WirePiece,
} from './model-replies.js'

const INCOMPLETE = { length: 'max_output_tokens', content_filter: 'content_filter', refusal: 'content_filter' } as const

type Item = Readonly<Record<string, unknown>>

/** A reply as OpenAI's responses stream. `ordinal` makes ids that differ from request to request. */
export async function* responsesWire(reply: ModelReply, model: string, ordinal: number): AsyncGenerator<WirePiece> {
  let sequence = 0
  const event = (type: string, more: object, content = false): WirePiece => ({
    text: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`,
    content,
  })
  const output: Item[] = []
  const head = { id: `resp_${ordinal}`, object: 'response', created_at: 1_700_000_000, model }
  yield event('response.created', { response: { ...head, status: 'in_progress', output: [] } })
  const added = (item: Item): WirePiece => event('response.output_item.added', { output_index: output.length, item })
  const done = (item: Item): WirePiece =>
    event('response.output_item.done', { output_index: output.push(item) - 1, item })

  if (reply.thinking !== undefined) {
    const reasoning = { id: `rs_${ordinal}`, type: 'reasoning', summary: [] as object[] }
    yield added(reasoning)
    const at = { item_id: reasoning.id, output_index: output.length, summary_index: 0 }
    yield event('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } })
    const thoughts = thoughtsOf(reply)
    for (const thought of thoughts) {
      yield event('response.reasoning_summary_text.delta', { ...at, delta: thought }, true)
    }
    yield done({ ...reasoning, summary: [{ type: 'summary_text', text: thoughts.join('') }] })
  }
  const message = { id: `msg_${ordinal}`, type: 'message', role: 'assistant' }
  const texts: string[] = []
  const at = { item_id: message.id, output_index: output.length, content_index: 0 }
  const part = (text: string): object => ({ type: 'output_text', annotations: [], text })
  for await (const chunk of textChunks(reply)) {
    if (texts.push(chunk) === 1) {
      yield added({ ...message, status: 'in_progress', content: [] })
      yield event('response.content_part.added', { ...at, part: part('') })
    }
    yield event('response.output_text.delta', { ...at, delta: chunk }, true)
  }
  if (texts.length > 0) {
    const text = texts.join('')
    yield event('response.output_text.done', { ...at, text })
    yield event('response.content_part.done', { ...at, part: part(text) })
    yield done({ ...message, status: 'completed', content: [part(text)] })
  }
  for (const [position, call] of (reply.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${ordinal}_${position}`
    const item = { id: `fc_${id}`, type: 'function_call', call_id: id, name: call.name }
    yield added({ ...item, arguments: '', status: 'in_progress' })
    const where = { item_id: item.id, output_index: output.length }
    for (const delta of argumentTexts(call)) {
      yield event('response.function_call_arguments.delta', { ...where, delta }, true)
    }
    yield done({ ...item, arguments: argumentText(call), status: 'completed' })
  }
  const reason = INCOMPLETE[reply.stopReason as keyof typeof INCOMPLETE] as string | undefined
  const status = reason === undefined ? 'completed' : 'incomplete'
  const usage = { ...DEFAULT_USAGE, ...reply.usage }
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  yield event(`response.${status}`, {
    response: {
      ...head,
      status,
      incomplete_details: reason === undefined ? null : { reason },
      output,
      usage: {
        input_tokens: input,
        input_tokens_details: { cached_tokens: usage.cacheRead },
        output_tokens: usage.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: input + usage.output,
      },
    },
  })
}
