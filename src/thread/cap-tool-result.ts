import type { EnsoToolResultDescriptor, EnsoToolResultObservation, EnsoTranscriptEntry } from '../core/index.js'
import { capToEnd, capToStart, type CappedText } from './cap-text.js'

/** Most bytes of a running tool's text that are sent: its end, because that is what happens now. */
export const RUNNING_TEXT_MAX_BYTES = 64 * 1024

/** Most bytes of a finished tool's text that are sent: its start. The session keeps the whole. */
export const RESULT_TEXT_MAX_BYTES = 256 * 1024

/** Most characters of JSON a descriptor's properties may be; a larger descriptor is left out. */
const DESCRIPTOR_MAX_CHARS = 256 * 1024

interface ResultContent {
  readonly text: string
  readonly descriptor?: EnsoToolResultDescriptor | undefined
}

/**
 * The observation with its text and its descriptor bounded, or itself where both fit. What was cut is said as data, in
 * `descriptor.truncated`; a result without a descriptor gets one of kind `text`.
 */
export function capToolResult(observation: EnsoToolResultObservation): EnsoToolResultObservation {
  const { kind, toolCallId, toolName, isError, complete } = observation
  const content = complete
    ? bounded(observation, capToStart(observation.text, RESULT_TEXT_MAX_BYTES))
    : bounded(observation, capToEnd(observation.text, RUNNING_TEXT_MAX_BYTES))
  return content === undefined ? observation : { kind, toolCallId, toolName, isError, complete, ...content }
}

/** A stored entry as a snapshot shows it: a tool's result bounded like the observation of it. */
export function capEntry(entry: EnsoTranscriptEntry): EnsoTranscriptEntry {
  if (entry.kind !== 'tool-result') return entry
  const content = bounded(entry, capToStart(entry.text, RESULT_TEXT_MAX_BYTES))
  if (content === undefined) return entry
  const { descriptor: _descriptor, ...rest } = entry
  return { ...rest, ...content }
}

/** What a result is bounded to; nothing where all of it fits. */
function bounded(
  result: ResultContent,
  capped: CappedText | undefined,
): { text: string; descriptor?: EnsoToolResultDescriptor } | undefined {
  const descriptor = isOversized(result.descriptor) ? undefined : result.descriptor
  if (capped === undefined) return descriptor === result.descriptor ? undefined : { text: result.text }
  const truncated = { shown: capped.shown, total: capped.total, unit: 'bytes' as const }
  return {
    text: capped.text,
    descriptor: { kind: descriptor?.kind ?? 'text', props: descriptor?.props ?? {}, truncated },
  }
}

function isOversized(descriptor: EnsoToolResultDescriptor | undefined): boolean {
  return descriptor !== undefined && JSON.stringify(descriptor).length > DESCRIPTOR_MAX_CHARS
}
