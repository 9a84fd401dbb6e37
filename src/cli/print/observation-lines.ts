import {
  type EnsoExtensionUiRequest,
  type EnsoModelState,
  type EnsoObservation,
  type EnsoProviderRefusal,
  type EnsoQueue,
  providerReasonOf,
  providerRefusalClass,
} from '../../core/index.js'
import { duration } from './layout.js'
import { sanitize, sanitizeLine } from './sanitize.js'

/** A line about something that happened: how grave it is, and the words. */
export interface ObservationLine {
  readonly weight: 'info' | 'warning' | 'error'
  readonly text: string
}

const SIGNS = { info: '·', warning: '!', error: '✗' } as const

/** The sign a line of this weight begins with. */
export function signOf(weight: ObservationLine['weight']): string {
  return SIGNS[weight]
}

function refusalLine(refusal: EnsoProviderRefusal): ObservationLine {
  const status = refusal.status === undefined ? '' : ` (${refusal.status})`
  const who = sanitizeLine(refusal.provider ?? 'the provider')
  const reason = sanitizeLine(providerReasonOf(refusal.message))
  return { weight: 'error', text: `${who}: ${providerRefusalClass(refusal)}${status}: ${reason}` }
}

/** A notice of an extension. Its line feeds are kept, under the first line's text. */
export function noticeLine({ message = '', notifyType = 'info' }: EnsoExtensionUiRequest): ObservationLine {
  return { weight: notifyType, text: sanitize(message).trim().replaceAll('\n', '\n  ') }
}

/** The prompts that wait, named by their beginnings. */
export function queueLine({ interrupting, enqueued }: EnsoQueue): ObservationLine | undefined {
  const texts = [...interrupting, ...enqueued].map((text) => sanitizeLine(text).slice(0, 60))
  if (texts.length === 0) return undefined
  return { weight: 'info', text: `waiting: ${texts.map((text) => `"${text}"`).join(', ')}` }
}

/** A model by its full name, and how hard it thinks where it can. */
export function modelName({ model, thinkingLevel, availableThinkingLevels }: EnsoModelState): string {
  if (model === null) return 'no model'
  const thinks = availableThinkingLevels.some((level) => level !== 'off')
  return sanitizeLine(`${model.provider}/${model.id}${thinks ? `, thinking ${thinkingLevel}` : ''}`)
}

/** The line about an observation that stands for itself; nothing for the kinds that need what was before them. */
export function observationLine(observation: EnsoObservation): ObservationLine | undefined {
  switch (observation.kind) {
    case 'provider-refused':
      return refusalLine(observation)
    case 'provider-retry': {
      const { attempt, maxAttempts, delayMs } = observation
      return { weight: 'warning', text: `retry ${attempt} of ${maxAttempts} in ${duration(delayMs)}` }
    }
    case 'provider-retry-ended': {
      const { success, attempt, finalError } = observation
      if (success) return { weight: 'info', text: `retry ${attempt} got through` }
      const why = finalError === undefined ? '' : `: ${sanitizeLine(providerReasonOf(finalError))}`
      return { weight: 'error', text: `gave up after ${attempt} ${attempt === 1 ? 'retry' : 'retries'}${why}` }
    }
    case 'prompt-rejected':
      return { weight: 'error', text: `the prompt was refused: ${sanitizeLine(observation.reason)}` }
    case 'permission-mode-rejected':
      return {
        weight: 'error',
        text: `mode ${sanitizeLine(observation.mode)} was refused: ${sanitizeLine(observation.reason)}`,
      }
    case 'extension-error': {
      const { extensionPath, event, error } = observation
      return { weight: 'error', text: sanitizeLine(`extension ${extensionPath} failed in ${event}: ${error}`) }
    }
    default:
      return undefined
  }
}
