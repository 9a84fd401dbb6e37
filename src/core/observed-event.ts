import type { EnsoObservation } from './observation.js'

/** An observation as it went out on a thread's feed, and what a log has to know beside it. */
export interface ObservedEvent {
  readonly threadId: string
  /** Of the lease's last acquisition; 0 before the first. */
  readonly generation: number
  readonly seq: number
  readonly observation: EnsoObservation
}
