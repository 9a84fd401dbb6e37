import { createEventTail, ensoLogger } from '../../core/index.js'
import type { EnsoObservation, EnsoThreadEvent, EnsoUiRequestOrigin } from '../../core/index.js'

/** How many observations wait for the first subscriber; later ones are dropped and recorded as dropped. */
export const HELD_LIMIT = 1000

const log = ensoLogger('host', 'observations')

/** Where a thread's observations leave the host. */
export interface ObservationHub {
  readonly emit: (observation: EnsoObservation) => void
  /** The first subscriber gets what was said before it came. Returns the unsubscribe. */
  readonly subscribe: (listener: (observation: EnsoObservation) => void) => () => void
  /** What a request said now is tagged with: start-up until somebody has subscribed. */
  readonly origin: () => EnsoUiRequestOrigin
  /** What was emitted and how it was delivered, oldest first. */
  readonly events: () => readonly EnsoThreadEvent[]
}

type Listener = (observation: EnsoObservation) => void

/**
 * Fans observations out to subscribers. A listener that throws is logged and never reaches the caller: the agent
 * library would lose the message it was about to store.
 */
export function createObservationHub(now: () => number = Date.now): ObservationHub {
  const listeners = new Set<Listener>()
  const tail = createEventTail(now)
  let held: EnsoObservation[] | undefined = []

  function deliver(listener: Listener, observation: EnsoObservation): void {
    try {
      listener(observation)
    } catch (error) {
      log.error('a subscriber threw on {kind}', { kind: observation.kind, error: String(error) })
    }
  }

  return {
    emit(observation) {
      if (held) {
        const kept = held.length < HELD_LIMIT
        if (kept) held.push(observation)
        tail.record(observation, kept ? 'held' : 'dropped')
        return
      }
      tail.record(observation, listeners.size === 0 ? 'dropped' : 'live')
      for (const listener of listeners) deliver(listener, observation)
    },
    subscribe(listener) {
      const replay = held
      held = undefined
      listeners.add(listener)
      for (const observation of replay ?? []) {
        tail.record(observation, 'replayed')
        deliver(listener, observation)
      }
      return () => void listeners.delete(listener)
    },
    origin: () => (held ? 'session-start' : 'run'),
    events: () => tail.events(),
  }
}
