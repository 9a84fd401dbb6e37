import { type EnsoAbortReceipt, ensoLogger, type ThreadRuntime } from '../core/index.js'
import type { Acquisition } from './lease.js'
import { done, notLive, type OperationCall, type OperationOutcome } from './operation.js'
import type { ThreadEntry } from './thread-entry.js'

const log = ensoLogger('server', 'abort')

/** How long after a Stop a runtime that is at rest may take to say that it settled, in milliseconds. */
export const SETTLE_AFTER_STOP_MS = 5000

/**
 * Stops what goes on and hands back the prompts that waited, the interrupting ones first. It does not wait for the end:
 * that arrives on the follow. Stopping a thread on which nothing goes on is no refusal.
 */
export async function stopThread({ threadId, threads }: OperationCall): Promise<OperationOutcome> {
  const live = threads.ifLive()
  if (live === undefined) return notLive(threadId)
  const { entry, hosted } = live
  const held = entry.lease.held()
  if (held !== undefined) held.stopping = true
  const told = clearQueue(hosted.runtime, threadId)
  const waiting = entry.prompts.takeBack()
  log.info('stop', { threadId, generation: entry.lease.generation() })
  void abort(entry, hosted.runtime, held, () => hosted.isBusy())
  const receipt: EnsoAbortReceipt = {
    threadId,
    restored: [...told.interrupting, ...waiting.interrupting, ...told.enqueued, ...waiting.enqueued],
  }
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
  if (held === undefined) return
  // A thread must not stay busy for ever because an end was never said.
  entry.clock.after(SETTLE_AFTER_STOP_MS, () => {
    if (entry.lease.held() !== held || isBusy()) return
    log.error('a stopped run never settled', { threadId: entry.threadId, generation: held.generation })
    entry.lease.end(held, { kind: 'settled' })
  })
}
