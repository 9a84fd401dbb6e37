/** A tool call of a scripted reply. `args` is an object, or the raw text of the arguments when it must be broken JSON. */
export interface ScriptedToolCall {
  readonly id?: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | string
  /** Into how many pieces the arguments' text is cut; one when left out. */
  readonly pieces?: number
}

export interface ScriptedUsage {
  readonly input?: number
  readonly output?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** What the server answers to one request, in the words of neither wire. */
export interface ModelReply {
  readonly thinking?: string | readonly string[]
  /** One chunk. */
  readonly text?: string
  /** Exact text chunks, each flushed by itself; an async iterable lets the test hold the stream. */
  readonly deltas?: readonly string[] | AsyncIterable<string>
  /** Text generated on the way out, honouring back-pressure: `bytes` in chunks of `chunk` characters. */
  readonly large?: { readonly bytes: number; readonly chunk: number }
  readonly toolCalls?: readonly ScriptedToolCall[]
  /** Taken from the content when left out: `toolUse` with tool calls, else `stop`. */
  readonly stopReason?: 'stop' | 'length' | 'toolUse' | 'content_filter' | 'refusal'
  readonly usage?: ScriptedUsage
  /** Answers with this HTTP status instead of a stream. */
  readonly status?: number
  /** Body of `status`; a provider-shaped error when left out. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** `true`: headers, then nothing; `no-headers`: nothing at all; `mid`: the content, then nothing. */
  readonly hang?: true | 'no-headers' | 'mid'
  /** Destroys the socket after this many content chunks. */
  readonly cut?: number
  /** A stream that is no JSON. */
  readonly garbage?: true
  /** Waited for after the first content chunk, before the rest. */
  readonly delayUntil?: Promise<unknown>
}

/** One piece of the body. `content` marks the chunks `cut` and `delayUntil` count. */
export interface WirePiece {
  readonly text: string
  readonly content: boolean
}

export const DEFAULT_USAGE = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 } as const

/** The pieces of what a reply thinks. */
export function thoughtsOf({ thinking = [] }: ModelReply): readonly string[] {
  return typeof thinking === 'string' ? [thinking] : thinking
}

/** The text chunks of a reply in order, whichever way it names them. */
export async function* textChunks(reply: ModelReply): AsyncGenerator<string> {
  if (reply.text !== undefined) yield reply.text
  if (reply.deltas !== undefined) yield* reply.deltas
  if (reply.large !== undefined) {
    const { bytes, chunk } = reply.large
    const full = 'abcdefghijklmnopqrstuvwxyz 012345\n'.repeat(Math.ceil(chunk / 34)).slice(0, chunk)
    for (let sent = 0; sent < bytes; sent += chunk) yield bytes - sent < chunk ? full.slice(0, bytes - sent) : full
  }
}

/** The arguments of a call as text. */
export function argumentText({ args }: ScriptedToolCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

/** The arguments of a call as the wire carries them, piece by piece. */
export function* argumentTexts(call: ScriptedToolCall): Generator<string> {
  const text = argumentText(call)
  const size = Math.max(1, Math.ceil(text.length / (call.pieces ?? 1)))
  for (let at = 0; at === 0 || at < text.length; at += size) yield text.slice(at, at + size)
}
