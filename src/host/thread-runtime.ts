import type { AgentSession } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../core/index.js'
import type { ThreadRuntime } from '../core/index.js'
import { promptCommands } from './commands/command-list.js'
import type { HostCommands } from './commands/host-commands.js'
import { modelStateOf } from './models/model-choice.js'
import type { ObservationHub } from './observe/observation-hub.js'
import type { PendingDialogs } from './dialogs/pending-dialogs.js'
import type { PermissionModes } from './permission-modes.js'
import type { PromptAdmission } from './runs/prompt-admission.js'
import { sessionUsageOf } from './session/session-usage.js'
import type { Stop } from './runs/stop.js'

const log = ensoLogger('host', 'runtime')

export interface ThreadRuntimeParts {
  readonly session: AgentSession
  readonly hub: ObservationHub
  readonly dialogs: PendingDialogs
  readonly admission: PromptAdmission
  readonly stop: Stop
  readonly commands: HostCommands
  readonly modes: PermissionModes
  readonly close: () => Promise<void>
}

/** The contract's fourteen members over the parts of one session. */
export function createThreadRuntime(parts: ThreadRuntimeParts): ThreadRuntime {
  const { session, hub, dialogs, admission, stop, commands, modes } = parts
  return {
    prompt: admission.submit,
    answerDialog: dialogs.answer,
    openDialogs: dialogs.open,
    listCommands: () => [...promptCommands(session), ...commands.list()],
    modelState: () => modelStateOf(session),
    sessionUsage: () => sessionUsageOf(session),
    runHostCommand: commands.run,
    startHostFlow: commands.start,
    permissionModeState: modes.state,
    setPermissionMode: modes.set,
    subscribe: hub.subscribe,
    abort: stop.stop,
    clearQueue: admission.takeBack,
    dispose() {
      parts.close().catch((error: unknown) => log.error('a thread did not close cleanly', { error: String(error) }))
    },
  }
}
