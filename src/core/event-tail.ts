import type { EnsoObservation } from './observation.js'
import type { EnsoEventProvenance, EnsoThreadEvent } from './thread-inspection.js'

/** How many records a tail keeps; the oldest go first. */
export const EVENT_TAIL_MAX = 500

/** What was recorded last, oldest first: neighbours of one shape are one record with a count. */
export interface EventTail {
  /** An observation, or another kind of frame that says nothing beside its kind. */
  record(what: EnsoObservation | { readonly kind: 'snapshot' | 'status' }, provenance: EnsoEventProvenance): void
  events(): readonly EnsoThreadEvent[]
}

interface TailRecord {
  readonly sequence: number
  readonly at: number
  readonly type: string
  readonly name: string | undefined
  readonly provenance: EnsoEventProvenance
  count: number
}

/** An empty tail. `now`, in milliseconds since the epoch, is asked once a record. */
export function createEventTail(now: () => number): EventTail {
  const records: TailRecord[] = []
  let sequence = 0

  return {
    record: (what, provenance) => {
      const type = what.kind
      const name = innerName(what)
      const last = records.at(-1)
      if (last !== undefined && last.type === type && last.name === name && last.provenance === provenance) {
        last.count++
        return
      }
      records.push({ sequence: ++sequence, at: now(), type, name, provenance, count: 1 })
      if (records.length > EVENT_TAIL_MAX) records.shift()
    },
    events: () => records.map(eventOf),
  }
}

function eventOf({ sequence, at, type, name, provenance, count }: TailRecord): EnsoThreadEvent {
  const event = { sequence, at: new Date(at).toISOString(), type, provenance, count }
  return name === undefined ? event : { ...event, name }
}

/** What the kind alone does not say: which tool, which method, whose entry. */
function innerName(what: Parameters<EventTail['record']>[0]): string | undefined {
  switch (what.kind) {
    case 'tool-call':
    case 'tool-result':
      return what.toolName
    case 'extension-ui-request':
      return what.method
    case 'custom-entry':
      return what.customType
    case 'message-start':
    case 'message-end':
      return what.role
    default:
      return undefined
  }
}
