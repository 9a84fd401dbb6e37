import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { EnsoError, OpenThreadRequest } from '../../core/index.js'
import type { Bounds } from './bounds.js'
import { commandRefusal, isExtensionCommand } from '../commands/command-list.js'
import { createEventMapper } from '../observe/map-events.js'
import { requireCredentials } from '../models/model-choice.js'
import type { ObservationHub } from '../observe/observation-hub.js'
import type { PendingDialogs } from '../dialogs/pending-dialogs.js'
import { createPromptAdmission } from './prompt-admission.js'
import type { PromptAdmission } from './prompt-admission.js'
import { createQueuedTexts } from './queued-texts.js'
import { createResponseTail } from '../models/response-tail.js'
import { guardRetries } from './retries.js'
import { guardRuns } from './run-guards.js'
import { createRunMeter } from './run-limits.js'
import { createActivity } from './settle.js'
import type { Activity } from './settle.js'
import { createStop } from './stop.js'
import type { Stop } from './stop.js'
import type { ThreadVoice } from '../dialogs/thread-voice.js'

export interface RunControlDeps {
  readonly session: AgentSession
  readonly hub: ObservationHub
  readonly dialogs: PendingDialogs
  readonly voice: ThreadVoice
  readonly request: Pick<OpenThreadRequest, 'limits' | 'onLimit'>
  readonly bounds: Bounds
  /** The session's extensions have been told of its start. */
  readonly ready: Promise<void>
  /** The host's own commands, which are no prompts. */
  readonly hostCommands: () => readonly string[]
}

/** How the runs of one session begin, go on and end. */
export interface RunControl {
  readonly admission: PromptAdmission
  readonly activity: Activity
  readonly stop: Stop
  readonly lastStopReason: () => string | undefined
  /** An entry could not be stored: the run ends, and a thread that is no longer ours takes no prompt any more. */
  readonly storageFailed: (error: EnsoError) => void
  /** From now on no prompt is taken, for this reason. */
  readonly breakOff: (reason: string) => void
}

/** Why no model could be asked now; a command of an extension needs none. */
function modelRefusal(session: AgentSession, text: string): string | undefined {
  if (isExtensionCommand(session, text)) return undefined
  try {
    requireCredentials(session.modelRegistry, session.model)
    return undefined
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}: /login stores a key, /model chooses another`
  }
}

/** Puts the mapper, the guards, the queue, the Stop and the watch for rest around a session, before its first event. */
export function createRunControl(deps: RunControlDeps): RunControl {
  const { session, hub, dialogs, voice, request, bounds } = deps
  const texts = createQueuedTexts()
  const tail = createResponseTail()
  const retries = guardRetries(session, tail)
  const meter = createRunMeter(request.limits, (hit) => request.onLimit?.(hit))
  let broken: string | undefined

  const mapper = createEventMapper({
    emit: hub.emit,
    asTyped: texts.asTyped,
    providerStopReason: tail.unusualStopReason,
    tooLongAWait: retries.tooLong,
  })
  const activity = createActivity({
    session,
    flush: mapper.flush,
    settled: voice.settled,
    runQueued: () => guarded.runQueued(),
  })
  const stop = createStop({
    session,
    activity,
    dialogs,
    boundMs: bounds.stop,
    begins: () => admission.pause(),
    stuck() {
      broken = 'the last run did not stop; open the thread again to go on'
      voice.fault('stop', broken)
    },
  })
  const guarded = guardRuns(session, {
    beforeStart: () => admission.beforeStart(),
    halted: () => stop.stopping() || meter.hit() || broken !== undefined,
    queued: activity.wake,
    meter,
    tail,
    graceMs: bounds.grace,
  })
  const admission = createPromptAdmission({
    session,
    activity,
    texts,
    ready: deps.ready,
    stopping: stop.stopping,
    stopped: stop.stopped,
    refusal: (text) => broken ?? commandRefusal(session, deps.hostCommands(), text) ?? modelRefusal(session, text),
    isExtensionCommand: (text) => isExtensionCommand(session, text),
    opening: meter.opened,
    failed: (error) => voice.fault('prompt', error),
  })

  session.subscribe((event) => {
    if (event.type === 'queue_update') texts.changed([...event.steering, ...event.followUp])
    mapper.map(event)
    activity.notice(event)
    admission.notice(event)
    // An error before the response began leaves the library waiting for a retry it will never make.
    if (event.type === 'agent_end' && mapper.failedBeforeResponse()) session.abortRetry()
    if (event.type === 'turn_end' || event.type === 'compaction_end') voice.usage()
    if (event.type === 'thinking_level_changed') voice.model()
  })

  return {
    admission,
    activity,
    stop,
    lastStopReason: mapper.lastStopReason,
    storageFailed(error) {
      voice.fault('append', error)
      if (error.code === 'lock-lost') broken ??= error.message
      stop.stopSoon()
    },
    breakOff(reason) {
      broken ??= reason
    },
  }
}
