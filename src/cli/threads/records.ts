import type { StoredThreadRecords, StoredThreadRef } from '../../core/index.js'
import { createThreadLogReader } from '../../log/thread-log.js'
import type { Invocation } from '../commands/command.js'
import { findThread } from './find-thread.js'
import { skipped } from './show.js'

/** The newest format of thread files that is written; a file of a newer one may hold more than is shown. */
const KNOWN_VERSION = 3

/** A stored thread and what its accounts are folded from. */
export interface FoundRecords {
  readonly ref: StoredThreadRef
  readonly records: StoredThreadRecords
}

/**
 * The records of the thread that was asked for; what is wrong about its file is said on standard error.
 * @throws EnsoError as `findThread` says, and `thread-unreadable`
 */
export async function findRecords({ parts, io }: Invocation, wished: string): Promise<FoundRecords> {
  const store = await parts.store()
  const ref = await findThread(store, wished)
  const records = await store.records(ref)
  if (records.version > KNOWN_VERSION) {
    io.stderr.write(`the thread was written in a newer format (${records.version}); some of it may be missing here\n`)
  }
  if (records.skippedLines > 0) io.stderr.write(`${skipped(records.skippedLines)}\n`)
  return { ref, records }
}

/** What the day logs have of a thread. */
export function threadLog({ parts }: Invocation): ReturnType<typeof createThreadLogReader> {
  return createThreadLogReader({ logsDir: parts.home.logsDir })
}
