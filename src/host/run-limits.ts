import type { LimitHit, RunLimits } from '../core/index.js'

/** Counts model requests since the prompt that opened the run. */
export interface TurnCounter {
  /** A prompt opened a run: counting starts again. */
  readonly opened: () => void
  /** @returns the limit that forbids the next request, or `undefined` when it may leave (it is then counted) */
  readonly beforeRequest: () => LimitHit | undefined
  /** The last request failed and was no turn. */
  readonly failed: () => void
  /** A limit has been hit and no new run has been opened since. */
  readonly hit: () => boolean
}

/** Holds `limits.maxTurns`; retries of one request count once, and so does one that follows a compaction. */
export function createTurnCounter(limits: RunLimits | undefined, onLimit: (hit: LimitHit) => void): TurnCounter {
  const max = limits?.maxTurns
  let used = 0
  let told = false
  return {
    opened() {
      used = 0
      told = false
    },
    beforeRequest() {
      if (max !== undefined && used >= max) {
        const hit: LimitHit = { name: 'turns', value: max, used }
        if (!told) onLimit(hit)
        told = true
        return hit
      }
      used++
      return undefined
    },
    failed: () => {
      used = Math.max(0, used - 1)
    },
    hit: () => told,
  }
}
