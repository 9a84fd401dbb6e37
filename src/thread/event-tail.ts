import type { EnsoFollowFrame, EnsoThreadEvent } from '../core/index.js'

/** How many records a tail keeps; the oldest go first. */
export const EVENT_TAIL_MAX = 500

/** What was sent to followers, most recent last: neighbours of one shape are one record with a count. */
export interface EventTail {
  record(frame: EnsoFollowFrame): void
  events(): readonly EnsoThreadEvent[]
}

interface TailRecord {
  readonly sequence: number
  readonly at: number
  readonly type: string
  readonly name: string | undefined
  count: number
}

/** An empty tail. `now` is asked once a record. */
export function createEventTail(now: () => number): EventTail {
  const records: TailRecord[] = []
  let sequence = 0

  return {
    record: (frame) => {
      const type = frame.type === 'observation' ? frame.observation.kind : frame.type
      const name = frame.type === 'observation' ? innerName(frame.observation) : undefined
      const last = records.at(-1)
      if (last !== undefined && last.type === type && last.name === name) {
        last.count++
        return
      }
      records.push({ sequence: ++sequence, at: now(), type, name, count: 1 })
      if (records.length > EVENT_TAIL_MAX) records.shift()
    },
    events: () => records.map(eventOf),
  }
}

function eventOf({ sequence, at, type, name, count }: TailRecord): EnsoThreadEvent {
  const event = { sequence, at: new Date(at).toISOString(), type, provenance: 'sent' as const, count }
  return name === undefined ? event : { ...event, name }
}

/** What the kind alone does not say: which tool, which method, whose entry. */
function innerName(observation: Extract<EnsoFollowFrame, { type: 'observation' }>['observation']): string | undefined {
  switch (observation.kind) {
    case 'tool-call':
    case 'tool-result':
      return observation.toolName
    case 'extension-ui-request':
      return observation.method
    case 'custom-entry':
      return observation.customType
    case 'message-start':
    case 'message-end':
      return observation.role
    default:
      return undefined
  }
}
