import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { undoFolder } from '../../system/undo-store.js'
import type { Invocation } from '../commands/command.js'
import { findThread } from './find-thread.js'

/** `enso threads rm ID…`: removes threads' files, and what was kept to undo their changes; one that another process has built is not taken from under it. */
export async function removeThreads({ io, parts }: Invocation, words: readonly string[]): Promise<number> {
  const store = await parts.store()
  const refs = await Promise.all(words.map((wished) => findThread(store, wished)))
  const { createThreadLocks, lockPathOf } = await import('../../thread/thread-lock.js')
  const locks = createThreadLocks()
  for (const { threadId, file } of refs) {
    const lock = locks.acquire(lockPathOf(dirname(file), threadId))
    try {
      removeFile(file)
      removeFile(undoFolder(parts.home.root, threadId))
    } finally {
      lock.release()
    }
    io.stderr.write(`removed ${threadId}\n`)
  }
  return 0
}

/** What is there of a path; what is gone already is no fault. @throws EnsoError `disk` */
function removeFile(file: string): void {
  try {
    rmSync(file, { recursive: true, force: true })
  } catch (error) {
    throw new EnsoError('disk', `${file} can't be removed: ${(error as Error).message}`, { cause: error })
  }
}
