import { type EnsoRefusal, type EnsoPermissionModeName, refusal } from '../../core/index.js'

const BYPASS: EnsoPermissionModeName = 'bypassPermissions'

/** Why a body's mode can't be asked for over the network, or nothing: the one that asks nobody has to be allowed at the start. */
export function bypassRefusal(body: unknown, allowBypass: boolean): EnsoRefusal | undefined {
  if (allowBypass || typeof body !== 'object' || body === null || !('mode' in body)) return undefined
  if (body.mode !== BYPASS) return undefined
  return refusal('refused', `${BYPASS} is offered only by a server that was started with --allow-bypass`)
}
