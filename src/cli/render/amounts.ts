import type { EnsoDurationSummary } from '../../core/index.js'
import { count, duration } from '../print/layout.js'

/** US dollars, to a hundredth of a cent. */
export function dollars(cost: number): string {
  return `$${cost.toFixed(4)}`
}

/** A time, or nothing where there is none. */
export function maybeDuration(ms: number | undefined): string {
  return ms === undefined ? '' : duration(ms)
}

/** Several times in a few words. */
export function durationsText(summary: EnsoDurationSummary): string {
  if (summary.count === 0) return 'unknown'
  return `${duration(summary.meanMs)} on average, ${duration(summary.maxMs)} at most`
}

/** Tokens spent, in words. */
export function spentText(spent: {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly cost: number
}): string {
  const { input, output, cacheRead, cacheWrite, cost } = spent
  const cached =
    cacheRead + cacheWrite === 0 ? '' : `, ${count(cacheRead)} read from and ${count(cacheWrite)} written to caches`
  return `${count(input)} tokens in, ${count(output)} out${cached}, ${dollars(cost)}`
}
