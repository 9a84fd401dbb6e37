/** How often a silent stream says that it is there, in milliseconds: below what proxies usually wait. */
export const HEARTBEAT_MS = 15_000

/** One timer for however many streams. */
export interface Heartbeats {
  /** Beats until the returned function is called. */
  join(beat: () => void): () => void
}

/** Beats while somebody has joined. */
export function createHeartbeats(clock: { after(ms: number, callback: () => void): () => void }): Heartbeats {
  const beats = new Set<() => void>()
  let cancel: (() => void) | undefined

  function next(): void {
    cancel = clock.after(HEARTBEAT_MS, () => {
      for (const beat of beats) beat()
      next()
    })
  }

  return {
    join: (beat) => {
      beats.add(beat)
      if (cancel === undefined) next()
      return () => {
        beats.delete(beat)
        if (beats.size > 0) return
        cancel?.()
        cancel = undefined
      }
    },
  }
}
