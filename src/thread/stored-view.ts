import { dirname } from 'node:path'
import {
  EnsoError,
  type EnsoSessionUsage,
  type OpenThreadRequest,
  type StoredThreadReading,
  type ThreadStore,
} from '../core/index.js'
import { canonicalPath, projectIdOf } from '../system/project-id.js'
import { lockPathOf, type ThreadLocks } from './thread-lock.js'

/** A thread that has no runtime, as far as files tell. */
export interface StoredView {
  readonly cwd: string
  readonly projectId: string
  /** Absent for a thread that was never stored. */
  readonly reading: StoredThreadReading | undefined
}

/** What looking at a thread without a runtime takes. */
export interface StoredViewDeps {
  readonly store: ThreadStore
  /** Absent where threads are not locked. */
  readonly locks?: Pick<ThreadLocks, 'holderOf'> | undefined
  readonly openRequest: (threadId: string, projectHint?: string) => Promise<Omit<OpenThreadRequest, 'beforeAppend'>>
}

/** What a thread has spent that nobody has run yet. */
export const NO_USAGE: EnsoSessionUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  context: null,
}

/**
 * Looks at a thread without building anything. One that was never stored is empty, in the folder it would start in.
 * @throws EnsoError `thread-unreadable`
 */
export async function viewStored(
  deps: StoredViewDeps,
  threadId: string,
  projectHint: string | undefined,
): Promise<StoredView> {
  const ref = await deps.store.find(threadId)
  if (ref !== undefined) {
    const reading = await deps.store.read(ref)
    // What another process is at is not interrupted, it is under way.
    const isBusyElsewhere = deps.locks?.holderOf(lockPathOf(dirname(ref.file), threadId)) !== undefined
    return {
      cwd: ref.cwd,
      projectId: ref.projectId,
      reading: isBusyElsewhere ? { ...reading, interrupted: undefined } : reading,
    }
  }
  const cwd = await startFolder(deps, threadId, projectHint)
  return { cwd, projectId: cwd === '' ? '' : projectIdOf(canonicalPath(cwd)), reading: undefined }
}

async function startFolder(deps: StoredViewDeps, threadId: string, projectHint: string | undefined): Promise<string> {
  try {
    return (await deps.openRequest(threadId, projectHint)).cwd
  } catch (error) {
    if (error instanceof EnsoError) return ''
    throw error
  }
}
