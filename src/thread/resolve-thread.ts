import { dirname } from 'node:path'
import {
  EnsoError,
  type SessionSource,
  type StoredThreadRef,
  type StoredThreadSummary,
  type ThreadStore,
} from '../core/index.js'
import { plural } from '../core/plural.js'
import { lockPathOf, type LockHolder, type ThreadLocks } from './thread-lock.js'

/** Which thread somebody wants, before anything is looked up. */
export type ThreadWish =
  | { readonly kind: 'new'; readonly threadId?: string }
  /** The newest of the project that no other process holds. */
  | { readonly kind: 'latest' }
  /** By its id, or by a beginning of it that only one has. */
  | { readonly kind: 'resume'; readonly threadId: string }

/** The thread that was meant, and how its session is opened. */
export interface ResolvedThread {
  readonly threadId: string
  /** The stored thread's own folder where there is one: it wins over where enso was started. */
  readonly cwd: string
  readonly session: SessionSource
  /** What a person should know of the choice: which thread it fell on, and what was passed over. */
  readonly notes: readonly string[]
}

export interface ResolveThreadDeps {
  readonly store: ThreadStore
  readonly locks: Pick<ThreadLocks, 'holderOf'>
  /** Where enso was started, and the project that is. */
  readonly cwd: string
  readonly projectId: string
  /** Where the project's sessions are kept. */
  readonly projectDir: string
  readonly newId: () => string
  /** Is there such a folder? Every folder is, when absent. */
  readonly isFolder?: (path: string) => boolean
}

export interface ResolveOptions {
  /** Begin a new thread from the stored one instead of going on with it. */
  readonly fork?: boolean
  /** Keep nothing. Only for a thread that is new. */
  readonly ephemeral?: boolean
}

/**
 * Finds the thread somebody wants. A new thread whose id is stored already is that stored thread.
 * @throws EnsoError `thread-unknown`, `thread-locked` when every thread is in use, `bad-input` when a beginning of an id
 * fits several, when its folder is gone, or when what is asked for can't go together
 */
export async function resolveThread(
  wish: ThreadWish,
  deps: ResolveThreadDeps,
  { fork = false, ephemeral = false }: ResolveOptions = {},
): Promise<ResolvedThread> {
  const notes: string[] = []
  const stored = await storedFor(wish, deps, notes)
  if (stored === undefined) {
    if (fork) throw new EnsoError('bad-input', 'there is no stored thread to fork from')
    const threadId = (wish.kind === 'new' ? wish.threadId : undefined) ?? deps.newId()
    const session: SessionSource = ephemeral ? { kind: 'ephemeral' } : { kind: 'new', dir: deps.projectDir }
    return { threadId, cwd: deps.cwd, session, notes }
  }
  if (ephemeral) throw new EnsoError('bad-input', 'a stored thread can’t be continued without storing it')
  const { threadId, file } = stored
  const isGone = deps.isFolder?.(stored.cwd) === false
  if (isGone && !fork) {
    throw new EnsoError('bad-input', `the folder of thread ${threadId} is gone: ${stored.cwd}`, {
      hint: '--fork goes on in a copy that works here',
    })
  }
  const cwd = isGone ? deps.cwd : stored.cwd
  if (cwd !== deps.cwd) notes.push(`working in ${cwd}, where thread ${threadId} began`)
  if (!fork) return { threadId, cwd, session: { kind: 'stored', file }, notes }
  const forked = deps.newId()
  notes.push(`thread ${forked} begins as a copy of ${threadId}${isGone ? `, whose folder ${stored.cwd} is gone` : ''}`)
  return {
    threadId: forked,
    cwd,
    session: { kind: 'fork', file, dir: isGone ? deps.projectDir : dirname(file) },
    notes,
  }
}

async function storedFor(
  wish: ThreadWish,
  deps: ResolveThreadDeps,
  notes: string[],
): Promise<StoredThreadRef | undefined> {
  switch (wish.kind) {
    case 'new':
      return wish.threadId === undefined ? undefined : deps.store.find(wish.threadId)
    case 'latest':
      return latest(deps, notes)
    case 'resume':
      return byBeginning(wish.threadId, deps)
  }
}

async function latest({ store, locks, projectId, cwd }: ResolveThreadDeps, notes: string[]): Promise<StoredThreadRef> {
  const threads = await store.list(projectId)
  for (const thread of threads) {
    const holder = locks.holderOf(lockPathOf(dirname(thread.file), thread.threadId))
    if (holder === undefined) {
      notes.push(`continuing thread ${described(thread)}`)
      return thread
    }
    notes.push(`passed over thread ${described(thread)}: ${inUse(holder)}`)
  }
  if (threads.length === 0) throw new EnsoError('thread-unknown', `no thread is stored for ${cwd}`)
  throw new EnsoError('thread-locked', `every thread of ${cwd} is in use by another process`)
}

async function byBeginning(beginning: string, { store }: ResolveThreadDeps): Promise<StoredThreadRef> {
  const exact = await store.find(beginning)
  if (exact !== undefined) return exact
  const fitting = beginning === '' ? [] : (await store.list()).filter(({ threadId }) => threadId.startsWith(beginning))
  const [only, ...others] = fitting
  if (only === undefined)
    throw new EnsoError('thread-unknown', `no stored thread has the id ${JSON.stringify(beginning)}`)
  if (others.length === 0) return only
  const some = fitting.slice(0, 5).map(({ threadId }) => threadId)
  const more = fitting.length > some.length ? `, and ${fitting.length - some.length} more` : ''
  throw new EnsoError('bad-input', `${beginning} fits several threads: ${some.join(', ')}${more}`)
}

function described({ threadId, title, messageCount, lastActivityAt }: StoredThreadSummary): string {
  const name = title === undefined ? '' : ` “${title}”`
  return `${threadId}${name} (${plural(messageCount, 'message')}, last ${lastActivityAt})`
}

function inUse({ record }: LockHolder): string {
  return record === undefined ? 'its lock file can’t be read' : `in use by process ${record.pid} on ${record.host}`
}
