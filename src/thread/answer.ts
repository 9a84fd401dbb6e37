import { type EnsoDialogBody, ensoLogger, validateDialogAnswer } from '../core/index.js'
import { done, notLive, type OperationCall, type OperationOutcome, refused } from './operation.js'

const log = ensoLogger('server', 'answer')

const ANSWERS = ['value', 'confirmed', 'answers', 'cancelled'] as const

/** What is wrong with an answer that is several, none, or a cancel that is not `true`; the shape says the rest. */
export function answerReason(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('id' in body)) return undefined
  const given = ANSWERS.filter((name) => name in body)
  const isCancel = 'cancelled' in body && body.cancelled === true
  if (given.length === 1 && (given[0] !== 'cancelled' || isCancel)) return undefined
  return 'an answer is its id and one of value, confirmed, answers, or cancelled: true'
}

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
