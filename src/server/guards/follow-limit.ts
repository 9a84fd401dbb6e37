/** Counts what is open under a name, up to a bound. */
export interface OpenLimit {
  /** Opens one more; `undefined` when the bound is reached. What it returns closes it again, once. */
  open(name: string): (() => void) | undefined
}

/** At most `limit` open under each name. */
export function createOpenLimit(limit: number): OpenLimit {
  const counts = new Map<string, number>()
  return {
    open: (name) => {
      const count = counts.get(name) ?? 0
      if (count >= limit) return undefined
      counts.set(name, count + 1)
      let isOpen = true
      return () => {
        if (!isOpen) return
        isOpen = false
        const left = (counts.get(name) ?? 1) - 1
        if (left === 0) counts.delete(name)
        else counts.set(name, left)
      }
    },
  }
}
