import { type Static, Type } from '@sinclair/typebox'
import { EnsoPermissionModeState } from './permission-mode.js'
import { closed } from './schema.js'
import { EnsoTranscriptEntry } from './transcript.js'

const sessionProperties = {
  threadId: Type.String(),
  sessionId: Type.String(),
  sessionDir: Type.String(),
  /** Null for an ephemeral thread. */
  sessionFile: Type.Union([Type.String(), Type.Null()]),
  busy: Type.Boolean(),
  generation: Type.Integer(),
  /** ISO 8601. */
  lastActivityAt: Type.String(),
}

/** One live thread, at a glance. */
export const EnsoThreadSummary = closed({ ...sessionProperties, mode: Type.String() })
export type EnsoThreadSummary = Static<typeof EnsoThreadSummary>

/** One live thread in full: its branch, and the names of what it may run. */
export const EnsoThreadInspection = closed({
  ...sessionProperties,
  cwd: Type.String(),
  permissionMode: EnsoPermissionModeState,
  commands: Type.Array(Type.String()),
  entries: Type.Array(EnsoTranscriptEntry),
})
export type EnsoThreadInspection = Static<typeof EnsoThreadInspection>

/**
 * How an event was delivered: `live` to a subscriber as it came, `held` before the first one, `replayed` to the first
 * one, `dropped` because nobody listened any more; `sent` is what a surface wrote to its reader.
 */
export const EnsoEventProvenance = Type.Union([
  Type.Literal('live'),
  Type.Literal('held'),
  Type.Literal('replayed'),
  Type.Literal('dropped'),
  Type.Literal('sent'),
])
export type EnsoEventProvenance = Static<typeof EnsoEventProvenance>

/** One event of a tail. Neighbours of one shape are one record with a count. */
export const EnsoThreadEvent = closed({
  /** Rises within the thread; what identifies the record. */
  sequence: Type.Number(),
  /** ISO 8601, of the first one counted. */
  at: Type.String(),
  type: Type.String(),
  /** The inner name where the type alone says nothing: a tool, a method, a custom entry's type. */
  name: Type.Optional(Type.String()),
  provenance: EnsoEventProvenance,
  count: Type.Number(),
})
export type EnsoThreadEvent = Static<typeof EnsoThreadEvent>

/** A thread's two tails: what the host emitted, and what was sent to readers. */
export const EnsoThreadEvents = closed({
  threadId: Type.String(),
  emitted: Type.Array(EnsoThreadEvent),
  sent: Type.Array(EnsoThreadEvent),
})
export type EnsoThreadEvents = Static<typeof EnsoThreadEvents>

/** The three columns of an event's row: `12:34:56` · `held ×3` · `custom-entry modes`. */
export interface ThreadEventColumns {
  readonly when: string
  readonly provenance: string
  readonly subject: string
}

/** What each column of an event's row holds. The time is UTC as stamped, or the stamp itself where it is none. */
export function threadEventColumns(event: EnsoThreadEvent): ThreadEventColumns {
  return {
    when: /T(\d{2}:\d{2}:\d{2})/.exec(event.at)?.[1] ?? event.at,
    provenance: event.count > 1 ? `${event.provenance} ×${event.count}` : event.provenance,
    subject: event.name === undefined ? event.type : `${event.type} ${event.name}`,
  }
}

/** One event as one row. */
export function describeThreadEvent(event: EnsoThreadEvent): string {
  const { when, provenance, subject } = threadEventColumns(event)
  return `${when} ${provenance} ${subject}`
}

const THREAD_ID = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/

/** True for a thread id: letters, digits and inner hyphens, at most 64 characters; safe inside a file name. */
export function isEnsoThreadId(value: unknown): value is string {
  return typeof value === 'string' && THREAD_ID.test(value)
}

/** One stored thread, as a list shows it. */
export const EnsoStoredThread = closed({
  threadId: Type.String(),
  projectId: Type.String(),
  title: Type.Optional(Type.String()),
  messageCount: Type.Integer(),
  /** ISO 8601. */
  lastActivityAt: Type.String(),
  busy: Type.Boolean(),
})
export type EnsoStoredThread = Static<typeof EnsoStoredThread>

/** How a branch ends whose last turn did not settle: a prompt without a reply, or a tool call without its result. */
export const EnsoInterruptedTail = Type.Union([
  Type.Literal('unanswered-prompt'),
  Type.Literal('tool-call-without-result'),
])
export type EnsoInterruptedTail = Static<typeof EnsoInterruptedTail>

/** A thread's history: its messages in the UI message shape (see `EnsoUiMessage`) and the mode it was left in. */
export const EnsoThreadHistory = closed({
  threadId: Type.String(),
  projectId: Type.String(),
  messages: Type.Array(Type.Unknown()),
  permissionMode: EnsoPermissionModeState,
  interrupted: Type.Optional(EnsoInterruptedTail),
})
export type EnsoThreadHistory = Static<typeof EnsoThreadHistory>
