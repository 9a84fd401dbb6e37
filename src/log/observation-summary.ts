import type { EnsoObservation } from '../core/observation.js'

/** How an observation is logged. */
export interface ObservationSummary {
  /** `info` is the spine of a run; everything else is for whoever looks closer. */
  readonly level: 'debug' | 'info' | 'warn'
  /** The compact properties beside `kind`: ids, names and counts, no content. */
  readonly properties: Readonly<Record<string, unknown>>
}

/** What the observation is about, without what it says. */
export function summaryOf(observation: EnsoObservation): ObservationSummary {
  switch (observation.kind) {
    case 'tool-call':
      return info({ toolCallId: observation.toolCallId, toolName: observation.toolName })
    case 'tool-result': {
      const { toolCallId, toolName, isError, complete, text } = observation
      return {
        level: complete ? 'info' : 'debug',
        properties: { toolCallId, toolName, isError, complete, chars: text.length },
      }
    }
    case 'message-start':
      return debug({ role: observation.role })
    case 'message-end':
      return debug({ role: observation.role, model: observation.model })
    case 'turn-end':
      return debug({ toolResults: observation.toolResults })
    case 'model': {
      const { model, thinkingLevel } = observation
      return info({ model: model === null ? null : `${model.provider}/${model.id}`, thinkingLevel })
    }
    case 'permission-mode':
      return info({ mode: observation.mode })
    case 'permission-mode-rejected':
    case 'prompt-rejected':
    case 'provider-refused':
    case 'provider-retry':
    case 'provider-retry-ended':
    case 'dialog-settled':
      return info(withoutKind(observation))
    case 'queue':
      return debug({ interrupting: observation.interrupting.length, enqueued: observation.enqueued.length })
    case 'extension-ui-request': {
      const { id, method, blocking, origin, notifyType } = observation
      return { level: blocking ? 'info' : 'debug', properties: { id, method, blocking, origin, notifyType } }
    }
    case 'custom-entry':
      return debug({ customType: observation.customType })
    case 'extension-error':
      return { level: 'warn', properties: withoutKind(observation) }
    case 'run-ended':
      return debug({ willRetry: observation.willRetry })
    case 'settled':
      return info({})
    case 'text-delta':
    case 'thinking-delta':
      return debug({ contentIndex: observation.contentIndex, chars: observation.delta.length })
    case 'turn-start':
    case 'session-usage':
    case 'unmapped':
      return debug({})
  }
}

function info(properties: Readonly<Record<string, unknown>>): ObservationSummary {
  return { level: 'info', properties }
}

function debug(properties: Readonly<Record<string, unknown>>): ObservationSummary {
  return { level: 'debug', properties }
}

function withoutKind(observation: EnsoObservation): Record<string, unknown> {
  const { kind: _kind, ...rest } = observation
  return rest
}
