import type { EnsoNotifyType, EnsoObservation } from '../core/index.js'

/** A notice of our own, as an extension's would be. `id` tells it from others. */
export function ownNotice(id: string, message: string, notifyType: EnsoNotifyType): EnsoObservation {
  return { kind: 'extension-ui-request', id, method: 'notify', blocking: false, origin: 'run', message, notifyType }
}
