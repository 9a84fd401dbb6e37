import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'

/** An extension of the host's own that hears what the session's events don't say. */
export function hostObserver(deps: { modelChanged(): void }): ExtensionFactory {
  return (pi) => {
    pi.on('model_select', () => deps.modelChanged())
  }
}
