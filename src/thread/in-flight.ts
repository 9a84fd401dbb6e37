import type {
  EnsoObservation,
  EnsoToolResultObservation,
  EnsoTranscriptEntry,
  EnsoTranscriptPart,
} from '../core/index.js'

/** The id of the message in flight in a snapshot: it has none of its own before it is stored. */
export const IN_FLIGHT_ID = 'in-flight'

/**
 * What has been observed of the current message and its tool calls. A session has a message only when it is complete;
 * this is what a follower that joins in between would miss.
 */
export interface InFlight {
  observe(observation: EnsoObservation): void
  /** The stored entries, and after them whatever was observed and isn't stored yet. */
  complete(entries: readonly EnsoTranscriptEntry[]): EnsoTranscriptEntry[]
  /** What tools that still run have said so far. */
  running(): readonly EnsoToolResultObservation[]
  reset(): void
}

interface CurrentMessage {
  readonly role: 'user' | 'assistant'
  /** The last stored entry when the message began. */
  readonly after: string | undefined
  readonly parts: EnsoTranscriptPart[]
  /** Which part holds which content block's text. */
  readonly partOf: Map<string, number>
}

/** `entries` is asked when a message begins, for where the session stood. */
export function createInFlight(entries: () => readonly EnsoTranscriptEntry[]): InFlight {
  let current: CurrentMessage | undefined
  const calls = new Map<string, EnsoTranscriptPart & { type: 'tool-call' }>()
  const results = new Map<string, EnsoToolResultObservation>()

  function reset(): void {
    current = undefined
    calls.clear()
    results.clear()
  }

  function begin(role: string, text: string | undefined): void {
    if (role !== 'user' && role !== 'assistant') return
    reset()
    const parts: EnsoTranscriptPart[] = text === undefined ? [] : [{ type: 'text', text }]
    current = { role, after: entries().at(-1)?.id, parts, partOf: new Map() }
  }

  function append(observation: Extract<EnsoObservation, { kind: 'text-delta' | 'thinking-delta' }>): void {
    if (current?.role !== 'assistant') return
    const { parts, partOf } = current
    const key = `${observation.kind} ${observation.contentIndex}`
    const at = partOf.get(key) ?? parts.length
    partOf.set(key, at)
    const part = parts[at]
    const before = part?.type === 'text' ? part.text : part?.type === 'thinking' ? part.thinking : ''
    parts[at] =
      observation.kind === 'text-delta'
        ? { type: 'text', text: before + observation.delta }
        : { type: 'thinking', thinking: before + observation.delta }
  }

  return {
    observe: (observation) => {
      switch (observation.kind) {
        case 'message-start':
          begin(observation.role, observation.text)
          return
        case 'text-delta':
        case 'thinking-delta':
          append(observation)
          return
        case 'tool-call': {
          const { toolCallId, toolName, args } = observation
          calls.set(toolCallId, { type: 'tool-call', toolCallId, toolName, args })
          return
        }
        case 'tool-result':
          results.set(observation.toolCallId, observation)
          return
        case 'settled':
          reset()
      }
    },
    complete: (stored) =>
      current === undefined ? [...stored] : [...stored, ...missing(stored, current, calls, [...results.values()])],
    running: () => [...results.values()].filter((result) => !result.complete),
    reset,
  }
}

function missing(
  stored: readonly EnsoTranscriptEntry[],
  message: CurrentMessage,
  calls: ReadonlyMap<string, EnsoTranscriptPart & { type: 'tool-call' }>,
  results: readonly EnsoToolResultObservation[],
): EnsoTranscriptEntry[] {
  const start = stored.findLastIndex((entry) => entry.id === message.after)
  const since = stored.slice(start + 1)
  const isStored = since.some((entry) => entry.kind === 'message' && entry.role === message.role)
  const added: EnsoTranscriptEntry[] = []
  const parts = [...message.parts, ...calls.values()]
  if (!isStored && parts.length > 0) added.push({ kind: 'message', id: IN_FLIGHT_ID, role: message.role, parts })
  const answered = new Set(since.map((entry) => (entry.kind === 'tool-result' ? entry.toolCallId : undefined)))
  for (const result of results) {
    if (result.complete && !answered.has(result.toolCallId)) added.push(resultEntry(result))
  }
  return added
}

function resultEntry(result: EnsoToolResultObservation): EnsoTranscriptEntry {
  const { toolCallId, toolName, text, isError, descriptor } = result
  const entry = {
    kind: 'tool-result' as const,
    id: `${IN_FLIGHT_ID}-${toolCallId}`,
    toolCallId,
    toolName,
    text,
    isError,
  }
  return descriptor === undefined ? entry : { ...entry, descriptor }
}
