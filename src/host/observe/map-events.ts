import type { AgentSessionEvent } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../../core/index.js'
import type { EnsoObservation, EnsoProviderRefusal } from '../../core/index.js'
import { descriptorOf, loose, refusalOf, textOf, usageOf } from './message-values.js'
import { scalarCopy } from './scalar-copy.js'

const log = ensoLogger('host', 'map-events')

/** A running tool's text on an observation, in characters: its end. The whole text comes with the complete result. */
export const PARTIAL_TEXT_MAX = 64 * 1024

/** What the mapper asks of its thread. */
export interface EventMapperDeps {
  readonly emit: (observation: EnsoObservation) => void
  /** The queued texts as they were typed, for texts as the library holds them. */
  readonly asTyped: (texts: readonly string[]) => string[]
  /** The provider's own stop reason of the last response, where it was seen. */
  readonly providerStopReason: () => string | undefined
  /** The refusal's words where the provider asks for a wait that nobody waits. */
  readonly tooLongAWait?: (message: string) => string | undefined
}

/** Turns the library's events into observations, in order. */
export interface EventMapper {
  /** Never throws: the library would lose the message it is about to store. */
  readonly map: (event: AgentSessionEvent) => void
  /** Says what is still held back; called when the session has come to rest. */
  readonly flush: () => void
  /** The last run to end failed before any reply of it began. */
  readonly failedBeforeResponse: () => boolean
  /** Why the last reply ended, in the library's word. */
  readonly lastStopReason: () => string | undefined
}

type EventOf<T extends AgentSessionEvent['type']> = Extract<AgentSessionEvent, { type: T }>

/** Deltas: the hot path. Reads the delta and the counters, never the growing message. */
function mapUpdate(event: EventOf<'message_update'>): EnsoObservation | undefined {
  const update = event.assistantMessageEvent
  if (update.type !== 'text_delta' && update.type !== 'thinking_delta') return undefined
  const kind = update.type === 'text_delta' ? 'text-delta' : 'thinking-delta'
  const { contentIndex, delta } = update
  const usage = update.partial?.usage
  if (!usage || (usage.totalTokens === 0 && usage.output === 0)) return { kind, contentIndex, delta }
  return { kind, contentIndex, delta, usage: usageOf(usage)! }
}

function mapToolUpdate(event: EventOf<'tool_execution_update'>): EnsoObservation | undefined {
  const { content, details } = loose(event.partialResult)
  const text = textOf(content)
  if (text === '') return undefined
  const descriptor = descriptorOf(details)
  return {
    kind: 'tool-result',
    toolCallId: event.toolCallId,
    toolName: event.toolName,
    text: text.length > PARTIAL_TEXT_MAX ? text.slice(-PARTIAL_TEXT_MAX) : text,
    complete: false,
    isError: false,
    ...(descriptor ? { descriptor } : {}),
  }
}

function mapToolEnd(event: EventOf<'tool_execution_end'>): EnsoObservation {
  const { content, details } = loose(event.result)
  const descriptor = descriptorOf(details)
  return {
    kind: 'tool-result',
    toolCallId: event.toolCallId,
    toolName: event.toolName,
    text: textOf(content, '\n'),
    complete: true,
    isError: event.isError,
    ...(descriptor ? { descriptor } : {}),
  }
}

function mapMessageStart(message: unknown): EnsoObservation {
  const { role, content } = loose(message)
  const name = String(role)
  return name === 'user'
    ? { kind: 'message-start', role: name, text: textOf(content) }
    : { kind: 'message-start', role: name }
}

function mapMessageEnd(message: unknown): EnsoObservation {
  const { role, model, usage } = loose(message)
  const name = String(role)
  if (name !== 'assistant') return { kind: 'message-end', role: name }
  const spent = usageOf(usage)
  return {
    kind: 'message-end',
    role: name,
    ...(typeof model === 'string' ? { model } : {}),
    ...(spent ? { usage: spent } : {}),
  }
}

/** Makes the mapper of one thread. */
export function createEventMapper(deps: EventMapperDeps): EventMapper {
  const { emit } = deps
  /** `agent_end` was seen; whether a retry follows is only told by the next event. */
  let runEndHeld = false
  let assistantEnded = false
  let stopReason: string | undefined

  function endRun(willRetry: boolean): void {
    if (!runEndHeld) return
    runEndHeld = false
    emit({ kind: 'run-ended', willRetry })
  }

  function decideHeldEnd(event: AgentSessionEvent): void {
    if (!runEndHeld || event.type === 'agent_end' || event.type === 'queue_update') return
    if (event.type === 'compaction_start' && event.reason === 'overflow') return
    endRun(event.type === 'auto_retry_start' || (event.type === 'compaction_end' && event.willRetry))
  }

  /** What a reply that is over says of itself: why it ended, and the refusal when it is one. */
  function replyEnded(message: unknown): void {
    const { role, stopReason: reason } = loose(message)
    if (role !== 'assistant') return
    stopReason = typeof reason === 'string' ? reason : undefined
    const found = refusalOf(message)
    if (!found) return
    const told = deps.tooLongAWait?.(found.message)
    const refusal = told === undefined ? found : { ...found, message: told }
    if (told !== undefined) Object.assign(message as object, { errorMessage: told })
    const providerStopReason = refusal.providerStopReason ?? deps.providerStopReason()
    const whole: EnsoProviderRefusal = providerStopReason === undefined ? refusal : { ...refusal, providerStopReason }
    // The library stores the message after this: a reader of the stored thread then knows it too.
    if (providerStopReason !== undefined) Object.assign(message as object, { providerStopReason })
    emit({ kind: 'provider-refused', ...whole })
  }

  function mapOne(event: AgentSessionEvent): void {
    switch (event.type) {
      case 'message_update': {
        const observation = mapUpdate(event)
        if (observation) emit(observation)
        return
      }
      case 'message_start':
        emit(mapMessageStart(event.message))
        return
      case 'message_end':
        emit(mapMessageEnd(event.message))
        if (loose(event.message)['role'] === 'assistant') assistantEnded = true
        replyEnded(event.message)
        return
      case 'tool_execution_start':
        emit({ kind: 'tool-call', toolCallId: event.toolCallId, toolName: event.toolName, args: event.args })
        return
      case 'tool_execution_update': {
        const observation = mapToolUpdate(event)
        if (observation) emit(observation)
        return
      }
      case 'tool_execution_end':
        emit(mapToolEnd(event))
        return
      case 'turn_start':
        emit({ kind: 'turn-start' })
        return
      case 'turn_end':
        emit({ kind: 'turn-end', toolResults: event.toolResults.length })
        return
      case 'agent_start':
        assistantEnded = false
        return
      case 'agent_end':
        // A request that failed before its response began leaves no message of its own: only this event has it.
        if (!assistantEnded) replyEnded(event.messages.at(-1))
        runEndHeld = true
        return
      default:
        mapSessionEvent(event)
    }
  }

  function mapSessionEvent(event: Exclude<AgentSessionEvent, { type: 'agent_end' }>): void {
    switch (event.type) {
      case 'queue_update':
        emit({
          kind: 'queue',
          interrupting: deps.asTyped(event.steering),
          enqueued: deps.asTyped(event.followUp),
        })
        return
      case 'auto_retry_start':
        emit({
          kind: 'provider-retry',
          attempt: event.attempt,
          maxAttempts: event.maxAttempts,
          delayMs: event.delayMs,
        })
        return
      case 'auto_retry_end':
        emit({
          kind: 'provider-retry-ended',
          success: event.success,
          attempt: event.attempt,
          ...(event.finalError === undefined ? {} : { finalError: event.finalError }),
        })
        return
      // The model observation says it, with the whole state.
      case 'thinking_level_changed':
        return
      default:
        emit({ kind: 'unmapped', event: scalarCopy(event) })
    }
  }

  return {
    map(event) {
      try {
        decideHeldEnd(event)
        mapOne(event)
      } catch (error) {
        log.error('an event of the runtime could not be mapped', { type: event.type, error: String(error) })
        emit({ kind: 'unmapped', event: { type: event.type, error: String(error).slice(0, 500) } })
      }
    },
    flush: () => endRun(false),
    failedBeforeResponse: () => !assistantEnded,
    lastStopReason: () => stopReason,
  }
}
