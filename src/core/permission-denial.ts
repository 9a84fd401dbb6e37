import { type Static, Type } from '@sinclair/typebox'
import { closed, lazyValidator } from './schema.js'

/** The `customType` of the session entry that records a call the permissions did not let through. */
export const ENSO_PERMISSION_DENIAL_ENTRY = 'enso-permission-denial'

/** The metadata key under which a stored tool result carries its denial. */
export const ENSO_PERMISSION_DENIAL_KEY = 'enso:permissionDenial'

/**
 * A call that the permissions did not let through: which, in what mode, and who said no. Its reason is the tool
 * result's text and is not repeated. A refusal by the guard is another entry, with the guard's rule.
 */
export const EnsoPermissionDenial = closed({
  toolCallId: Type.String(),
  mode: Type.String(),
  /** The mode (also where it would ask and nobody can be asked), a rule of the person's, or the person. */
  by: Type.Union([Type.Literal('mode'), Type.Literal('rule'), Type.Literal('person')]),
})
export type EnsoPermissionDenial = Static<typeof EnsoPermissionDenial>

const validator = lazyValidator(EnsoPermissionDenial)

/** The denial a session entry records, or `undefined` for another extension's entry or a malformed one. */
export function readEnsoPermissionDenial(customType: string, data: unknown): EnsoPermissionDenial | undefined {
  return customType === ENSO_PERMISSION_DENIAL_ENTRY && validator.check(data) ? data : undefined
}
