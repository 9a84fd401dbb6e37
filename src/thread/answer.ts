import { type EnsoDialogBody, ensoLogger, validateDialogAnswer } from '../core/index.js'
import { done, notLive, type OperationCall, type OperationOutcome, refused } from './operation.js'

const log = ensoLogger('server', 'answer')

/**
 * Answers or cancels an open question. An answer that was never offered is refused and the question stays open; so does
 * every other question when an id is unknown or already over.
 */
export async function answerDialog({
  threadId,
  body,
  threads,
}: OperationCall<EnsoDialogBody>): Promise<OperationOutcome> {
  const live = await threads.onceBuilt()
  if (live === undefined) return notLive(threadId)
  const { runtime } = live.hosted
  const { id, ...payload } = body
  const open = runtime.openDialogs().find((dialog) => dialog.id === id)
  if (open === undefined) return refused('unknown-dialog', `no question ${JSON.stringify(id)} is open`)
  if (!('cancelled' in body)) {
    const reason = validateDialogAnswer(open.dialog, payload)
    if (reason !== undefined) return refused('refused', reason)
  }
  log.info('dialog {id} answered', { threadId, id, method: open.dialog.method, cancelled: 'cancelled' in body })
  runtime.answerDialog(body)
  return done(204)
}
