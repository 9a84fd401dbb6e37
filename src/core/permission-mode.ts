import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** The mode a thread is in and the modes it may switch to, in the order they are offered. */
export const EnsoPermissionModeState = closed({
  mode: Type.String(),
  /** Empty when the thread is not live. */
  available: Type.Array(Type.String()),
})
export type EnsoPermissionModeState = Static<typeof EnsoPermissionModeState>

/** Body of the `mode` operation: the mode to switch to. The change itself arrives on the follow. */
export const EnsoPermissionModeChange = closed({ mode: Type.String({ minLength: 1 }) })
export type EnsoPermissionModeChange = Static<typeof EnsoPermissionModeChange>
