import { ENSO_TOOL_RESULT_KEY, providerStatusOf, readEnsoToolResultDescriptor } from '../../core/index.js'
import type { EnsoProviderRefusal, EnsoToolResultDescriptor, EnsoUsage } from '../../core/index.js'

/** A value read from outside: any field may be absent or of another type. */
export type Loose = Readonly<Record<string, unknown>>

/** The value as something with fields, or an empty one. */
export function loose(value: unknown): Loose {
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : 0
}

/** Tokens and cost of one message, or `undefined` where it has none. */
export function usageOf(value: unknown): EnsoUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const usage = value as Loose
  const total = loose(usage['cost'])['total']
  return {
    input: whole(usage['input']),
    output: whole(usage['output']),
    cacheRead: whole(usage['cacheRead']),
    cacheWrite: whole(usage['cacheWrite']),
    ...(typeof total === 'number' && Number.isFinite(total) ? { totalCost: total } : {}),
  }
}

/** The text parts of a message's content, joined. */
export function textOf(content: unknown, separator = ''): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts: string[] = []
  for (const part of content) {
    const { type, text } = loose(part)
    if (type === 'text' && typeof text === 'string') parts.push(text)
  }
  return parts.join(separator)
}

/** The rendering descriptor that a tool result's details carry. */
export function descriptorOf(details: unknown): EnsoToolResultDescriptor | undefined {
  if (typeof details !== 'object' || details === null || !(ENSO_TOOL_RESULT_KEY in details)) return undefined
  return readEnsoToolResultDescriptor(details)
}

const STOP_REASON_IN_TEXT = /finish_reason: ([\w.-]+)/

/**
 * The refusal that a failed assistant message records, or `undefined` for one that did not fail. `providerStopReason`
 * is the message's own record of it, or stands in the text; otherwise it is not known.
 */
export function refusalOf(message: unknown): EnsoProviderRefusal | undefined {
  const fields = loose(message)
  if (fields['role'] !== 'assistant' || fields['stopReason'] !== 'error') return undefined
  const text = typeof fields['errorMessage'] === 'string' ? fields['errorMessage'] : 'the provider gave no reason'
  const recorded = fields['providerStopReason']
  const stopReason = typeof recorded === 'string' ? recorded : STOP_REASON_IN_TEXT.exec(text)?.[1]
  const status = providerStatusOf(text)
  const output = whole(loose(fields['usage'])['output'])
  return {
    message: text,
    ...(typeof fields['provider'] === 'string' ? { provider: fields['provider'] } : {}),
    ...(typeof fields['model'] === 'string' ? { model: fields['model'] } : {}),
    ...(status === undefined ? {} : { status }),
    ...(stopReason === undefined ? {} : { providerStopReason: stopReason }),
    ...(output > 0 ? { output } : {}),
  }
}
