/** Most events of one write. */
export const EVENTS_PER_WRITE = 16

/** Makes the bytes of several events. */
export type JoinEvents = (events: readonly string[]) => Uint8Array

/**
 * Joins events to bytes. Readers of one thread mostly wait for the same events: what was made last is made once, for
 * however many ask for it in a row.
 */
export function createJoinEvents(): JoinEvents {
  let last: readonly string[] = []
  let bytes: Uint8Array = new Uint8Array(0)
  return (events) => {
    const isSame = events.length === last.length && events.every((event, index) => event === last[index])
    if (isSame && events.length > 0) return bytes
    last = [...events]
    bytes = Buffer.from(events.join(''))
    return bytes
  }
}

/** Calls back once for everything that asked in this turn of the event loop, in order. */
export interface Turn {
  after(callback: () => void): void
}

/** One wake-up of the event loop for all readers together. */
export function createTurn(): Turn {
  let waiting: (() => void)[] = []
  return {
    after: (callback) => {
      waiting.push(callback)
      if (waiting.length > 1) return
      setImmediate(() => {
        const due = waiting
        waiting = []
        for (const call of due) call()
      })
    },
  }
}
