import { EnsoError } from '../core/index.js'
import type { EnsoPermissionModeState, PromptOutcome } from '../core/index.js'
import type { ObservationHub } from './observe/observation-hub.js'
import type { PermissionModeControl } from './thread-parts.js'

/** The mode every tool call is asked about in, and the only one where nothing enforces another. */
const DEFAULT_MODE = 'default'

const onlyDefault: PermissionModeControl = {
  state: () => ({ mode: DEFAULT_MODE, available: [DEFAULT_MODE] }),
  async set(mode) {
    if (mode !== DEFAULT_MODE) throw new EnsoError('bad-input', `there is no permission mode ${mode}`)
  },
}

/** A thread's permission mode as its runtime offers it. */
export interface PermissionModes {
  readonly state: () => EnsoPermissionModeState
  readonly set: (mode: string, outcome: PromptOutcome) => void
  /** The mode was stored: every follower is told. */
  readonly changed: () => void
}

/** The mode of one thread, over the part that enforces it. */
export function createPermissionModes(
  control: PermissionModeControl = onlyDefault,
  hub: ObservationHub,
): PermissionModes {
  return {
    state: () => control.state(),
    set(mode, outcome) {
      control.set(mode).then(
        () => outcome.onAccepted(),
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error)
          hub.emit({ kind: 'permission-mode-rejected', mode, reason })
          outcome.onRejected(reason)
        },
      )
    },
    changed: () => hub.emit({ kind: 'permission-mode', ...control.state() }),
  }
}
