import type { EnsoDurationSummary } from './log-day-stats.js'

/** Gathers durations without keeping them. */
export interface DurationTally {
  /** A negative or unreadable duration (a clock was set back) is not counted. */
  add(ms: number): void
  summary(): EnsoDurationSummary
}

/** An empty tally. */
export function createDurationTally(): DurationTally {
  let count = 0
  let totalMs = 0
  let minMs = 0
  let maxMs = 0
  return {
    add(ms) {
      if (!(ms >= 0 && ms < Infinity)) return
      minMs = count === 0 ? ms : Math.min(minMs, ms)
      maxMs = Math.max(maxMs, ms)
      totalMs += ms
      count++
    },
    summary: () => ({ count, totalMs, minMs, maxMs, meanMs: count === 0 ? 0 : totalMs / count }),
  }
}

/** Several summaries as one. None, or only empty ones, is the empty summary. */
export function mergeDurationSummaries(summaries: readonly EnsoDurationSummary[]): EnsoDurationSummary {
  const filled = summaries.filter(({ count }) => count > 0)
  if (filled.length === 0) return createDurationTally().summary()
  const count = filled.reduce((sum, one) => sum + one.count, 0)
  const totalMs = filled.reduce((sum, one) => sum + one.totalMs, 0)
  return {
    count,
    totalMs,
    minMs: Math.min(...filled.map(({ minMs }) => minMs)),
    maxMs: Math.max(...filled.map(({ maxMs }) => maxMs)),
    meanMs: totalMs / count,
  }
}
