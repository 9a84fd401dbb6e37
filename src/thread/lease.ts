import { type EnsoObservation, ENSO_LOG_EVENTS, ensoLogger } from '../core/index.js'

const log = ensoLogger('server', 'lease')

/**
 * What a thread is busy with: a `run` takes further prompts; an `action` rewrites the branch and a `setting` changes how
 * it runs, so neither does.
 */
export type LeaseKind = 'run' | 'action' | 'setting'

/** One time the lease was taken. */
export interface Acquisition {
  readonly generation: number
  readonly kind: LeaseKind
  /** Nobody asked for it here: the runtime began by itself (an extension sent a message). */
  readonly adopted: boolean
  /** The runtime took the prompt that opened it; until then no other prompt is told to the runtime. */
  accepted: boolean
  /** A Stop is under way: what is prompted now begins after it. */
  stopping: boolean
}

/** How an acquisition ends: each with exactly one of the two. */
export type LeaseEnd = Extract<EnsoObservation, { kind: 'settled' | 'prompt-rejected' }>

/** A thread's lease: busy means that it is held. */
export interface Lease {
  /** Of the last acquisition; 0 before the first. */
  generation(): number
  held(): Acquisition | undefined
  /** Takes the lease and raises the generation; `undefined` when it is held already. */
  acquire(kind: LeaseKind, adopted?: boolean): Acquisition | undefined
  /** Ends an acquisition once: says `end` on the feed, gives the lease back. A second end of it is nothing. */
  end(acquisition: Acquisition, end: LeaseEnd): boolean
  /** Resolves when an acquisition has ended; at once when it has. */
  ended(acquisition: Acquisition): Promise<void>
}

export interface LeaseEvents {
  publish(observation: EnsoObservation): void
  /** The status changed: what is held is as `held()` says. */
  status(): void
  acquired(): void
  /** After the lease was given back and that was said. */
  released(): void
}

/** A lease that nobody holds; `before` is the generation of the thread's last one. */
export function createLease(
  threadId: string,
  idleTimeoutMs: number | undefined,
  events: LeaseEvents,
  before: number = 0,
): Lease {
  let generation = before
  let held: Acquisition | undefined
  let ending = false
  let waiters: (() => void)[] = []

  return {
    generation: () => generation,
    held: () => held,
    acquire: (kind, adopted = false) => {
      if (held !== undefined) return undefined
      generation++
      held = { generation, kind, adopted, accepted: adopted, stopping: false }
      log.info(ENSO_LOG_EVENTS.runAcquired, { threadId, generation, kind })
      events.acquired()
      events.status()
      return held
    },
    end: (acquisition, end) => {
      // A follower that acts on the end as it hears it must not end it again.
      if (held !== acquisition || ending) return false
      ending = true
      events.publish(end)
      ending = false
      held = undefined
      log.info(ENSO_LOG_EVENTS.runReleased, { threadId, generation, idleTimeoutMs: idleTimeoutMs ?? 0 })
      events.status()
      const told = waiters
      waiters = []
      for (const resolve of told) resolve()
      events.released()
      return true
    },
    ended: (acquisition) =>
      held === acquisition ? new Promise((resolve) => void waiters.push(resolve)) : Promise.resolve(),
  }
}
