import { effect, signal, untracked } from '@preact/signals'
import type { EnsoFollowFrame } from '../../core/index.js'
import { longRead, type LongRead } from '../api/long-read.js'
import { projectOf } from '../api/new-threads.js'
import { pageLog } from '../api/page-log.js'
import { token } from '../api/token.js'
import { createFold, type Fold } from '../model/fold.js'
import { createThreadState, type ThreadState } from '../model/thread-state.js'
import { soon } from './clock.js'
import { refreshLists } from './lists.js'
import { route } from './place.js'

/** A thread that is looked at, and the connection that keeps it in step. */
export interface OpenThread {
  readonly state: ThreadState
  readonly follow: LongRead
}

/** The thread that is open. */
export const openThread = signal<OpenThread | undefined>(undefined)

/** Threads that were looked at before stay as they were until their next snapshot. */
const KEPT = 6
const kept = new Map<string, { readonly state: ThreadState; readonly fold: Fold }>()

/** A thread that is followed before anybody looks at it. */
let ahead: OpenThread | undefined

/** Follows a thread that is to begin: what is said while it starts is said to those who follow and to nobody else. */
export function followAhead(threadId: string): Promise<void> {
  leaveAhead()
  const { state, follow } = (ahead = followThread(threadId))
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (!state.loaded.value && ['connecting', 'open'].includes(follow.connection.value.kind)) return
      queueMicrotask(() => stop())
      resolve()
    })
  })
}

/** Lets go of a thread that did not begin. */
export function leaveAhead(): void {
  ahead?.follow.close()
  ahead = undefined
}

function takeAhead(threadId: string): OpenThread | undefined {
  if (ahead?.state.threadId !== threadId) return undefined
  const taken = ahead
  ahead = undefined
  return taken
}

/** Opens whatever thread the address names, and closes the one before. */
export function keepThreadOpen(): void {
  effect(() => {
    const { threadId } = route.value
    const known = token.value
    untracked(() => {
      const open = openThread.peek()
      if (threadId === open?.state.threadId && known !== undefined) return
      open?.follow.close()
      openThread.value =
        threadId === undefined || known === undefined ? undefined : (takeAhead(threadId) ?? followThread(threadId))
    })
  })
}

function followThread(threadId: string): OpenThread {
  const { state, fold } = partsOf(threadId)
  const follow = longRead({
    path: () => `/api/threads/${threadId}/follow`,
    projectId: projectOf(threadId),
    onData: (data) => take(data, fold),
  })
  return { state, follow }
}

function partsOf(threadId: string): { readonly state: ThreadState; readonly fold: Fold } {
  const before = kept.get(threadId)
  kept.delete(threadId)
  const state = before?.state ?? createThreadState(threadId)
  const parts = before ?? { state, fold: createFold(state, { now: () => Date.now(), soon }) }
  kept.set(threadId, parts)
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break
    kept.delete(oldest)
  }
  return parts
}

function take(data: string, fold: Fold): void {
  let frame: EnsoFollowFrame
  try {
    frame = JSON.parse(data) as EnsoFollowFrame
    fold.frame(frame)
  } catch (error) {
    pageLog('error', 'follow', 'a frame could not be shown: {error}', { error: String(error), size: data.length })
    return
  }
  if (frame.type === 'status' || (frame.type === 'observation' && frame.observation.kind === 'message-end')) {
    refreshLists()
  }
}
