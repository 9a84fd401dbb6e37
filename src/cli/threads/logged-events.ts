import { ENSO_LOG_EVENTS, type EnsoLogLine, type EnsoThreadEvent, type EnsoThreadEvents } from '../../core/index.js'

/** The properties of a record that say which one of its kind an observation was. */
const INNER_NAMES = ['toolName', 'customType', 'method', 'role'] as const

/** The kind of the observation a record is of, and which one of its kind; nothing for any other record. */
export function loggedObservation({
  message,
  properties = {},
}: EnsoLogLine): { readonly type: string; readonly name: string | undefined } | undefined {
  const type = properties['kind']
  if (message !== ENSO_LOG_EVENTS.observation || typeof type !== 'string') return undefined
  const name = INNER_NAMES.map((key) => properties[key]).find((value) => typeof value === 'string')
  return { type, name: typeof name === 'string' ? name : undefined }
}

/**
 * The events of a thread that is not live here, as its log still has them: what went out on its feed. How the host
 * delivered each of them is kept only while a thread is live, so `emitted` is empty.
 */
export function loggedEvents(threadId: string, lines: readonly EnsoLogLine[]): EnsoThreadEvents {
  const sent: EnsoThreadEvent[] = []
  for (const line of lines) {
    const observed = loggedObservation(line)
    if (observed === undefined) continue
    const { type, name } = observed
    // One record stands for the pieces of text it was gathered from.
    const pieces = line.properties?.['pieces']
    const count = typeof pieces === 'number' ? pieces : 1
    const last = sent.at(-1)
    if (last !== undefined && last.type === type && last.name === name) {
      last.count += count
      continue
    }
    const event = {
      sequence: sent.length + 1,
      at: line['@timestamp'],
      type,
      provenance: 'sent' as const,
      count,
    }
    sent.push(name === undefined ? event : { ...event, name })
  }
  return { threadId, emitted: [], sent }
}
