import { anthropicError, anthropicWire } from './anthropic-wire.js'
import { geminiError, geminiWire } from './gemini-wire.js'
import type { ModelReply, WirePiece } from './model-replies.js'
import { openAiError, openAiWire } from './openai-wire.js'
import { responsesWire } from './responses-wire.js'

/** How one provider's replies look on the way. */
export interface Wire {
  readonly path: RegExp
  pieces(reply: ModelReply, model: string, ordinal: number): AsyncIterable<WirePiece>
  error(status: number, message: string): object
  /** Of a piece without content: says why the reply ended. */
  readonly ending: RegExp
}

/** Which path speaks which wire. */
const WIRES: readonly Wire[] = [
  { path: /\/v1\/messages(\?|$)/, pieces: anthropicWire, error: anthropicError, ending: /^event: message_delta/ },
  { path: /\/chat\/completions(\?|$)/, pieces: openAiWire, error: openAiError, ending: /"finish_reason":"/ },
  {
    path: /\/responses(\?|$)/,
    pieces: responsesWire,
    error: openAiError,
    ending: /^event: response\.(completed|incomplete)/,
  },
  { path: /:streamGenerateContent(\?|$)/, pieces: geminiWire, error: geminiError, ending: /"finishReason":"/ },
]

/** The wire a path speaks, if any. */
export function wireOf(path: string): Wire | undefined {
  return WIRES.find((wire) => wire.path.test(path))
}
