import { getLogger } from '@logtape/logtape'
import { ENSO_LOG_EVENTS } from '../core/log-events.js'
import { ENSO_LOG_ROOT, ensoLogger } from '../core/log.js'
import type { EnsoObservation, EnsoTextDelta, EnsoThinkingDelta } from '../core/observation.js'
import type { ObservedEvent } from '../core/observed-event.js'
import { capStrings } from './cap-strings.js'
import { summaryOf } from './observation-summary.js'
import type { Redactor } from './redact/redactor.js'
import { createStreamRedactor, type StreamRedactor } from './redact/stream-redactor.js'

/** Turns threads' observations into log records. */
export interface ObservationLog {
  /** Never throws. Cheap where its tiers are off. */
  observe(event: ObservedEvent): void
  /** The thread's runtime is gone, or the process ends: says what was still being gathered. */
  end(threadId: string): void
  endAll(): void
}

/** A block of streamed text is one record, or one for each this many characters. */
export const DELTA_RECORD_CHARS = 16_384
/** Longer texts of a payload are cut, after their secrets were taken out, with their length stated. */
export const PAYLOAD_TEXT_CHARS = 65_536

const PAYLOAD_TEMPLATE = '{kind} payload'

type Delta = EnsoTextDelta | EnsoThinkingDelta

interface Streaming {
  readonly kind: Delta['kind']
  readonly contentIndex: number
  readonly firstSeq: number
  /** Absent where the text itself is not logged: to redact what nobody writes would cost each piece of a reply. */
  readonly redacted: StreamRedactor | undefined
  last: ObservedEvent
  pieces: number
  chars: number
  text: string
}

const log = ensoLogger('host', 'observation')
const tiers = getLogger([ENSO_LOG_ROOT, 'host', 'observation'])

/** A log of observations, each as a compact record and, at `trace`, its payload as another. Neighbouring deltas are one. */
export function createObservationLog(redactor: Redactor): ObservationLog {
  const streams = new Map<string, Streaming>()

  const flush = (threadId: string): void => {
    const streaming = streams.get(threadId)
    streams.delete(threadId)
    if (streaming !== undefined) sayStreaming(streaming, streaming.text + (streaming.redacted?.end() ?? ''))
  }

  const gather = (event: ObservedEvent, delta: Delta): void => {
    const { threadId } = event
    const current = streams.get(threadId)
    if (current !== undefined && (current.kind !== delta.kind || current.contentIndex !== delta.contentIndex))
      flush(threadId)
    let streaming = streams.get(threadId)
    if (streaming === undefined) {
      if (!tiers.isEnabledFor('debug')) return
      streaming = newStreaming(event, delta, tiers.isEnabledFor('trace') ? createStreamRedactor(redactor) : undefined)
      streams.set(threadId, streaming)
    }
    streaming.last = event
    streaming.pieces++
    streaming.chars += delta.delta.length
    if (streaming.redacted !== undefined) streaming.text += streaming.redacted.push(delta.delta)
    if (streaming.chars < DELTA_RECORD_CHARS) return
    sayStreaming(streaming, streaming.text)
    // The redactor is kept: a secret may lie across two records.
    streams.set(threadId, newStreaming(event, delta, streaming.redacted))
  }

  const observe = (event: ObservedEvent): void => {
    const { threadId, observation } = event
    if (observation.kind === 'text-delta' || observation.kind === 'thinking-delta') {
      if (observation.delta !== '') gather(event, observation)
      return
    }
    flush(threadId)
    const { level, properties } = summaryOf(observation)
    log[level](ENSO_LOG_EVENTS.observation, { ...idsOf(event), kind: observation.kind, ...properties })
    if (!hasPayload(observation)) return
    log.trace(PAYLOAD_TEMPLATE, () => ({ ...idsOf(event), kind: observation.kind, payload: payloadOf(observation) }))
  }

  const payloadOf = ({ kind: _kind, ...rest }: EnsoObservation): unknown =>
    capStrings(redactor.value(rest), PAYLOAD_TEXT_CHARS)

  return {
    observe(event) {
      try {
        observe(event)
      } catch (error) {
        log.error('an observation could not be logged: {reason}', { threadId: event.threadId, reason: String(error) })
      }
    },
    end: flush,
    endAll() {
      for (const threadId of streams.keys()) flush(threadId)
    },
  }
}

/** Does the observation say more than its summary does? */
function hasPayload(observation: EnsoObservation): boolean {
  switch (observation.kind) {
    case 'tool-result':
      // A running tool's text may be cut in the middle of a secret, and its last one holds it all.
      return observation.complete
    case 'message-start':
      return observation.text !== undefined
    case 'tool-call':
    case 'queue':
    case 'session-usage':
    case 'extension-ui-request':
    case 'custom-entry':
    case 'unmapped':
      return true
    default:
      return false
  }
}

function newStreaming(
  event: ObservedEvent,
  { kind, contentIndex }: Delta,
  redacted: StreamRedactor | undefined,
): Streaming {
  return { kind, contentIndex, firstSeq: event.seq, redacted, last: event, pieces: 0, chars: 0, text: '' }
}

function sayStreaming({ kind, contentIndex, firstSeq, last, pieces, chars }: Streaming, text: string): void {
  const properties = { ...idsOf(last), kind, contentIndex, firstSeq, pieces, chars }
  log.debug(ENSO_LOG_EVENTS.observation, properties)
  log.trace(PAYLOAD_TEMPLATE, { ...properties, payload: { delta: text } })
}

function idsOf({ threadId, generation, seq }: ObservedEvent): { threadId: string; generation: number; seq: number } {
  return { threadId, generation, seq }
}
