import type { AgentSession } from '@mariozechner/pi-coding-agent'
import { providerReasonOf, providerStatusOf } from '../../core/provider-refusal.js'
import type { ResponseTail } from '../models/response-tail.js'
import { replaceRetryRules } from '../pi-internals.js'

/** What a retry's rules have to tell the rest of a run. */
export interface Retries {
  /** The refusal in words that name the wait the provider asks for, where that is longer than anybody waits. */
  tooLong(message: string): string | undefined
}

/** Server faults that asking again does not mend: not implemented, and a version not supported. */
const LASTING: ReadonlySet<number> = new Set([501, 505])
/** Refusals of the client that pass: too slow, too early, too often. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])

const isPassing = (status: number): boolean => PASSING.has(status) || (status >= 500 && !LASTING.has(status))

/**
 * Asks again after every status that passes by itself, whatever the words beside it, and not before the provider wants
 * it. A wait longer than the settings' longest (`retry.provider.maxRetryDelayMs`) is no wait but the end of the run.
 */
export function guardRetries(session: AgentSession, tail: Pick<ResponseTail, 'retryAfterMs'>): Retries {
  const longestMs = (): number => session.settingsManager.getProviderRetrySettings().maxRetryDelayMs || Infinity
  const isTooLong = (): boolean => (tail.retryAfterMs() ?? 0) > longestMs()

  replaceRetryRules(session, {
    isRetryable({ stopReason, errorMessage }, known) {
      if (stopReason !== 'error' || isTooLong()) return false
      const status = providerStatusOf(errorMessage ?? '')
      return known || (status !== undefined && isPassing(status))
    },
    delayMs: (standard) => Math.max(standard, tail.retryAfterMs() ?? 0),
  })

  return {
    tooLong(message) {
      const waitMs = tail.retryAfterMs()
      if (waitMs === undefined || !isTooLong()) return undefined
      const status = providerStatusOf(message)
      const words = `asks to wait ${waitText(waitMs)} before the next request: ${providerReasonOf(message)}`
      return status === undefined ? words : `${status} ${words}`
    },
  }
}

/** A wait in its largest unit that says enough. */
function waitText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return `${Math.round(seconds / 3600)} h`
}
