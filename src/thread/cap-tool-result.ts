import type { EnsoToolResultObservation, EnsoTruncation } from '../core/index.js'
import { capToEnd, capToStart, type CappedText } from './cap-text.js'

/** Most bytes of a running tool's text that are sent: its end, because that is what happens now. */
export const RUNNING_TEXT_MAX_BYTES = 64 * 1024

/** Most bytes of a finished tool's text that are sent: its start. The session keeps the whole. */
export const RESULT_TEXT_MAX_BYTES = 256 * 1024

/** Most characters of JSON a descriptor's properties may be; a larger descriptor is left out. */
const DESCRIPTOR_MAX_CHARS = 256 * 1024

/**
 * The observation with its text and its descriptor bounded, or itself where both fit. What was cut is said as data, in
 * `descriptor.truncated`; a result without a descriptor gets one of kind `text`.
 */
export function capToolResult(observation: EnsoToolResultObservation): EnsoToolResultObservation {
  const { complete } = observation
  const capped = complete
    ? capToStart(observation.text, RESULT_TEXT_MAX_BYTES)
    : capToEnd(observation.text, RUNNING_TEXT_MAX_BYTES)
  const descriptor = isOversized(observation.descriptor) ? undefined : observation.descriptor
  if (capped === undefined && descriptor === observation.descriptor) return observation
  const { toolCallId, toolName, isError } = observation
  const text = capped?.text ?? observation.text
  const kind = 'tool-result'
  if (capped === undefined && descriptor === undefined) return { kind, toolCallId, toolName, text, isError, complete }
  return {
    kind,
    toolCallId,
    toolName,
    text,
    isError,
    complete,
    descriptor: {
      kind: descriptor?.kind ?? 'text',
      props: descriptor?.props ?? {},
      ...(capped === undefined ? {} : { truncated: truncationOf(capped) }),
    },
  }
}

function isOversized(descriptor: EnsoToolResultObservation['descriptor']): boolean {
  return descriptor !== undefined && JSON.stringify(descriptor).length > DESCRIPTOR_MAX_CHARS
}

function truncationOf({ shown, total }: CappedText): EnsoTruncation {
  return { shown, total, unit: 'bytes' }
}
