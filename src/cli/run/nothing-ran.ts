import { EnsoError, type EnsoErrorCode, type EnsoRefusal, type EnsoRefusalCode } from '../../core/index.js'

/** The outcome of a refused prompt, where that decides. */
const REFUSED_AS: Partial<Record<EnsoRefusalCode, EnsoErrorCode>> = {
  busy: 'thread-locked',
  'not-found': 'thread-unknown',
}

/** A prompt that was refused, as the fault that ends a process. */
export function refusedPrompt({ code, reason }: EnsoRefusal): EnsoError {
  return new EnsoError(REFUSED_AS[code] ?? 'bad-input', reason)
}

/**
 * Why a process that served requests and ran nothing is no success: its last prompt was refused, or nothing was asked at
 * all. `undefined` where something else was asked for, and answered.
 */
export function nothingRan(refusal: EnsoRefusal | undefined, asked: boolean): EnsoError | undefined {
  if (refusal !== undefined) return refusedPrompt(refusal)
  if (asked) return undefined
  return new EnsoError('bad-input', 'no request came on standard input', {
    hint: 'a prompt can be an argument too: enso --json "…"',
  })
}
