/** A clock that stands still until it is moved; what is due is called in order of time. */
export interface ManualClock {
  now(): number
  after(ms: number, callback: () => void): () => void
  /** Moves time on, calling back whatever falls due on the way. */
  advance(ms: number): void
  /** How many callbacks wait. */
  waiting(): number
}

interface Timer {
  readonly at: number
  readonly callback: () => void
}

/** A clock that starts at `start`, in milliseconds since the epoch. */
export function createManualClock(start = Date.UTC(2030, 0, 1)): ManualClock {
  let time = start
  let timers: Timer[] = []

  const nextDue = (until: number): Timer | undefined =>
    timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]

  return {
    now: () => time,
    after: (ms, callback) => {
      const timer = { at: time + ms, callback }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance: (ms) => {
      const until = time + ms
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        const due = timer
        timers = timers.filter((other) => other !== due)
        time = due.at
        due.callback()
      }
      time = until
    },
    waiting: () => timers.length,
  }
}
