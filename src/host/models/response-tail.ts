import { AsyncLocalStorage } from 'node:async_hooks'
import type { Dispatcher } from 'undici'
import { type HeadersAsObject, retryAfterMs } from './retry-after.js'

/** How much of a response's end is kept, in bytes: its last events, where a provider says why it stopped. */
const TAIL_BYTES = 8192

/** The end of the last response of one session. */
export interface ResponseTail {
  /** Runs a request so that the response to it is looked at. */
  readonly during: <T>(request: () => T) => T
  /** Why the provider ended the response, in its own word, when that is not one of the plain ways to end. */
  readonly unusualStopReason: () => string | undefined
  /** How long the provider asked to be left alone, in milliseconds; nothing when it asked for no wait. */
  readonly retryAfterMs: () => number | undefined
}

interface Capture {
  chunks: Buffer[]
  retryAfterMs: number | undefined
  bytes: number
  /** Nothing looks for it any more: its response has begun, or another request has taken its place. */
  found: boolean
}

const current = new AsyncLocalStorage<Capture>()
/** How many captures are still to be found by the code that sends their request. */
let sought = 0

/** While a storage is in use every promise of the process costs three times as much: it is for the way to a request. */
function found(capture: Capture): void {
  if (capture.found) return
  capture.found = true
  if (--sought === 0) current.disable()
}

const STOP_REASON = /"(?:stop_reason|finish_reason|finishReason|stopReason)"\s*:\s*"([\w.-]+)"/g
const INCOMPLETE = /"incomplete_details"\s*:\s*\{\s*"reason"\s*:\s*"([\w.-]+)"/
const PLAIN =
  /^(?:stop|end|end_turn|length|max_tokens|max_output_tokens|tool_calls|tool_use|toolUse|function_call|stop_sequence|pause_turn)$/i

/** The provider's stop reason in the end of a response body. */
export function stopReasonIn(text: string): string | undefined {
  const incomplete = INCOMPLETE.exec(text)?.[1]
  if (incomplete !== undefined) return `incomplete.${incomplete}`
  return [...text.matchAll(STOP_REASON)].at(-1)?.[1]
}

function keep(capture: Capture, chunk: Buffer): void {
  capture.chunks.push(chunk)
  capture.bytes += chunk.length
  while (capture.bytes - capture.chunks[0]!.length >= TAIL_BYTES) capture.bytes -= capture.chunks.shift()!.length
}

/** Makes the place where the end of one session's responses is kept. */
export function createResponseTail(): ResponseTail {
  let capture: Capture = { chunks: [], retryAfterMs: undefined, bytes: 0, found: true }
  return {
    during(request) {
      found(capture)
      capture = { chunks: [], retryAfterMs: undefined, bytes: 0, found: false }
      sought++
      return current.run(capture, request)
    },
    unusualStopReason() {
      const reason = stopReasonIn(Buffer.concat(capture.chunks).toString('latin1'))
      return reason === undefined || PLAIN.test(reason) ? undefined : reason
    },
    retryAfterMs: () => capture.retryAfterMs,
  }
}

/**
 * Who sees the body of a response to the request that is being made; nobody when no session wants it. Asked once for a
 * session's request: whatever it sends after that is not looked at.
 */
export function currentTail(headers: HeadersAsObject): ((chunk: Uint8Array) => void) | undefined {
  const capture = current.getStore()
  if (capture) {
    found(capture)
    capture.retryAfterMs = retryAfterMs(headers, Date.now())
  }
  return capture && ((chunk) => keep(capture, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)))
}

/** Headers as undici's older handlers get them: names and values by turns. */
function fromPairs(raw: readonly Buffer[]): HeadersAsObject {
  const headers: Record<string, string> = {}
  for (let at = 0; at + 1 < raw.length; at += 2) headers[String(raw[at]).toLowerCase()] = String(raw[at + 1])
  return headers
}

type OnData = (...args: unknown[]) => unknown

/**
 * Looks at response bodies on their way in, for the requests of a session that wants it; nothing is copied, changed or
 * held up. A compressed body is passed over: its end says nothing without its beginning.
 */
export const keepResponseTails: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const capture = current.getStore()
  if (!capture) return dispatch(options, handler)
  // The process's own fetch hands over a handler of the older kind, undici's of the newer: each has one of the two
  // methods. Handlers keep private fields, so each method runs on the handler itself.
  const watched = new Proxy(handler, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key, target)
      if (typeof method !== 'function') return method
      const chunkAt = key === 'onData' ? 0 : key === 'onResponseData' ? 1 : undefined
      return (...args: unknown[]): unknown => {
        if (key === 'onHeaders') capture.retryAfterMs = retryAfterMs(fromPairs(args[1] as Buffer[]), Date.now())
        if (key === 'onResponseStart') capture.retryAfterMs = retryAfterMs(args[2] as HeadersAsObject, Date.now())
        if (chunkAt !== undefined) keep(capture, args[chunkAt] as Buffer)
        return Reflect.apply(method as OnData, target, args)
      }
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  })
  return dispatch(options, watched)
}
