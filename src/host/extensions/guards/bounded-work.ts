import { runInNewContext } from 'node:vm'

/** Shorter texts are worked on as they are: nothing about them can take long. */
const SHORT = 2 * 1024

/** How long, in milliseconds, the work on one text may take. */
const LONGEST = 3000

/**
 * Does synchronous work over a text, and ends it where it takes too long: a text made for that keeps a pattern busy for
 * minutes, and with it the whole harness. Where it is ended no `finally` inside the work runs.
 */
export function boundedWork<T>(text: string, work: () => T): T {
  return text.length < SHORT ? work() : (runInNewContext('work()', { work }, { timeout: LONGEST }) as T)
}

/** Did `boundedWork` end the work? */
export const isOutOfTime = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
