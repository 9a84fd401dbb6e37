/** Lets what is asked of a thread through in the order in which it was asked. */
export interface Turns {
  /** Does `work` once everything that was asked of the thread before it has been let through or has failed. */
  take<T>(threadId: string, work: () => Promise<T>): Promise<T>
}

/**
 * Nobody waits for nobody yet. Whoever awaits what `take` returns, at once, goes on before the next work begins: so a
 * prompt is admitted before the Stop that was put behind it.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(threadId, work) {
      const mine = last.get(threadId)?.then(work, work) ?? work()
      last.set(threadId, mine)
      const forget = (): void => {
        if (last.get(threadId) === mine) last.delete(threadId)
      }
      mine.then(forget, forget)
      return mine
    },
  }
}
