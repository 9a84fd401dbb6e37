import { type Static, Type } from '@sinclair/typebox'
import { closed, lazyValidator } from './schema.js'

/** One attempt that the model provider refused. */
export const EnsoProviderRefusal = closed({
  /** The provider's message as the runtime recorded it. */
  message: Type.String(),
  provider: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  /** HTTP status, where the message carries one. */
  status: Type.Optional(Type.Integer()),
  /** The provider's own stop reason, when it ended a response it had begun. */
  providerStopReason: Type.Optional(Type.String()),
  /** Output tokens the refused attempt spent. */
  output: Type.Optional(Type.Integer()),
})
export type EnsoProviderRefusal = Static<typeof EnsoProviderRefusal>

/** A refused request is about to be tried again. */
export const EnsoProviderRetry = closed({
  /** Which retry this will be, from 1. */
  attempt: Type.Integer(),
  maxAttempts: Type.Integer(),
  /** Milliseconds until it leaves. */
  delayMs: Type.Number(),
})
export type EnsoProviderRetry = Static<typeof EnsoProviderRetry>

/** Retrying is over: one got through, or none did and `finalError` says why. */
export const EnsoProviderRetryEnd = closed({
  success: Type.Boolean(),
  attempt: Type.Integer(),
  finalError: Type.Optional(Type.String()),
})
export type EnsoProviderRetryEnd = Static<typeof EnsoProviderRetryEnd>

/** Key of a stored refusal in an assistant message's metadata bag. */
export const ENSO_PROVIDER_REFUSAL_KEY = 'enso:providerRefusal'

/**
 * Key of a retry that is waited for, in the metadata bag of a snapshot's last message: the refused reply, or the prompt
 * where the request failed before a reply began. `delayMs` is what is left of the wait.
 */
export const ENSO_PROVIDER_RETRY_KEY = 'enso:providerRetry'

const refusalValidator = lazyValidator(EnsoProviderRefusal)

/** The refusal a metadata bag carries under {@link ENSO_PROVIDER_REFUSAL_KEY}; nothing when absent or malformed. */
export function readEnsoProviderRefusal(
  metadata: Record<string, unknown> | undefined,
): EnsoProviderRefusal | undefined {
  const value = metadata?.[ENSO_PROVIDER_REFUSAL_KEY]
  return refusalValidator.check(value) ? value : undefined
}

/** The words a refusal is shown as; see {@link providerRefusalClass}. */
export type ProviderRefusalClass =
  | 'rate-limited'
  | 'not logged in'
  | 'model refused'
  | 'provider policy'
  | 'provider error'
  | 'request failed'

/** Stop reasons by which a provider says that its own content policy ended the response, over every API spoken. */
export const PROVIDER_POLICY_STOP_REASONS: ReadonlySet<string> = new Set([
  // Anthropic
  'refusal',
  'sensitive',
  // OpenAI chat completions and responses
  'content_filter',
  'incomplete.content_filter',
  // Bedrock
  'guardrail_intervened',
  'content_filtered',
  // Gemini and Vertex
  'SAFETY',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'RECITATION',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
])

/**
 * One short word for a refusal, by what helps: waiting (`rate-limited`, `provider error`), logging in
 * (`not logged in`), another wording (`provider policy`), another model or request (`model refused`), or none known.
 */
export function providerRefusalClass(
  refusal: Pick<EnsoProviderRefusal, 'status' | 'providerStopReason'>,
): ProviderRefusalClass {
  const { status, providerStopReason } = refusal
  if (providerStopReason !== undefined && PROVIDER_POLICY_STOP_REASONS.has(providerStopReason)) return 'provider policy'
  if (status === undefined) return 'request failed'
  if (status === 429) return 'rate-limited'
  if (status === 401) return 'not logged in'
  if (status >= 500 || status === 408) return 'provider error'
  if (status >= 400) return 'model refused'
  return 'request failed'
}

const STATUS_AT_START = /^\s*(\d{3})(?=$|[\s:{])/
const STATUS_IN_PREFIX = /^[^({]{0,80}?\b(?:API )?error \((\d{3})\)/i

/**
 * The HTTP status in a provider's error message: at its start, in a named prefix (`… API error (429): …`), or as the
 * numeric `error.code` of a bare JSON body. Nothing where there is none (a failed connection), or below 400.
 */
export function providerStatusOf(message: string): number | undefined {
  const found = STATUS_AT_START.exec(message)?.[1] ?? STATUS_IN_PREFIX.exec(message)?.[1]
  const status = found === undefined ? codeOf(jsonIn(message.trim())) : Number(found)
  return status !== undefined && status >= 400 && status <= 599 ? status : undefined
}

/** Longest reason handed to a person, in characters. */
const REASON_MAX = 300

/**
 * The provider's own words for a person: the status prefix taken off, a JSON body reduced to the message in it, the
 * first line, at most 300 characters. The message itself where nothing else is left.
 */
export function providerReasonOf(message: string): string {
  const bare = message
    .replace(STATUS_IN_PREFIX, '')
    .replace(STATUS_AT_START, '')
    .replace(/^[\s:]+/, '')
  const text = messageIn(jsonIn(bare)) ?? (bare === '' ? message : bare)
  const line = text.trim().split(/\r?\n/, 1)[0]!.trim()
  return line.length > REASON_MAX ? `${line.slice(0, REASON_MAX - 1).trimEnd()}…` : line
}

function jsonIn(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function field(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

function codeOf(body: unknown): number | undefined {
  const code = field(field(Array.isArray(body) ? body[0] : body, 'error'), 'code')
  return typeof code === 'number' && Number.isInteger(code) ? code : undefined
}

function messageIn(body: unknown): string | undefined {
  const root = Array.isArray(body) ? body[0] : body
  const error = field(root, 'error')
  for (const candidate of [field(error, 'message'), field(root, 'message'), error, field(root, 'detail')]) {
    if (typeof candidate === 'string' && candidate.trim() !== '')
      return messageIn(jsonIn(candidate.trim())) ?? candidate
  }
  return undefined
}
