import { ensoLogger } from '../../../core/log.js'
import { pruneUndo } from '../../../system/undo-store.js'

const log = ensoLogger('extension', 'undo')

let forgotten = false

/** Forgets what is too old to be undone, once in a process. A folder that can't be tidied stops no thread. */
export function forgetOldChanges(ensoRoot: string, now: number): void {
  if (forgotten) return
  forgotten = true
  try {
    pruneUndo(ensoRoot, now)
  } catch (error) {
    log.warn('old changes could not be forgotten: {error}', { error: String(error) })
  }
}
