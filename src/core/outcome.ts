import { ENSO_ERROR_OUTCOMES, type EnsoErrorCode } from './enso-error.js'
import { type AbortCause, ENSO_ABORT_EXIT_CODES, ENSO_EXIT_CODES, type EnsoOutcome } from './exit-codes.js'
import type { LimitHit } from './hosted-thread.js'
import { plural } from './plural.js'
import { type EnsoProviderRefusal, providerReasonOf, providerRefusalClass } from './provider-refusal.js'

/** What is known of a run that is over. Everything an outcome depends on, and nothing else. */
export interface RunFacts {
  /** The run was stopped from outside; the first cause counts. */
  readonly aborted?: AbortCause | undefined
  /** A bound was reached and stopped the run. */
  readonly limit?: LimitHit | undefined
  /** A fault of the environment, before or beside the run. */
  readonly fault?: { readonly code: EnsoErrorCode; readonly message: string } | undefined
  /** The provider refused the last attempt, or could not be reached. */
  readonly providerRefusal?: EnsoProviderRefusal | undefined
  /** The run failed in another way; one sentence why. */
  readonly failed?: string | undefined
  /** No model run was begun (a command alone, nothing asked): no reply is expected. */
  readonly withoutRun?: boolean | undefined
  /** The last reply's text. */
  readonly replyText: string
  /** The reply came as checked structured output, so that its text may be empty. */
  readonly structured?: boolean | undefined
  /** Why the last reply ended, in the runtime's word; `length` is a reply cut short. */
  readonly stopReason?: string | undefined
  /** Questions that ended by the unattended policy, the end of input or a timeout. */
  readonly dialogsBlocked: number
  /** Every tool call was denied while nobody could be asked; false when there were no calls. */
  readonly deniedAll: boolean
}

/** How a run ended: the word, the exit code, and one sentence why it is not `done`. */
export interface RunDecision {
  readonly outcome: EnsoOutcome
  readonly exitCode: number
  readonly reason?: string
}

/**
 * The one function that decides how a run ended, for text and JSON alike.
 *
 * The first that holds, in this order: aborted; limit; a fault that kept the run from starting (usage, busy,
 * not-found); provider; error (a failure, an empty reply, a reply cut by length); blocked; done.
 */
export function decideOutcome(facts: RunFacts): RunDecision {
  if (facts.aborted !== undefined) {
    return {
      outcome: 'aborted',
      exitCode: ENSO_ABORT_EXIT_CODES[facts.aborted],
      reason: `stopped by ${ABORT_WORDS[facts.aborted]}`,
    }
  }
  if (facts.limit !== undefined) return ended('limit', limitReason(facts.limit))
  const fault = facts.fault === undefined ? undefined : ENSO_ERROR_OUTCOMES[facts.fault.code]
  if (facts.fault !== undefined && (fault === 'usage' || fault === 'busy' || fault === 'not-found')) {
    return ended(fault, facts.fault.message)
  }
  if (facts.providerRefusal !== undefined) return ended('provider', providerSentence(facts.providerRefusal))
  if (facts.fault !== undefined && fault !== undefined) return ended(fault, facts.fault.message)
  const error = errorReason(facts)
  if (error !== undefined) return ended('error', error)
  if (facts.dialogsBlocked > 0) return ended('blocked', 'a question was asked and nobody could answer it')
  if (facts.deniedAll) return ended('blocked', 'every tool call was denied and nobody could be asked')
  return { outcome: 'done', exitCode: ENSO_EXIT_CODES.done }
}

function ended(outcome: Exclude<EnsoOutcome, 'aborted'>, reason: string): RunDecision {
  return { outcome, exitCode: ENSO_EXIT_CODES[outcome], reason }
}

function errorReason(facts: RunFacts): string | undefined {
  if (facts.failed !== undefined) return facts.failed
  if (facts.withoutRun === true) return undefined
  if (facts.stopReason === 'length') return 'the reply was cut short by the model’s output limit'
  if (facts.stopReason === 'error') return 'the last request failed'
  if (facts.stopReason === 'aborted') return 'the reply was cut off before its end'
  if (facts.replyText.trim() === '' && facts.structured !== true) return 'the reply was empty'
  return undefined
}

const ABORT_WORDS: Record<AbortCause, string> = {
  SIGHUP: 'SIGHUP',
  SIGINT: 'SIGINT',
  SIGTERM: 'SIGTERM',
  abort: 'request',
  'stdout-closed': 'a closed standard output',
}

/** What a limit counts, as said in a sentence. */
const LIMIT_WORDS: Record<LimitHit['name'], (amount: number) => string> = {
  turns: (amount) => plural(amount, 'turn'),
  cost: (amount) => `$${amount}`,
  tokens: (amount) => plural(amount, 'token'),
  time: (amount) => `${amount / 1000} s`,
  idle: (amount) => `${amount / 1000} s`,
}

/** A limit in one sentence: its name, its value, and what was used. */
export function limitReason({ name, value, used }: LimitHit): string {
  const words = LIMIT_WORDS[name]
  return `the ${name} limit of ${words(value)} was reached (${words(used)} used)`
}

function providerSentence(refusal: EnsoProviderRefusal): string {
  const who = refusal.provider ?? 'the provider'
  const status = refusal.status === undefined ? '' : ` ${refusal.status}`
  return `${who}: ${providerRefusalClass(refusal)}${status}: ${providerReasonOf(refusal.message)}`
}
