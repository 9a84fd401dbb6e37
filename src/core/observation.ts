import { type Static, Type } from '@sinclair/typebox'
import { EnsoDialogSpec } from './dialog.js'
import { EnsoPermissionModeState } from './permission-mode.js'
import { EnsoProviderRefusal, EnsoProviderRetry, EnsoProviderRetryEnd } from './provider-refusal.js'
import { closed } from './schema.js'
import { modelStateProperties } from './model-state.js'
import { sessionUsageProperties } from './session-usage.js'
import { EnsoToolResultDescriptor } from './tool-result.js'

/** Tokens and cost of one message. Cumulative within the message: never sum it over deltas. */
export const EnsoUsage = closed({
  input: Type.Integer(),
  output: Type.Integer(),
  cacheRead: Type.Integer(),
  cacheWrite: Type.Integer(),
  /** US dollars; absent where no price is known. */
  totalCost: Type.Optional(Type.Number()),
})
export type EnsoUsage = Static<typeof EnsoUsage>

/** A piece of reply text. `usage` is the message's so far, on its last delta. */
export const EnsoTextDelta = closed({
  kind: Type.Literal('text-delta'),
  /** Which content block of the message the piece belongs to. */
  contentIndex: Type.Integer(),
  delta: Type.String(),
  usage: Type.Optional(EnsoUsage),
})
export type EnsoTextDelta = Static<typeof EnsoTextDelta>

/** A piece of the model's thinking. */
export const EnsoThinkingDelta = closed({
  kind: Type.Literal('thinking-delta'),
  contentIndex: Type.Integer(),
  delta: Type.String(),
  usage: Type.Optional(EnsoUsage),
})
export type EnsoThinkingDelta = Static<typeof EnsoThinkingDelta>

/** A tool call begins. `args` are what the model sent, unchecked. */
export const EnsoToolCall = closed({
  kind: Type.Literal('tool-call'),
  toolCallId: Type.String(),
  toolName: Type.String(),
  args: Type.Unknown(),
})
export type EnsoToolCall = Static<typeof EnsoToolCall>

/** What a tool has said so far: `text` is the whole of it and replaces what was shown, it is never appended. */
export const EnsoToolResultObservation = closed({
  kind: Type.Literal('tool-result'),
  toolCallId: Type.String(),
  toolName: Type.String(),
  text: Type.String(),
  isError: Type.Boolean(),
  /** False while the tool still runs. */
  complete: Type.Boolean(),
  descriptor: Type.Optional(EnsoToolResultDescriptor),
})
export type EnsoToolResultObservation = Static<typeof EnsoToolResultObservation>

/** A message begins. `text` only on a user's: other followers see the prompt by it. */
export const EnsoMessageStart = closed({
  kind: Type.Literal('message-start'),
  role: Type.String(),
  text: Type.Optional(Type.String()),
})
export type EnsoMessageStart = Static<typeof EnsoMessageStart>

/** A message is complete, with its usage where a model made it: the unit to sum. */
export const EnsoMessageEnd = closed({
  kind: Type.Literal('message-end'),
  role: Type.String(),
  model: Type.Optional(Type.String()),
  usage: Type.Optional(EnsoUsage),
})
export type EnsoMessageEnd = Static<typeof EnsoMessageEnd>

/** One model request begins. */
export const EnsoTurnStart = closed({ kind: Type.Literal('turn-start') })
export type EnsoTurnStart = Static<typeof EnsoTurnStart>

/** One model request and the tool results it led to are over. */
export const EnsoTurnEnd = closed({ kind: Type.Literal('turn-end'), toolResults: Type.Integer() })
export type EnsoTurnEnd = Static<typeof EnsoTurnEnd>

/** What the session has spent and how full its context is, whole: the latest one counts. */
export const EnsoSessionUsageObservation = closed({ kind: Type.Literal('session-usage'), ...sessionUsageProperties })
export type EnsoSessionUsageObservation = Static<typeof EnsoSessionUsageObservation>

/** The model or the thinking level changed, by whatever hand. */
export const EnsoModelObservation = closed({ kind: Type.Literal('model'), ...modelStateProperties })
export type EnsoModelObservation = Static<typeof EnsoModelObservation>

/** The permission mode changed. */
export const EnsoPermissionMode = closed({
  kind: Type.Literal('permission-mode'),
  ...EnsoPermissionModeState.properties,
})
export type EnsoPermissionMode = Static<typeof EnsoPermissionMode>

/** A switch of the permission mode that had been accepted failed. */
export const EnsoPermissionModeRejected = closed({
  kind: Type.Literal('permission-mode-rejected'),
  mode: Type.String(),
  reason: Type.String(),
})
export type EnsoPermissionModeRejected = Static<typeof EnsoPermissionModeRejected>

/** The model provider refused a request. */
export const EnsoProviderRefused = closed({ kind: Type.Literal('provider-refused'), ...EnsoProviderRefusal.properties })
export type EnsoProviderRefused = Static<typeof EnsoProviderRefused>

/** A refused request will be tried again. */
export const EnsoProviderRetrying = closed({ kind: Type.Literal('provider-retry'), ...EnsoProviderRetry.properties })
export type EnsoProviderRetrying = Static<typeof EnsoProviderRetrying>

/** Retrying is over. */
export const EnsoProviderRetryEnded = closed({
  kind: Type.Literal('provider-retry-ended'),
  ...EnsoProviderRetryEnd.properties,
})
export type EnsoProviderRetryEnded = Static<typeof EnsoProviderRetryEnded>

/** A prompt that had its receipt was refused before a run began. `messageId` is the receipt's. */
export const EnsoPromptRejected = closed({
  kind: Type.Literal('prompt-rejected'),
  messageId: Type.String(),
  reason: Type.String(),
})
export type EnsoPromptRejected = Static<typeof EnsoPromptRejected>

/** The prompts that wait, in order: taken at the next step, and taken after the run. Both empty when none waits. */
export const EnsoQueue = closed({
  kind: Type.Literal('queue'),
  interrupting: Type.Array(Type.String()),
  enqueued: Type.Array(Type.String()),
})
export type EnsoQueue = Static<typeof EnsoQueue>

/** How a question stopped waiting: a real answer, a cancel, its deadline, or a Stop. */
export const EnsoDialogOutcome = Type.Union([
  Type.Literal('answered'),
  Type.Literal('cancelled'),
  Type.Literal('timeout'),
  Type.Literal('aborted'),
])
export type EnsoDialogOutcome = Static<typeof EnsoDialogOutcome>

/** A question no longer waits; every follower drops its card. */
export const EnsoDialogSettled = closed({
  kind: Type.Literal('dialog-settled'),
  id: Type.String(),
  outcome: EnsoDialogOutcome,
})
export type EnsoDialogSettled = Static<typeof EnsoDialogSettled>

/** How weighty a notice is. */
export const EnsoNotifyType = Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')])
export type EnsoNotifyType = Static<typeof EnsoNotifyType>

/** Where a request of an extension was raised: before anyone listened, or while somebody did. */
export const EnsoUiRequestOrigin = Type.Union([Type.Literal('session-start'), Type.Literal('run')])
export type EnsoUiRequestOrigin = Static<typeof EnsoUiRequestOrigin>

/**
 * An extension wants something of a person. `blocking` means that the run waits for `id` to be answered; `dialog` is
 * the question where it was well formed. A notice has `message` and `notifyType` instead and waits for nobody.
 */
export const EnsoExtensionUiRequest = closed({
  kind: Type.Literal('extension-ui-request'),
  id: Type.String(),
  method: Type.String(),
  blocking: Type.Boolean(),
  origin: EnsoUiRequestOrigin,
  dialog: Type.Optional(EnsoDialogSpec),
  message: Type.Optional(Type.String()),
  notifyType: Type.Optional(EnsoNotifyType),
})
export type EnsoExtensionUiRequest = Static<typeof EnsoExtensionUiRequest>

/** An extension stored state in the session. A receipt, not a change: it may repeat. `data` is the extension's own. */
export const EnsoCustomEntry = closed({
  kind: Type.Literal('custom-entry'),
  customType: Type.String(),
  data: Type.Unknown(),
})
export type EnsoCustomEntry = Static<typeof EnsoCustomEntry>

/** An extension threw. */
export const EnsoExtensionError = closed({
  kind: Type.Literal('extension-error'),
  extensionPath: Type.String(),
  /** What it was handling. */
  event: Type.String(),
  error: Type.String(),
})
export type EnsoExtensionError = Static<typeof EnsoExtensionError>

/** One low-level run is over. Not completion: `willRetry` says that another follows. */
export const EnsoRunEnded = closed({ kind: Type.Literal('run-ended'), willRetry: Type.Boolean() })
export type EnsoRunEnded = Static<typeof EnsoRunEnded>

/** Completion: nothing runs, waits to be retried or is undelivered. */
export const EnsoSettled = closed({ kind: Type.Literal('settled') })
export type EnsoSettled = Static<typeof EnsoSettled>

/** An event of the runtime that has no kind of its own here. `event` is open, so that a new one breaks nothing. */
export const EnsoUnmapped = closed({ kind: Type.Literal('unmapped'), event: Type.Unknown() })
export type EnsoUnmapped = Static<typeof EnsoUnmapped>

/** Everything that can be observed of a thread: a closed union, told apart by `kind`. */
export const EnsoObservation = Type.Union([
  EnsoTextDelta,
  EnsoThinkingDelta,
  EnsoToolCall,
  EnsoToolResultObservation,
  EnsoMessageStart,
  EnsoMessageEnd,
  EnsoTurnStart,
  EnsoTurnEnd,
  EnsoSessionUsageObservation,
  EnsoModelObservation,
  EnsoPermissionMode,
  EnsoPermissionModeRejected,
  EnsoProviderRefused,
  EnsoProviderRetrying,
  EnsoProviderRetryEnded,
  EnsoPromptRejected,
  EnsoQueue,
  EnsoDialogSettled,
  EnsoExtensionUiRequest,
  EnsoCustomEntry,
  EnsoExtensionError,
  EnsoRunEnded,
  EnsoSettled,
  EnsoUnmapped,
])
export type EnsoObservation = Static<typeof EnsoObservation>
