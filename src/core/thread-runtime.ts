import { type Static, Type } from '@sinclair/typebox'
import type { EnsoOpenDialog, EnsoQuestionAnswer } from './dialog.js'
import type { EnsoObservation } from './observation.js'
import type { EnsoPermissionModeState } from './permission-mode.js'
import type { EnsoModelState } from './model-state.js'
import { closed, lazyValidator } from './schema.js'
import type { EnsoSessionUsage } from './session-usage.js'

// Shared with the observations that carry them, in files of their own.
export { EnsoModelChoice, EnsoModelState } from './model-state.js'
export { EnsoContextUsage, EnsoSessionUsage } from './session-usage.js'

/** One image of a prompt as the runtime takes it: base64 bytes and what they are. */
export const PromptImageContent = closed({
  type: Type.Literal('image'),
  data: Type.String(),
  mimeType: Type.String(),
})
export type PromptImageContent = Static<typeof PromptImageContent>

/**
 * What becomes of a prompt that arrives during a run: `interrupt` takes it at the next step, `enqueue` after the run
 * has settled.
 */
export const EnsoPromptAdmission = Type.Union([Type.Literal('interrupt'), Type.Literal('enqueue')])
export type EnsoPromptAdmission = Static<typeof EnsoPromptAdmission>

/** One choice of a host command: `id` is sent back, `label` is shown, `detail` is a dimmer second column. */
export const HostCommandOption = closed({
  id: Type.String(),
  label: Type.String(),
  detail: Type.Optional(Type.String()),
  /** Thinking levels the model behind this option supports. */
  thinkingLevels: Type.Optional(Type.Array(Type.String())),
})
export type HostCommandOption = Static<typeof HostCommandOption>

/**
 * One slash command that the session can run. A word that is not in the list is no command: it is refused, because the
 * model would try to answer it as prose.
 */
export const RuntimeCommand = closed({
  name: Type.String(),
  source: Type.Union([Type.Literal('extension'), Type.Literal('prompt'), Type.Literal('skill'), Type.Literal('host')]),
  description: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  /**
   * Host rows only: `select` one of many, `level` one of a few in order, `flow` starts questions of its own, `action`
   * runs without a value, `view` is opened by the surface and never run.
   */
  kind: Type.Optional(
    Type.Union([
      Type.Literal('select'),
      Type.Literal('level'),
      Type.Literal('flow'),
      Type.Literal('action'),
      Type.Literal('view'),
    ]),
  ),
  /** Host rows: the current choice, as an option's id. */
  value: Type.Optional(Type.String()),
  /** Host rows: what may be chosen. */
  options: Type.Optional(Type.Array(HostCommandOption)),
})
export type RuntimeCommand = Static<typeof RuntimeCommand>

/** Body of the `command` operation: a host command, with an option's id where its kind takes one. */
export const EnsoHostCommandRun = closed({
  name: Type.String({ minLength: 1 }),
  value: Type.Optional(Type.String()),
})
export type EnsoHostCommandRun = Static<typeof EnsoHostCommandRun>

/**
 * Body of the `configure` operation: settings applied together under one lease, in the order model, thinking, mode.
 * What equals the current value is left alone.
 */
export const EnsoSessionConfiguration = closed({
  /** `provider/id`. */
  model: Type.Optional(Type.String({ minLength: 1 })),
  thinking: Type.Optional(Type.String({ minLength: 1 })),
  mode: Type.Optional(Type.String({ minLength: 1 })),
})
export type EnsoSessionConfiguration = Static<typeof EnsoSessionConfiguration>

/** Which step of a configuration was refused, and why. The steps before it applied; those after it did not run. */
export const EnsoConfigurationRefusal = closed({
  step: Type.Union([Type.Literal('model'), Type.Literal('thinking'), Type.Literal('mode')]),
  reason: Type.String(),
})
export type EnsoConfigurationRefusal = Static<typeof EnsoConfigurationRefusal>

/**
 * The slash commands of a thread, and where the list comes from: the live session, the last session this process
 * built, or nowhere yet. Looking never builds a session.
 */
export const EnsoThreadCommands = closed({
  threadId: Type.String(),
  source: Type.Union([Type.Literal('live'), Type.Literal('remembered'), Type.Literal('none')]),
  commands: Type.Array(RuntimeCommand),
})
export type EnsoThreadCommands = Static<typeof EnsoThreadCommands>

const commandValidator = lazyValidator(RuntimeCommand)

/** True for a well-formed command row. */
export function isRuntimeCommand(value: unknown): value is RuntimeCommand {
  return commandValidator.check(value)
}

/** A prompt as the runtime takes it. */
export interface PromptRequest {
  message: string
  images?: readonly PromptImageContent[]
  /** What to do when a run is already going. */
  admission?: EnsoPromptAdmission
}

/** What a prompt reports back. Exactly one of the two is called, once. */
export interface PromptOutcome {
  /** The prompt was taken, or an extension's command has finished. Not the end of the run. */
  onAccepted: () => void
  /** The prompt was refused before a run began. */
  onRejected: (reason: string) => void
}

/** What a `flow` or `action` reports back: a prompt's two signals, and its end. */
export interface HostFlowOutcome extends PromptOutcome {
  /** The work is over, however it ended. Exactly once, after `onAccepted`. */
  onSettled: () => void
}

/** An answer to an open question, by its id. The arms exclude each other: exactly one key is present. */
export type DialogAnswer = { id: string } & (
  | { cancelled: true; value?: never; confirmed?: never; answers?: never }
  | { value: string; cancelled?: never; confirmed?: never; answers?: never }
  | { confirmed: boolean; cancelled?: never; value?: never; answers?: never }
  | { answers: EnsoQuestionAnswer[]; cancelled?: never; value?: never; confirmed?: never }
)

/**
 * What the host implements for one thread and everything above drives. The function types are the contract; the
 * schemas beneath them only say that a function is there.
 */
export const ThreadRuntime = Type.Object({
  /** Sends a prompt and returns at once; the run is heard of through `subscribe`. */
  prompt: Type.Unsafe<(request: PromptRequest, outcome: PromptOutcome) => void>(
    Type.Function([Type.Unknown(), Type.Unknown()], Type.Void()),
  ),
  /** Delivers an answer or a cancel to an open question. Never throws: an unknown id is reported, not fatal. */
  answerDialog: Type.Unsafe<(response: DialogAnswer) => void>(Type.Function([Type.Unknown()], Type.Void())),
  /** The questions that wait, oldest first. */
  openDialogs: Type.Unsafe<() => EnsoOpenDialog[]>(Type.Function([], Type.Unknown())),
  /** The slash commands this session can run, of all four sources. */
  listCommands: Type.Unsafe<() => RuntimeCommand[]>(Type.Function([], Type.Unknown())),
  modelState: Type.Unsafe<() => EnsoModelState>(Type.Function([], Type.Unknown())),
  sessionUsage: Type.Unsafe<() => EnsoSessionUsage>(Type.Function([], Type.Unknown())),
  /**
   * Applies a `select` or `level` host command. Resolves when applied; rejects with a reason a person can act on. The
   * change itself is a `model` observation.
   */
  runHostCommand: Type.Unsafe<(run: EnsoHostCommandRun) => Promise<void>>(
    Type.Function([Type.Unknown()], Type.Unknown()),
  ),
  /** Starts a `flow` or `action` host command and returns at once. */
  startHostFlow: Type.Unsafe<(run: EnsoHostCommandRun, outcome: HostFlowOutcome) => void>(
    Type.Function([Type.Unknown(), Type.Unknown()], Type.Void()),
  ),
  permissionModeState: Type.Unsafe<() => EnsoPermissionModeState>(Type.Function([], Type.Unknown())),
  /** Switches to a mode that `permissionModeState().available` offers. The change is a `permission-mode` observation. */
  setPermissionMode: Type.Unsafe<(mode: string, outcome: PromptOutcome) => void>(
    Type.Function([Type.Unknown(), Type.Unknown()], Type.Void()),
  ),
  /**
   * Hears every observation. What was observed before the first subscriber is held and replayed to it; after that,
   * without a subscriber, observations are dropped. Returns the unsubscribe.
   */
  subscribe: Type.Unsafe<(onObservation: (observation: EnsoObservation) => void) => () => void>(
    Type.Function([Type.Unknown()], Type.Unknown()),
  ),
  /** Stops the run and resolves when the agent is idle. The session survives. */
  abort: Type.Unsafe<() => Promise<void>>(Type.Function([], Type.Unknown())),
  /** Drops every waiting prompt and returns the texts as they were typed. */
  clearQueue: Type.Unsafe<() => { interrupting: string[]; enqueued: string[] }>(Type.Function([], Type.Unknown())),
  /** Cancels open questions, tells extensions, releases the session. Idempotent. */
  dispose: Type.Unsafe<() => void>(Type.Function([], Type.Void())),
})
export type ThreadRuntime = Static<typeof ThreadRuntime>
