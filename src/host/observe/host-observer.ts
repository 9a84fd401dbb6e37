import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'

/** What the host's own extension tells and keeps. */
export interface HostObserver {
  readonly extension: ExtensionFactory
  /** The last compaction was called off because there was nothing it could have summarised. */
  readonly nothingToCompact: () => boolean
}

/** An extension of the host's own: it hears what the session's events don't say. */
export function createHostObserver(deps: { modelChanged(): void }): HostObserver {
  let nothing = false
  return {
    nothingToCompact: () => nothing,
    extension: (pi) => {
      pi.on('model_select', () => deps.modelChanged())
      pi.on('session_before_compact', ({ preparation }) => {
        // The library would have a model summarise nothing at all.
        nothing = preparation.messagesToSummarize.length === 0 && preparation.turnPrefixMessages.length === 0
        return nothing ? { cancel: true } : undefined
      })
    },
  }
}
