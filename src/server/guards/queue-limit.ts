import type { ObservedEvent } from '../../core/index.js'

/** Most prompts that may wait behind one run. */
export const QUEUE_MAX = 200

/** Knows how many prompts wait on each thread. */
export interface QueueWatch {
  /** Told of each observation as it goes out. */
  observed(event: ObservedEvent): void
  /** Do as many wait as may? */
  isFull(threadId: string): boolean
}

/** Counts what the feeds say of their queues; a thread whose queue is empty is not remembered. */
export function createQueueWatch(limit: number = QUEUE_MAX): QueueWatch {
  const waiting = new Map<string, number>()
  return {
    observed: ({ threadId, observation }) => {
      if (observation.kind !== 'queue') return
      const count = observation.interrupting.length + observation.enqueued.length
      if (count === 0) waiting.delete(threadId)
      else waiting.set(threadId, count)
    },
    isFull: (threadId) => (waiting.get(threadId) ?? 0) >= limit,
  }
}
