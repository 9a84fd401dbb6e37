import type { ObservedEvent } from '../core/observed-event.js'
import type { KnownSecrets } from './redact/known-secrets.js'

/** Learns the secrets that people type into questions that ask for one. */
export interface TypedSecrets {
  /** Sees which questions ask for a secret, and when they are over. */
  observe(event: ObservedEvent): void
  /** Sees an answer before anything else does. Anything that is no answer to such a question is passed over. */
  answering(threadId: string, body: unknown): void
}

/** Watches the questions of all threads of a process. */
export function createTypedSecrets(secrets: KnownSecrets): TypedSecrets {
  const asked = new Set<string>()
  const keyOf = (threadId: string, id: string): string => `${threadId}\n${id}`

  return {
    observe({ threadId, observation }) {
      if (observation.kind === 'dialog-settled') asked.delete(keyOf(threadId, observation.id))
      if (observation.kind !== 'extension-ui-request' || observation.dialog?.method !== 'input') return
      if (observation.dialog.secret === true) asked.add(keyOf(threadId, observation.id))
    },
    answering(threadId, body) {
      if (typeof body !== 'object' || body === null) return
      const { id, value } = body as { id?: unknown; value?: unknown }
      if (typeof id === 'string' && typeof value === 'string' && asked.has(keyOf(threadId, id))) secrets.add(value)
    },
  }
}
