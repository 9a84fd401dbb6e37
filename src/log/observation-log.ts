import { ENSO_LOG_EVENTS } from '../core/log-events.js'
import { ensoLogger } from '../core/log.js'
import type { EnsoObservation, EnsoTextDelta, EnsoThinkingDelta } from '../core/observation.js'
import { capStrings } from './cap-strings.js'
import { summaryOf } from './observation-summary.js'
import type { Redactor } from './redact/redactor.js'
import { createStreamRedactor, type StreamRedactor } from './redact/stream-redactor.js'

/** An observation and where in its thread it stands. */
export interface ObservedEvent {
  readonly threadId: string
  /** Of the lease's last acquisition; 0 before the first. */
  readonly generation: number
  readonly seq: number
  /** When the lease was taken, epoch milliseconds. */
  readonly acquiredAt: number
  readonly observation: EnsoObservation
}

/** Turns threads' observations into log records. */
export interface ObservationLog {
  /** Never throws. Cheap where its tiers are off. */
  observe(event: ObservedEvent): void
  /** The thread's runtime is gone, or the process ends: says what was still being gathered. */
  end(threadId: string): void
  endAll(): void
}

/** What an observation log works with. */
export interface ObservationLogDeps {
  readonly redactor: Redactor
  readonly clock: { now(): number }
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
  readonly redacted: StreamRedactor
  last: ObservedEvent
  pieces: number
  chars: number
  text: string
}

interface ThreadState {
  firstDeltaOf: number
  streaming: Streaming | undefined
}

const log = ensoLogger('host', 'observation')

/** A log of observations. Neighbouring deltas become one record; usage is said once per message, at its end. */
export function createObservationLog({ redactor, clock }: ObservationLogDeps): ObservationLog {
  const threads = new Map<string, ThreadState>()

  const stateOf = (threadId: string): ThreadState => {
    const state = threads.get(threadId) ?? { firstDeltaOf: -1, streaming: undefined }
    threads.set(threadId, state)
    return state
  }

  const flush = (state: ThreadState): void => {
    const { streaming } = state
    state.streaming = undefined
    if (streaming === undefined) return
    sayStreaming(streaming, streaming.text + streaming.redacted.end())
  }

  const stream = (state: ThreadState, event: ObservedEvent, delta: Delta): void => {
    const current = state.streaming
    if (current !== undefined && (current.kind !== delta.kind || current.contentIndex !== delta.contentIndex))
      flush(state)
    const streaming = (state.streaming ??= newStreaming(event, delta, createStreamRedactor(redactor)))
    streaming.last = event
    streaming.pieces++
    streaming.chars += delta.delta.length
    streaming.text += streaming.redacted.push(delta.delta)
    if (streaming.chars < DELTA_RECORD_CHARS) return
    sayStreaming(streaming, streaming.text)
    // The redactor is kept: a secret may lie across two records.
    state.streaming = newStreaming(event, delta, streaming.redacted)
  }

  const observe = (event: ObservedEvent): void => {
    const { threadId, observation } = event
    const state = stateOf(threadId)
    if (observation.kind === 'text-delta' || observation.kind === 'thinking-delta') {
      if (observation.kind === 'text-delta') sayFirstDelta(state, event)
      if (observation.delta !== '') stream(state, event, observation)
      return
    }
    flush(state)
    if (observation.kind === 'message-end' && observation.usage !== undefined) {
      const { role, model, usage } = observation
      log.info(ENSO_LOG_EVENTS.messageUsage, { ...idsOf(event), role, model, ...usage })
    }
    const { level, properties } = summaryOf(observation)
    log[level](ENSO_LOG_EVENTS.observation, { ...idsOf(event), kind: observation.kind, ...properties })
    // A running tool's text may be cut in the middle of a secret, and its last one holds it all.
    if (observation.kind === 'tool-result' && !observation.complete) return
    log.trace(PAYLOAD_TEMPLATE, () => ({ ...idsOf(event), kind: observation.kind, payload: payloadOf(observation) }))
  }

  const sayFirstDelta = (state: ThreadState, event: ObservedEvent): void => {
    if (state.firstDeltaOf === event.generation) return
    state.firstDeltaOf = event.generation
    log.info(ENSO_LOG_EVENTS.runFirstDelta, {
      ...idsOf(event),
      firstDeltaMs: Math.max(0, clock.now() - event.acquiredAt),
    })
  }

  const payloadOf = ({ kind: _kind, ...rest }: EnsoObservation): unknown =>
    capStrings(redactor.value(rest), PAYLOAD_TEXT_CHARS)

  return {
    observe,
    end(threadId) {
      const state = threads.get(threadId)
      if (state !== undefined) flush(state)
      threads.delete(threadId)
    },
    endAll() {
      for (const state of threads.values()) flush(state)
      threads.clear()
    },
  }
}

function newStreaming(event: ObservedEvent, { kind, contentIndex }: Delta, redacted: StreamRedactor): Streaming {
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
