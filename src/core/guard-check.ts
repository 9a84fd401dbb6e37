import type { EnsoGuardRule } from './guard.js'

/** What a person asks the guards about before a thread does it. */
export type GuardQuestion =
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'read' | 'write'; readonly path: string }

/** What the guards would decide. */
export type GuardVerdict =
  | { readonly decision: 'allow' }
  | { readonly decision: 'deny'; readonly rule: EnsoGuardRule; readonly reason: string }

/** The guards of a folder without a thread in it. Asking changes and runs nothing. */
export interface GuardCheck {
  ask(question: GuardQuestion): GuardVerdict
}
