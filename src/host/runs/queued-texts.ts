/** Remembers how each queued prompt was typed: the library holds it expanded (a skill's or template's whole text). */
export interface QueuedTexts {
  /** Runs `queue`, which puts one typed prompt into the library's queue. */
  readonly whileQueuing: <T>(typed: string, queue: () => Promise<T>) => Promise<T>
  /** Told of the queue's texts as the library holds them, each time they change. */
  readonly changed: (texts: readonly string[]) => void
  readonly asTyped: (texts: readonly string[]) => string[]
}

export function createQueuedTexts(): QueuedTexts {
  const typedOf = new Map<string, string>()
  let known: readonly string[] = []
  let queuing: string | undefined
  return {
    async whileQueuing(typed, queue) {
      queuing = typed
      try {
        return await queue()
      } finally {
        queuing = undefined
      }
    },
    changed(texts) {
      if (queuing !== undefined && texts.length > known.length) {
        const added = texts.find((text) => !known.includes(text)) ?? queuing
        if (added !== queuing) typedOf.set(added, queuing)
        queuing = undefined
      }
      known = [...texts]
      for (const expanded of typedOf.keys()) if (!known.includes(expanded)) typedOf.delete(expanded)
    },
    asTyped: (texts) => texts.map((text) => typedOf.get(text) ?? text),
  }
}
