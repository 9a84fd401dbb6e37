import {
  argumentTexts,
  DEFAULT_USAGE,
  type ModelReply,
  textChunks,
  thoughtsOf,
  type WirePiece,
} from './model-replies.js'

const FINISH = {
  stop: 'stop',
  length: 'length',
  toolUse: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'content_filter',
} as const

/** A reply as OpenAI's chat completions stream. `ordinal` makes ids that differ from request to request. */
export async function* openAiWire(reply: ModelReply, model: string, ordinal: number): AsyncGenerator<WirePiece> {
  const head = { id: `chatcmpl-${ordinal}`, object: 'chat.completion.chunk', created: 1_700_000_000, model }
  const event = (delta: object, content: boolean, finish: string | null = null): WirePiece => ({
    text: `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    content,
  })
  yield event({ role: 'assistant', content: '' }, false)
  for (const thought of thoughtsOf(reply)) yield event({ reasoning_content: thought }, true)
  for await (const chunk of textChunks(reply)) yield event({ content: chunk }, true)
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const id = call.id ?? `call_${ordinal}_${index}`
    yield event({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] }, false)
    for (const text of argumentTexts(call)) {
      yield event({ tool_calls: [{ index, function: { arguments: text } }] }, true)
    }
  }
  yield event({}, false, FINISH[reply.stopReason ?? (reply.toolCalls?.length ? 'toolUse' : 'stop')])
  const usage = { ...DEFAULT_USAGE, ...reply.usage }
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const counted = {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead + usage.cacheWrite,
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
  }
  yield { text: `data: ${JSON.stringify({ ...head, choices: [], usage: counted })}\n\n`, content: false }
  yield { text: 'data: [DONE]\n\n', content: false }
}

/** The body of an error status. */
export function openAiError(status: number, message: string): object {
  return {
    error: { message, type: status === 429 ? 'rate_limit_error' : 'invalid_request_error', code: null, param: null },
  }
}
