import {
  type EnsoThreadCommands,
  type EnsoThreadEvents,
  type EnsoThreadHistory,
  type EnsoThreadInspection,
  type RuntimeCommand,
} from '../core/index.js'
import { canonicalPath, projectIdOf } from '../system/project-id.js'
import { done, notLive, type OperationCall, type OperationOutcome } from './operation.js'
import { interruptedOf, liveInterrupted, liveMessages, messagesOf, storedMode, storedUsage } from './snapshot.js'

/** What a thread can run: as it says itself, else as the last session of this process said. */
export async function listCommands({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  const remembered = threads.remembered()
  const answer: EnsoThreadCommands =
    live !== undefined
      ? { threadId, source: 'live', commands: live.hosted.runtime.listCommands() }
      : remembered !== undefined
        ? { threadId, source: 'remembered', commands: remembered.map(withoutValue) }
        : { threadId, source: 'none', commands: [] }
  return done(200, answer)
}

/** Without the current choice: a thread without a session has none. */
function withoutValue({ value: _value, ...command }: RuntimeCommand): RuntimeCommand {
  return command
}

/** A thread's messages, live or from its file. A thread that was never stored has none. */
export async function readHistory({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  if (live !== undefined) {
    const { entry, hosted } = live
    const history: EnsoThreadHistory = {
      threadId,
      projectId: projectIdOf(canonicalPath(hosted.cwd)),
      messages: liveMessages(entry, hosted),
      permissionMode: hosted.runtime.permissionModeState(),
      ...liveInterrupted(entry, hosted.entries()),
    }
    return done(200, history)
  }
  const view = await threads.stored()
  const history: EnsoThreadHistory = {
    threadId,
    projectId: view.projectId,
    messages: view.reading === undefined ? [] : messagesOf(view.reading.entries),
    permissionMode: storedMode(view),
    ...interruptedOf(view.reading?.interrupted),
  }
  return done(200, history)
}

/** What a live thread's runtime observed, and what was sent of it. */
export async function readEvents({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  if (live === undefined) return notLive(threadId)
  const events: EnsoThreadEvents = {
    threadId,
    emitted: [...live.hosted.events()],
    sent: [...live.entry.tail.events()],
  }
  return done(200, events)
}

/** What a thread has spent, live or from its file. */
export async function readUsage({ threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  return done(200, live === undefined ? storedUsage(await threads.stored()) : live.hosted.runtime.sessionUsage())
}

/** One live thread in full. */
export async function inspectThread({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  if (live === undefined) return notLive(threadId)
  const { entry, hosted } = live
  const inspection: EnsoThreadInspection = {
    threadId,
    sessionId: hosted.sessionId,
    sessionDir: hosted.sessionDir,
    sessionFile: hosted.sessionFile,
    busy: entry.lease.held() !== undefined,
    generation: entry.lease.generation(),
    lastActivityAt: new Date(entry.lastActivityAt()).toISOString(),
    cwd: hosted.cwd,
    permissionMode: hosted.runtime.permissionModeState(),
    commands: hosted.runtime.listCommands().map(({ name }) => name),
    entries: [...hosted.entries()],
  }
  return done(200, inspection)
}
