import type { LimitHit } from '../../core/index.js'
import type { CliClock } from '../io.js'

/** The bounds in time that the command line keeps itself; the host keeps the others. Milliseconds. */
export interface TimeLimits {
  /** For one run, from its request on. */
  readonly timeoutMs: number | undefined
  /** Without any observation, while nothing waits on a person. */
  readonly idleMs: number | undefined
}

/** Watches over one run at a time. */
export interface TimeWatch {
  /** A run's request is on its way: its time counts. What is loaded and opened for it is no idleness of the run. */
  asked(): void
  /** A run has begun: idleness counts too. Again while one is watched: nothing. */
  begin(): void
  /** Something was observed. `waiting`: a question waits for an answer, which is nobody's idleness. */
  stirred(waiting: boolean): void
  /** The run is over. */
  end(): void
}

/** Tells once per run when a bound is reached. */
export function createTimeWatch(limits: TimeLimits, clock: CliClock, onHit: (hit: LimitHit) => void): TimeWatch {
  let cancelTimeout: (() => void) | undefined
  let cancelIdle: (() => void) | undefined
  let timed = false
  let running = false
  let waiting = false
  let lastStir = 0

  function end(): void {
    timed = false
    running = false
    cancelTimeout?.()
    cancelIdle?.()
    cancelTimeout = undefined
    cancelIdle = undefined
  }

  function hit(name: 'time' | 'idle', value: number, since: number): void {
    end()
    // A timer may fire a moment early by the other clock.
    onHit({ name, value, used: Math.max(value, clock.now() - since) })
  }

  /** One timer that looks again when it fires: an observation costs no timer of its own. */
  function watchIdle(idleMs: number, delay: number): void {
    cancelIdle = clock.after(delay, () => {
      const left = lastStir + idleMs - clock.now()
      if (waiting) watchIdle(idleMs, idleMs)
      else if (left > 0) watchIdle(idleMs, left)
      else hit('idle', idleMs, lastStir)
    })
  }

  function asked(): void {
    if (timed) return
    timed = true
    const { timeoutMs } = limits
    const since = clock.now()
    if (timeoutMs !== undefined) cancelTimeout = clock.after(timeoutMs, () => hit('time', timeoutMs, since))
  }

  return {
    asked,
    begin() {
      asked()
      if (running) return
      running = true
      waiting = false
      const { idleMs } = limits
      lastStir = clock.now()
      if (idleMs !== undefined) watchIdle(idleMs, idleMs)
    },
    stirred(nowWaiting) {
      waiting = nowWaiting
      lastStir = clock.now()
    },
    end,
  }
}
