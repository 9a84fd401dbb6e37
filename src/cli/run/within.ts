import type { CliClock } from '../io.js'

/** Waits for a promise at most `ms` milliseconds; @returns whether it came to its end in time, rejected or not */
export function within(clock: CliClock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => resolve(false))
    const done = (): void => {
      cancel()
      resolve(true)
    }
    work.then(done, done)
  })
}
