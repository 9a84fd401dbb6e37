import type { EnsoContextUsage, EnsoSessionUsage } from '../../core/index.js'
import { loose, usageOf } from '../observe/message-values.js'

/** Sums up what a session has spent, entry by entry. */
export interface UsageTally {
  add(entry: unknown): void
  sum(context: EnsoContextUsage | null): EnsoSessionUsage
}

/** An empty tally. */
export function createUsageTally(): UsageTally {
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 }
  return {
    add(entry) {
      const { type, message } = loose(entry)
      if (type !== 'message') return
      const { role, usage } = loose(message)
      const spent = role === 'assistant' ? usageOf(usage) : undefined
      if (!spent) return
      sum.input += spent.input
      sum.output += spent.output
      sum.cacheRead += spent.cacheRead
      sum.cacheWrite += spent.cacheWrite
      sum.cost += spent.totalCost ?? 0
    },
    sum: (context) => ({ ...sum, context }),
  }
}

/**
 * What a session has spent: the usage of every reply on every branch, also those a compaction has taken out of the
 * context. Model calls that only wrote a summary leave no record in the session and are not in it.
 */
export function usageOfEntries(entries: Iterable<unknown>, context: EnsoContextUsage | null): EnsoSessionUsage {
  const tally = createUsageTally()
  for (const entry of entries) tally.add(entry)
  return tally.sum(context)
}
