import type {
  EnsoGuardRule,
  EnsoPermissionDenial,
  EnsoProviderRefusal,
  EnsoToolResultDescriptor,
  EnsoUsage,
} from '../../core/index.js'

/** How far a tool call has got; `cut` is one whose run ended without its result. */
export type ToolState = 'running' | 'done' | 'failed' | 'cut'

/** A tool's arguments: as a value, or as JSON text that is read when somebody looks. */
export type ToolInput = { readonly value: unknown } | { readonly json: string }

/** Who says no beside the guard. */
export type Denier = EnsoPermissionDenial['by']

/** One tool call as a chat shows it. */
export interface PageTool {
  readonly id: string
  readonly name: string
  readonly input: ToolInput
  readonly state: ToolState
  readonly text: string
  readonly descriptor?: EnsoToolResultDescriptor | undefined
  /** The guard's rule that refused the call. */
  readonly rule?: EnsoGuardRule | undefined
  /** Who did not allow the call: the permission mode, a rule of the person's, or the person. */
  readonly deniedBy?: Denier | undefined
  /** By this page's clock, in milliseconds; only of a call it saw begin. */
  readonly startedAt?: number | undefined
  readonly ms?: number | undefined
}

/** One piece of a message. */
export type PagePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  | { readonly type: 'tool'; readonly tool: PageTool }

/** A message as a chat shows it. Never changed: a change is a new one with the same key. */
export interface PageMessage {
  /** Stays the same from the first word of a message on, over every reconnect. */
  readonly key: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly PagePart[]
  /** ISO 8601. */
  readonly at?: string | undefined
  readonly refusal?: EnsoProviderRefusal | undefined
  readonly model?: string | undefined
  readonly usage?: EnsoUsage | undefined
  /** The page saw it being written, so it is said to those who listen. */
  readonly isSeen?: boolean | undefined
}

/** What is known of a message when it is taken from a snapshot. */
export type UnkeyedMessage = Omit<PageMessage, 'key'>

/** A tool's arguments as a record, empty where they are none. */
export function toolInput({ input }: PageTool): Readonly<Record<string, unknown>> {
  const value = 'value' in input ? input.value : readJson(input.json)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Everything a message says in words. */
export function plainTextOf({ parts }: PageMessage): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
