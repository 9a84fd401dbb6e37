import { ensoLogger, type EnsoObservation, type EnsoThreadSummary, type ObservedEvent } from '../core/index.js'
import type { ThreadClock } from '../thread/clock.js'

const log = ensoLogger('server', 'stall')

/** How often it is looked, as a part of that time. */
const LOOKS = 6

/** The notice's id: what it says is no progress. */
const NOTICE = 'enso-stalled'

export interface StallWatchOptions {
  /** How long a run may make no progress before that is said, in milliseconds. */
  readonly afterMs: number
  /** Stop a run that is stalled, beside saying so. */
  readonly cut: boolean
  readonly clock: ThreadClock
  readonly live: () => readonly EnsoThreadSummary[]
  readonly warn: (threadId: string, id: string, message: string) => void
  readonly stop: (threadId: string) => Promise<unknown>
}

/** Watches every run for progress. */
export interface StallWatch {
  /** Told of each observation as it goes out. */
  observed(event: ObservedEvent): void
  /** Looks at the live threads now. */
  look(): void
  close(): void
}

interface Watched {
  readonly generation: number
  /** Of the last progress, or of the end of a wait that was announced. */
  since: number
  said: boolean
  readonly tools: Set<string>
  readonly dialogs: Set<string>
}

/**
 * Says of a run on which nothing has been observed for a while, and on which nothing waits for a person or for a tool,
 * that it is stalled: once, until it moves again. A wait before a retry is no stall.
 */
export function createStallWatch(options: StallWatchOptions): StallWatch {
  const { afterMs, cut, clock, live, warn, stop } = options
  const threads = new Map<string, Watched>()
  let cancel: (() => void) | undefined

  function watchedOf(threadId: string, generation: number): Watched {
    const known = threads.get(threadId)
    if (known !== undefined && known.generation === generation) return known
    // A question may be open across runs; a tool can't run on.
    const dialogs = known?.dialogs ?? new Set<string>()
    const watched: Watched = { generation, since: clock.now(), said: false, tools: new Set(), dialogs }
    threads.set(threadId, watched)
    return watched
  }

  function observed({ threadId, generation, observation }: ObservedEvent): void {
    if (observation.kind === 'extension-ui-request' && observation.id === NOTICE) return
    const watched = watchedOf(threadId, generation)
    watched.since = clock.now() + (observation.kind === 'provider-retry' ? observation.delayMs : 0)
    watched.said = false
    note(watched, observation)
  }

  function look(): void {
    const now = clock.now()
    const busy = live().filter((thread) => thread.busy)
    const names = new Set(live().map(({ threadId }) => threadId))
    for (const threadId of threads.keys()) if (!names.has(threadId)) threads.delete(threadId)
    for (const { threadId, generation } of busy) {
      const watched = watchedOf(threadId, generation)
      if (watched.said || watched.tools.size > 0 || watched.dialogs.size > 0 || now - watched.since < afterMs) continue
      watched.said = true
      say(threadId, generation, Math.round((now - watched.since) / 1000))
    }
  }

  function say(threadId: string, generation: number, seconds: number): void {
    log.warn('run {generation} has made no progress for {seconds} s', { threadId, generation, seconds, cut })
    warn(threadId, NOTICE, `nothing has come for ${seconds} s${cut ? '; the run is stopped' : ''}`)
    if (!cut) return
    stop(threadId).catch((error: unknown) => {
      log.error('a stalled run could not be stopped: {error}', { threadId, generation, error: String(error) })
    })
  }

  function next(): void {
    cancel = clock.after(Math.ceil(afterMs / LOOKS), () => {
      look()
      next()
    })
  }

  next()
  return {
    observed,
    look,
    close: () => cancel?.(),
  }
}

function note({ tools, dialogs }: Watched, observation: EnsoObservation): void {
  switch (observation.kind) {
    case 'tool-call':
      tools.add(observation.toolCallId)
      return
    case 'tool-result':
      if (observation.complete) tools.delete(observation.toolCallId)
      return
    case 'extension-ui-request':
      if (observation.blocking) dialogs.add(observation.id)
      return
    case 'dialog-settled':
      dialogs.delete(observation.id)
      return
    case 'settled':
      tools.clear()
  }
}
