import type { LimitHit, RunLimits } from '../../core/index.js'
import { usageOf } from '../observe/message-values.js'

/** Counts what a run has used since the prompt that opened it. */
export interface RunMeter {
  /** A prompt opened a run: counting starts again. */
  readonly opened: () => void
  /** @returns the limit that forbids the next request, or `undefined` when it may leave (it is then counted) */
  readonly beforeRequest: () => LimitHit | undefined
  /** Is the money or are the tokens spent, so that not even a summary may be asked for? Nothing is told. */
  readonly isSpent: () => boolean
  /** The last request failed and was no turn; what it has spent stays spent. */
  readonly failed: () => void
  /** A model call has used this much: a usage as the library has it, or anything else, which is nothing. */
  readonly spent: (usage: unknown) => void
  /** A limit has been hit and no new run has been opened since. */
  readonly hit: () => boolean
}

/** Dollars without what binary fractions add beyond any price. */
const withoutNoise = (dollars: number): number => Number(dollars.toFixed(12))

/**
 * Holds a run's limits; the first one reached is told, once. Retries of one request are one turn, and so is one that
 * follows a compaction; their tokens and their cost all count.
 */
export function createRunMeter(limits: RunLimits | undefined, onLimit: (hit: LimitHit) => void): RunMeter {
  const { maxTurns, maxCost, maxTokens } = limits ?? {}
  let turns = 0
  let cost = 0
  let tokens = 0
  let told = false

  function exhausted(): LimitHit | undefined {
    if (maxTurns !== undefined && turns >= maxTurns) return { name: 'turns', value: maxTurns, used: turns }
    if (maxCost !== undefined && cost >= maxCost) return { name: 'cost', value: maxCost, used: withoutNoise(cost) }
    if (maxTokens !== undefined && tokens >= maxTokens) return { name: 'tokens', value: maxTokens, used: tokens }
    return undefined
  }

  return {
    opened() {
      turns = 0
      cost = 0
      tokens = 0
      told = false
    },
    beforeRequest() {
      const hit = exhausted()
      if (hit === undefined) {
        turns++
        return undefined
      }
      if (!told) onLimit(hit)
      told = true
      return hit
    },
    isSpent: () => ['cost', 'tokens'].includes(exhausted()?.name ?? ''),
    failed: () => {
      turns = Math.max(0, turns - 1)
    },
    spent(usage) {
      const used = usageOf(usage)
      if (used === undefined) return
      tokens += used.input + used.output + used.cacheRead + used.cacheWrite
      cost += used.totalCost ?? 0
    },
    hit: () => told,
  }
}
