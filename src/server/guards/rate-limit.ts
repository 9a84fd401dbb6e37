/** Lets so much through in a time. */
export interface RateLimit {
  /** @returns false when it is too much for now */
  take(amount?: number): boolean
}

/** A bucket of `burst` that fills again by `perSecond`. */
export function createRateLimit(burst: number, perSecond: number, now: () => number): RateLimit {
  let left = burst
  let filledAt = now()
  return {
    take: (amount = 1) => {
      const at = now()
      left = Math.min(burst, left + (Math.max(0, at - filledAt) / 1000) * perSecond)
      filledAt = at
      if (left < amount) return false
      left -= amount
      return true
    },
  }
}
