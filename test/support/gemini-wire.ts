import { DEFAULT_USAGE, type ModelReply, textChunks, thoughtsOf, type WirePiece } from './model-replies.js'

const FINISH = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  toolUse: 'STOP',
  content_filter: 'SAFETY',
  refusal: 'SAFETY',
} as const

/** A reply as Gemini's `streamGenerateContent?alt=sse` streams. */
export async function* geminiWire(reply: ModelReply, model: string, ordinal: number): AsyncGenerator<WirePiece> {
  const usage = { ...DEFAULT_USAGE, ...reply.usage }
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const event = (parts: readonly object[], content: boolean, more: object = {}): WirePiece => {
    const candidate = { index: 0, content: { role: 'model', parts }, ...more }
    const usageMetadata = {
      promptTokenCount: prompt,
      candidatesTokenCount: usage.output,
      cachedContentTokenCount: usage.cacheRead,
      totalTokenCount: prompt + usage.output,
    }
    const body = { candidates: [candidate], usageMetadata, modelVersion: model, responseId: `r${ordinal}` }
    return { text: `data: ${JSON.stringify(body)}\r\n\r\n`, content }
  }
  for (const text of thoughtsOf(reply)) yield event([{ text, thought: true }], true)
  for await (const text of textChunks(reply)) yield event([{ text }], true)
  for (const { name, args } of reply.toolCalls ?? []) {
    yield event([{ functionCall: { name, args: typeof args === 'string' ? { broken: args } : args } }], true)
  }
  yield event([{ text: '' }], false, {
    finishReason: FINISH[reply.stopReason ?? (reply.toolCalls?.length ? 'toolUse' : 'stop')],
  })
}

/** The body of an error status. */
export function geminiError(code: number, message: string): object {
  return { error: { code, message, status: code === 429 ? 'RESOURCE_EXHAUSTED' : 'INVALID_ARGUMENT' } }
}
