import type { AgentSession, SessionManager } from '@mariozechner/pi-coding-agent'
import { ENSO_PERMISSION_MODE_ENTRY, ensoLogger } from '../core/index.js'
import type { EnsoError, HostedThread, OpenThreadRequest } from '../core/index.js'
import { commandRefusal, isExtensionCommand } from './command-list.js'
import { compactCommand } from './compact-command.js'
import { decodeEntry, isStoredEntry, lastCustomData } from './decode-entries.js'
import type { StoredEntry } from './decode-entries.js'
import { decodeRecords } from './decode-records.js'
import { createExtensionUiContext, notify } from './extension-ui-context.js'
import { createHostCommands } from './host-commands.js'
import { createHostObserver } from './host-observer.js'
import { createEventMapper } from './map-events.js'
import { createLoginCommands } from './login-commands.js'
import { loose } from './message-values.js'
import { modelStateOf } from './model-choice.js'
import { createObservationHub } from './observation-hub.js'
import type { ObservationHub } from './observation-hub.js'
import { createPendingDialogs } from './pending-dialogs.js'
import type { PendingDialogs } from './pending-dialogs.js'
import { createPermissionModes } from './permission-modes.js'
import { onAppend } from './pi-internals.js'
import { createPromptAdmission } from './prompt-admission.js'
import { createQueuedTexts } from './queued-texts.js'
import { createResponseTail } from './response-tail.js'
import { guardRuns } from './run-guards.js'
import { createTurnCounter } from './run-limits.js'
import { buildSession } from './session-factory.js'
import type { SharedServices } from './session-factory.js'
import { contextUsageOf, sessionUsageOf } from './session-usage.js'
import { createActivity } from './settle.js'
import { createStop } from './stop.js'
import { bindSession, closeSession } from './session-lifetime.js'
import { createThreadRuntime } from './thread-runtime.js'
import type { ThreadParts, ThreadPartsContext, ThreadPartsFactory } from './thread-parts.js'

const log = ensoLogger('host', 'thread')

/** Custom entries that record the context for later inspection; they are no news to anybody. */
const OWN_RECORDS = /^enso-context/

/** The current branch as it is stored. */
function storedEntries(manager: SessionManager): StoredEntry[] {
  return (manager.getBranch() as readonly unknown[]).filter(isStoredEntry)
}

function partsContext(
  request: OpenThreadRequest,
  hub: ObservationHub,
  dialogs: PendingDialogs,
  manager: () => SessionManager,
): ThreadPartsContext {
  return {
    threadId: request.threadId,
    cwd: request.cwd,
    ephemeral: request.session.kind === 'ephemeral',
    trustProject: request.trustProject === true,
    permissionMode: request.permissionMode,
    canAsk: () => request.dialogs.canAsk(),
    async askHostSelect({ title, message, options }, signal) {
      const detail = message === undefined ? {} : { message }
      const answer = await dialogs.ask({ method: 'select', title, options: [...options], ...detail }, { signal })
      return answer && 'value' in answer ? answer.value : undefined
    },
    notify: (message, type) => notify(hub, message, type),
    lastCustomEntry: (customType) => lastCustomData(storedEntries(manager()), customType),
    appendCustomEntry: (customType, data) => void manager().appendCustomEntry(customType, data),
  }
}

function observeEntries(manager: SessionManager, hub: ObservationHub, modeChanged: () => void): void {
  onAppend(manager, (entry) => {
    if (entry.type !== 'custom' || OWN_RECORDS.test(entry.customType)) return
    hub.emit({ kind: 'custom-entry', customType: entry.customType, data: entry.data })
    if (entry.customType === ENSO_PERMISSION_MODE_ENTRY) modeChanged()
  })
}

/** Says the model whenever it is another one than was said last. */
function modelTeller(session: AgentSession, hub: ObservationHub): () => void {
  let said = ''
  return () => {
    const state = modelStateOf(session)
    const key = JSON.stringify(state)
    if (key === said) return
    said = key
    hub.emit({ kind: 'model', ...state })
    hub.emit({ kind: 'session-usage', ...sessionUsageOf(session) })
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
  const hub = createObservationHub()
  const dialogs = createPendingDialogs(hub, request.dialogs)
  let manager: SessionManager | undefined
  const context = partsContext(request, hub, dialogs, () => {
    if (!manager) throw new Error('the session is not open yet')
    return manager
  })
  const parts: ThreadParts = (await makeParts?.(context)) ?? { extensions: [], customTools: [] }
  const modes = createPermissionModes(parts.modes, hub)
  let tellModel = (): void => undefined
  let storageFailed = (error: EnsoError): void => log.error('{error}', { error: error.message })

  const observer = createHostObserver({ modelChanged: () => tellModel() })
  const built = await buildSession({
    request,
    shared,
    parts,
    observer: observer.extension,
    prepared(opened) {
      manager = opened
      observeEntries(opened, hub, modes.changed)
    },
    storageFailed: (error) => storageFailed(error),
  })
  const { session } = built
  shared.recorder?.listen(session.agent)
  tellModel = modelTeller(session, hub)

  const texts = createQueuedTexts()
  const tail = createResponseTail()
  const turns = createTurnCounter(request.limits, (hit) => request.onLimit?.(hit))
  const fault = (event: string, error: unknown): void =>
    hub.emit({
      kind: 'extension-error',
      extensionPath: '<host>',
      event,
      error: error instanceof Error ? error.message : String(error),
    })
  const tellUsage = (): void => hub.emit({ kind: 'session-usage', ...sessionUsageOf(session) })
  let broken: string | undefined

  const mapper = createEventMapper({
    emit: hub.emit,
    asTyped: texts.asTyped,
    providerStopReason: tail.unusualStopReason,
  })
  const activity = createActivity({
    session,
    flush: mapper.flush,
    settled() {
      tellUsage()
      hub.emit({ kind: 'settled' })
    },
    runQueued: () => guarded.runQueued(),
  })
  const stop = createStop({
    session,
    activity,
    dialogs,
    boundMs: shared.bounds.stop,
    begins: () => admission.pause(),
    stuck() {
      broken = 'the last run did not stop; open the thread again to go on'
      fault('stop', broken)
    },
  })
  const guarded = guardRuns(session, {
    beforeStart: () => admission.beforeStart(),
    halted: () => stop.stopping() || turns.hit() || broken !== undefined,
    queued: activity.wake,
    turns,
    tail,
    graceMs: shared.bounds.grace,
  })
  storageFailed = (error) => {
    fault('append', error)
    if (error.code === 'lock-lost') broken ??= error.message
    stop.stopSoon()
  }

  session.subscribe((event) => {
    if (event.type === 'queue_update') texts.changed([...event.steering, ...event.followUp])
    mapper.map(event)
    activity.notice(event)
    admission.notice(event)
    if (event.type === 'message_end' && loose(event.message)['stopReason'] === 'error') turns.failed()
    // An error before the response began leaves the library waiting for a retry it will never make.
    if (event.type === 'agent_end' && mapper.failedBeforeResponse()) session.abortRetry()
    if (event.type === 'turn_end' || event.type === 'compaction_end') tellUsage()
    if (event.type === 'thinking_level_changed') tellModel()
  })

  const login = createLoginCommands({
    session,
    modelRegistry: shared.modelRegistry,
    credentials: shared.credentials,
    dialogs,
    notify: (message, type) => notify(hub, message, type),
    changed: tellModel,
  })
  const commands = createHostCommands({
    session,
    modelRegistry: shared.modelRegistry,
    flows: [
      ...login.flows,
      compactCommand({
        session,
        busy: activity.busy,
        nothing: observer.nothingToCompact,
        notify: (message, type) => notify(hub, message, type),
      }),
    ],
    hold: activity.hold,
    changed: tellModel,
  })
  for (const { path, error } of built.loadErrors) {
    hub.emit({ kind: 'extension-error', extensionPath: path, event: 'load', error })
  }
  tellModel()
  const ready = bindSession(session, createExtensionUiContext(hub, dialogs), {
    failed: fault,
    error: ({ extensionPath, event, error }) => hub.emit({ kind: 'extension-error', extensionPath, event, error }),
  })
  const admission = createPromptAdmission({
    session,
    activity,
    texts,
    ready,
    stopping: stop.stopping,
    stopped: stop.stopped,
    refusal: (text) => broken ?? commandRefusal(session, commands.names(), text),
    isExtensionCommand: (text) => isExtensionCommand(session, text),
    opening: turns.opened,
    failed: (error) => fault('prompt', error),
  })

  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    broken ??= 'the thread is closed'
    login.close()
    closing ??= closeSession(session, {
      shutdownMs: shared.bounds.shutdown,
      dialogs,
      stop,
      busy: activity.busy,
      takeBack: () => void admission.takeBack(),
    })
    return closing
  }
  const runtime = createThreadRuntime({ session, hub, dialogs, admission, stop, commands, modes, close })
  return {
    threadId: request.threadId,
    cwd: request.cwd,
    runtime,
    sessionId: session.sessionId,
    sessionDir: session.sessionManager.getSessionDir(),
    sessionFile: session.sessionFile ?? null,
    isBusy: activity.busy,
    entries: () => storedEntries(session.sessionManager).map(decodeEntry),
    records: () =>
      decodeRecords(
        storedEntries(session.sessionManager),
        session.sessionManager.getEntries(),
        contextUsageOf(session),
      ),
    events: hub.events,
    lastStopReason: mapper.lastStopReason,
    notes: built.notes,
    close,
  }
}
