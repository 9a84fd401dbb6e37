import { ENSO_LOG_EVENTS, type EnsoLogLine, type EnsoThreadEvent, type EnsoThreadEvents } from '../../core/index.js'

/** The properties of a record that say which one of its kind an observation was. */
const INNER_NAMES = ['toolName', 'customType', 'method', 'role'] as const

/**
 * The events of a thread that is not live here, as its log still has them: what went out on its feed. How the host
 * delivered each of them is kept only while a thread is live, so `emitted` is empty.
 */
export function loggedEvents(threadId: string, lines: readonly EnsoLogLine[]): EnsoThreadEvents {
  const sent: EnsoThreadEvent[] = []
  for (const line of lines) {
    const { message, properties = {} } = line
    const kind = properties['kind']
    if (message !== ENSO_LOG_EVENTS.observation || typeof kind !== 'string') continue
    const name = INNER_NAMES.map((key) => properties[key]).find((value) => typeof value === 'string')
    // One record stands for the pieces of text it was gathered from.
    const count = typeof properties['pieces'] === 'number' ? properties['pieces'] : 1
    const last = sent.at(-1)
    if (last !== undefined && last.type === kind && last.name === name) {
      last.count += count
      continue
    }
    const event = {
      sequence: sent.length + 1,
      at: line['@timestamp'],
      type: kind,
      provenance: 'sent' as const,
      count,
    }
    sent.push(typeof name === 'string' ? { ...event, name } : event)
  }
  return { threadId, emitted: [], sent }
}
