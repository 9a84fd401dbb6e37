import type { SessionManager } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../core/index.js'
import type { EnsoError, HostedThread, OpenThreadRequest } from '../core/index.js'
import { compactCommand } from './commands/compact-command.js'
import { decodeEntry } from './session/decode-entries.js'
import { decodeRecords } from './session/decode-records.js'
import { createExtensionUiContext } from './dialogs/extension-ui-context.js'
import { createFinalAnswer, FINAL_ANSWER_TOOL, type FinalAnswer } from './runs/final-answer.js'
import { createHostCommands } from './commands/host-commands.js'
import type { HostCommands } from './commands/host-commands.js'
import { createHostObserver } from './observe/host-observer.js'
import type { HostObserver } from './observe/host-observer.js'
import { createLoginCommands } from './accounts/login-commands.js'
import type { LoginCommands } from './accounts/login-commands.js'
import { createObservationHub } from './observe/observation-hub.js'
import type { ObservationHub } from './observe/observation-hub.js'
import { createPartsContext, observeEntries, storedBranch } from './parts-context.js'
import { createPendingDialogs } from './dialogs/pending-dialogs.js'
import type { PendingDialogs } from './dialogs/pending-dialogs.js'
import { createPermissionModes } from './permission-modes.js'
import type { PermissionModes } from './permission-modes.js'
import { createRunControl } from './runs/run-control.js'
import type { RunControl } from './runs/run-control.js'
import { buildSession } from './session/session-factory.js'
import type { BuiltSession, SharedServices } from './session/session-factory.js'
import { bindSession, closeSession } from './session/session-lifetime.js'
import { contextUsageOf } from './session/session-usage.js'
import { threadOutlook } from './thread-outlook.js'
import type { ThreadParts, ThreadPartsFactory } from './thread-parts.js'
import { createThreadRuntime } from './thread-runtime.js'
import { createThreadVoice } from './dialogs/thread-voice.js'
import type { ThreadVoice } from './dialogs/thread-voice.js'

const log = ensoLogger('host', 'thread')

/** What a thread has before its session is bound: enough to ask, to say and to be told. */
interface Foundation {
  readonly request: OpenThreadRequest
  readonly shared: SharedServices
  readonly hub: ObservationHub
  readonly dialogs: PendingDialogs
  readonly modes: PermissionModes
  readonly observer: HostObserver
  readonly built: BuiltSession
  readonly parts: ThreadParts
  readonly voice: ThreadVoice
  readonly answer: FinalAnswer | undefined
  /** Says where a failed append is told from now on. */
  onStorageFailed(tell: (error: EnsoError) => void): void
}

/** A thread's parts with the tool its answers come through; whatever guards the others guards it too. */
function withAnswer(parts: ThreadParts, answer: FinalAnswer | undefined): ThreadParts {
  if (answer === undefined) return parts
  return {
    ...parts,
    extensions: [answer.extension, ...parts.extensions],
    customTools: [...parts.customTools, answer.tool],
  }
}

function withInstructions(request: OpenThreadRequest, instructions: string): OpenThreadRequest {
  const { appendSystemPrompt } = request
  const text = appendSystemPrompt === undefined ? instructions : `${appendSystemPrompt}\n\n${instructions}`
  return { ...request, appendSystemPrompt: text }
}

/** The answer's tool takes a form of its own; every other tool is told as it is. */
function answerParameters(answer: FinalAnswer | undefined): (toolName: string) => unknown {
  return (toolName) => (toolName === FINAL_ANSWER_TOOL ? answer?.parameters : undefined)
}

async function lay(
  request: OpenThreadRequest,
  shared: SharedServices,
  makeParts: ThreadPartsFactory | undefined,
): Promise<Foundation> {
  const hub = createObservationHub()
  const dialogs = createPendingDialogs(hub, request.dialogs)
  let manager: SessionManager | undefined
  const answer = request.outputSchema === undefined ? undefined : await createFinalAnswer(request.outputSchema)
  const opened = (): SessionManager => {
    if (!manager) throw new Error('the session is not open yet')
    return manager
  }
  const context = createPartsContext(request, hub, dialogs, opened, answerParameters(answer))
  const parts = withAnswer((await makeParts?.(context)) ?? { extensions: [], customTools: [] }, answer)
  const modes = createPermissionModes(parts.modes, hub)
  let voice: ThreadVoice | undefined
  let storageFailed = (error: EnsoError): void => log.error('{error}', { error: error.message })
  const observer = createHostObserver({ modelChanged: () => voice?.model() })
  const built = await buildSession({
    request: answer === undefined ? request : withInstructions(request, answer.instructions),
    shared,
    parts,
    observer: observer.extension,
    prepared(opened) {
      manager = opened
      observeEntries(opened, hub, modes.changed)
    },
    storageFailed: (error) => storageFailed(error),
  })
  shared.recorder?.listen(built.session.agent)
  answer?.attach(built.session.agent)
  voice = createThreadVoice(built.session, hub)
  const onStorageFailed = (tell: (error: EnsoError) => void): void => {
    storageFailed = tell
  }
  return { request, shared, hub, dialogs, modes, observer, built, parts, voice, answer, onStorageFailed }
}

/** The host's own commands, and the logins among them that must end with the thread. */
function createCommands(
  { shared, dialogs, observer, built, voice }: Foundation,
  runs: () => RunControl,
): { commands: HostCommands; login: LoginCommands } {
  const { session } = built
  const { modelRegistry, credentials } = shared
  const { notice } = voice
  const login = createLoginCommands({
    session,
    modelRegistry,
    credentials,
    dialogs,
    notify: notice,
    changed: voice.model,
  })
  const compact = compactCommand({
    session,
    busy: () => runs().activity.busy(),
    nothing: observer.nothingToCompact,
    notify: notice,
  })
  const commands = createHostCommands({
    session,
    modelRegistry,
    flows: [...login.flows, compact],
    hold: () => runs().activity.hold(),
    changed: voice.model,
  })
  return { commands, login }
}

/** Ends a thread once, whoever asks how often. */
function createClose(
  { shared, dialogs, built }: Foundation,
  runs: RunControl,
  login: LoginCommands,
): () => Promise<void> {
  let closing: Promise<void> | undefined
  return () => {
    runs.breakOff('the thread is closed')
    login.close()
    closing ??= closeSession(built.session, {
      shutdownMs: shared.bounds.shutdown,
      dialogs,
      stop: runs.stop,
      busy: runs.activity.busy,
      takeBack: () => void runs.admission.takeBack(),
    })
    return closing
  }
}

/**
 * Builds one live thread. It is handed out before its extensions have been told of its start, so that a question one
 * of them asks there can be seen and answered; the first prompt waits for that.
 */
export async function openThread(
  request: OpenThreadRequest,
  shared: SharedServices,
  makeParts: ThreadPartsFactory | undefined,
): Promise<HostedThread> {
  const foundation = await lay(request, shared, makeParts)
  const { hub, dialogs, modes, built, parts, voice, answer } = foundation
  const { session } = built
  let bound = (_done: Promise<void>): void => undefined
  const ready = new Promise<void>((resolve) => {
    bound = resolve
  })
  const { commands, login } = createCommands(foundation, () => runs)
  const runs = createRunControl({
    session,
    hub,
    dialogs,
    voice,
    request,
    bounds: shared.bounds,
    ready,
    hostCommands: commands.names,
  })
  foundation.onStorageFailed(runs.storageFailed)
  for (const { path, error } of built.loadErrors) voice.fault('load', error, path)
  voice.model()
  bound(
    bindSession(session, createExtensionUiContext(hub, dialogs), {
      failed: voice.fault,
      error: ({ extensionPath, event, error }) => voice.fault(event, error, extensionPath),
    }),
  )
  const close = createClose(foundation, runs, login)
  const { admission, activity, stop } = runs
  const { sessionManager } = session
  return {
    threadId: request.threadId,
    cwd: request.cwd,
    runtime: createThreadRuntime({ session, hub, dialogs, admission, stop, commands, modes, close }),
    sessionId: session.sessionId,
    sessionDir: sessionManager.getSessionDir(),
    sessionFile: session.sessionFile ?? null,
    isBusy: activity.busy,
    entries: () => storedBranch(sessionManager).map(decodeEntry),
    records: () => decodeRecords(storedBranch(sessionManager), sessionManager.getEntries(), contextUsageOf(session)),
    events: hub.events,
    lastStopReason: runs.lastStopReason,
    ...(answer === undefined ? {} : { structured: answer.outcome }),
    outlook: () => threadOutlook(session, parts, answerParameters(answer)),
    notes: built.notes,
    close,
  }
}
