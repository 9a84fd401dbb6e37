/**
 * The permission modes, in the order a person is offered them.
 *
 * - `default` asks before anything that writes or runs
 * - `acceptEdits` lets file changes inside the write roots pass
 * - `plan` reads only
 * - `auto` also lets commands of low risk pass
 * - `bypassPermissions` asks nothing; only where the start allowed it
 * - `dontAsk` refuses what would have to be asked: for runs nobody watches
 */
export const ENSO_PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'auto', 'bypassPermissions', 'dontAsk'] as const

/** How hard a model may be asked to think; which of these a model knows its host says. */
export const ENSO_THINKING_LEVELS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const

/** One of the permission modes. */
export type EnsoPermissionModeName = (typeof ENSO_PERMISSION_MODES)[number]

/** The `customType` of the session entry that records a mode change: `{ mode, by, at }`. */
export const ENSO_PERMISSION_MODE_ENTRY = 'enso-permission-mode'

/** The `customType` of the session entry that records what a person allowed for the rest of the session. */
export const ENSO_SESSION_ALLOW_ENTRY = 'enso-session-allow'

/** Is this the name of a permission mode? */
export function isEnsoPermissionModeName(value: unknown): value is EnsoPermissionModeName {
  return (ENSO_PERMISSION_MODES as readonly unknown[]).includes(value)
}
