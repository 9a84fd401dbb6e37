const FIRST_MS = 400
const MOST_MS = 15_000

/**
 * How long to wait before the next try, in milliseconds: doubling up to 15 s, and up to a quarter more by chance so that
 * many pages don't come back at once. `attempt` counts failures since it last worked, from 1.
 */
export function backoffMs(attempt: number, random: number): number {
  const base = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempt - 1, 10))
  return Math.round(base * (1 + random / 4))
}
