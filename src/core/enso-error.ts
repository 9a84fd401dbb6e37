import type { EnsoOutcome } from './exit-codes.js'

/**
 * What an `EnsoError` is about, and the outcome a run ends with when it is met before or beside the agent.
 *
 * One closed table, so that the exit code of a fault is a look-up and never a guess from its text.
 */
export const ENSO_ERROR_OUTCOMES = {
  'unknown-model': 'usage',
  'no-model': 'provider',
  'bad-config': 'usage',
  'bad-input': 'usage',
  'thread-locked': 'busy',
  'thread-unknown': 'not-found',
  'thread-unreadable': 'error',
  'lock-lost': 'error',
  'sandbox-unavailable': 'usage',
  'host-fault': 'error',
  disk: 'error',
} as const satisfies Record<string, EnsoOutcome>

/** The closed list of fault codes. */
export type EnsoErrorCode = keyof typeof ENSO_ERROR_OUTCOMES

/**
 * A fault of the environment: something outside the code was not as it must be.
 *
 * `message` is one sentence a person can act on; `hint` is what to do about it, when there is one.
 */
export class EnsoError extends Error {
  override readonly name = 'EnsoError'
  readonly code: EnsoErrorCode
  readonly hint: string | undefined

  constructor(code: EnsoErrorCode, message: string, options: { cause?: unknown; hint?: string } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
  }
}
