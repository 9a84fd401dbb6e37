import type { EnsoObservation, EnsoProviderRetry } from '../core/index.js'

/** Whether a refused request is being tried again, for a follower that joins meanwhile. */
export interface RetryWait {
  observe(observation: EnsoObservation): void
  /** As of now: what is left of the wait, 0 once the request has left again. */
  current(): EnsoProviderRetry | undefined
  reset(): void
}

/** Nothing is tried again yet. */
export function createRetryWait(now: () => number): RetryWait {
  let retry: { readonly attempt: number; readonly maxAttempts: number; readonly leavesAt: number } | undefined

  return {
    observe: (observation) => {
      switch (observation.kind) {
        case 'provider-retry': {
          const { attempt, maxAttempts, delayMs } = observation
          retry = { attempt, maxAttempts, leavesAt: now() + delayMs }
          return
        }
        case 'provider-retry-ended':
        case 'settled':
          retry = undefined
      }
    },
    current: () => {
      if (retry === undefined) return undefined
      const { attempt, maxAttempts, leavesAt } = retry
      return { attempt, maxAttempts, delayMs: Math.max(0, leavesAt - now()) }
    },
    reset: () => void (retry = undefined),
  }
}
