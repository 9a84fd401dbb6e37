import type { ThreadRuntime } from '../core/index.js'

/** Why a thread can't switch to a mode; nothing when it can. */
export function modeRefusal(runtime: ThreadRuntime, mode: string): string | undefined {
  const { available } = runtime.permissionModeState()
  if (available.includes(mode)) return undefined
  return `the mode ${JSON.stringify(mode)} is not offered (${available.join(', ')})`
}

/** Switches the mode; resolves with the runtime's reason where it refused. */
export function switchMode(runtime: ThreadRuntime, mode: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    runtime.setPermissionMode(mode, { onAccepted: () => resolve(undefined), onRejected: resolve })
  })
}
