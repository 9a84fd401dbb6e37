import { type EnsoAbortReceipt, ensoLogger, type ThreadRuntime } from '../core/index.js'
import type { Acquisition } from './lease.js'
import { done, notLive, type OperationCall, type OperationOutcome } from './operation.js'
import type { ThreadEntry } from './thread-entry.js'

const log = ensoLogger('server', 'abort')

/** How long a Stop is waited for before it is answered all the same, in milliseconds. */
export const STOP_ANSWER_MS = 10_000

/** How long after a Stop a runtime that is at rest may take to say that it settled, in milliseconds. */
export const SETTLE_AFTER_STOP_MS = 5000

/**
 * Stops what goes on and hands back the prompts that waited, the interrupting ones first. Answered when what went on has
 * ended, or after ten seconds: the end itself always arrives on the follow. Stopping a thread on which nothing goes on is
 * no refusal.
 */
export async function stopThread({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = await threads.onceBuilt()
  if (live === undefined) return notLive(threadId)
  const { entry, hosted } = live
  const held = entry.lease.held()
  if (held !== undefined) held.stopping = true
  const told = clearQueue(hosted.runtime, threadId)
  const waiting = entry.prompts.takeBack()
  const restored = [...told.interrupting, ...waiting.interrupting, ...told.enqueued, ...waiting.enqueued]
  log.info('stop', { threadId, generation: entry.lease.generation(), restored: restored.length })
  const stopped = abort(entry, hosted.runtime, held, () => hosted.isBusy())
  await Promise.race([stopped, later(entry, STOP_ANSWER_MS)])
  const receipt: EnsoAbortReceipt = { threadId, restored }
  return done(200, receipt)
}

function clearQueue(runtime: ThreadRuntime, threadId: string): ReturnType<ThreadRuntime['clearQueue']> {
  try {
    return runtime.clearQueue()
  } catch (error) {
    log.error('the queue could not be cleared: {error}', { threadId, error: String(error) })
    return { interrupting: [], enqueued: [] }
  }
}

/** Resolves when the runtime is idle and what was held has ended. */
async function abort(
  entry: ThreadEntry,
  runtime: ThreadRuntime,
  held: Acquisition | undefined,
  isBusy: () => boolean,
): Promise<void> {
  try {
    await runtime.abort()
  } catch (error) {
    log.error('the runtime could not be stopped: {error}', { threadId: entry.threadId, error: String(error) })
  }
  if (held === undefined || entry.lease.held() !== held) return
  await Promise.race([entry.lease.ended(held), later(entry, SETTLE_AFTER_STOP_MS)])
  if (entry.lease.held() !== held || isBusy()) return
  // A thread must not stay busy for ever because an end was never said.
  log.error('a stopped run never settled', { threadId: entry.threadId, generation: held.generation })
  entry.lease.end(held, { kind: 'settled' })
}

function later(entry: ThreadEntry, ms: number): Promise<void> {
  return new Promise((resolve) => void entry.clock.after(ms, resolve))
}
