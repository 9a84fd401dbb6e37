import {
  type AgentHost,
  EnsoError,
  type EnsoFollowFrame,
  type EnsoThreadSummary,
  type HostedThread,
  isEnsoThreadId,
  type ObservedEvent,
  type OpenThreadRequest,
  type RuntimeCommand,
  type ThreadLogReader,
  type ThreadStore,
} from '../core/index.js'
import type { ThreadClock } from './clock.js'
import type { Feed } from './feed.js'
import type { BatchSink, FollowHandle, FollowSink } from './follower.js'
import { type OperationContext, type OperationOutcome, type OperationThreads, refused } from './operation.js'
import { operationNamed } from './operations.js'
import { liveSnapshot, storedSnapshot } from './snapshot.js'
import { viewStored } from './stored-view.js'
import { ownNotice } from './own-notice.js'
import { createThreadEntry, type ThreadEntry, type ThreadStanding } from './thread-entry.js'
import type { ThreadLocks } from './thread-lock.js'
import { createTurns } from './turns.js'

/** What a process's threads are made of. */
export interface ThreadsDeps {
  /** Asked when the first runtime is built, not before. */
  readonly host: () => Promise<AgentHost>
  readonly store: ThreadStore
  /**
   * How a thread's runtime is opened. Also asked, and only for its folder, when somebody looks at a thread that was
   * never stored: it must change nothing.
   */
  readonly openRequest: (threadId: string, projectHint?: string) => Promise<Omit<OpenThreadRequest, 'beforeAppend'>>
  /** `undefined` where threads are never stored. */
  readonly locks: ThreadLocks | undefined
  readonly clock: ThreadClock
  /** Milliseconds a thread that does nothing stays live; it stays until `close` when absent. */
  readonly idleMs?: number
  /** Told of each observation as it goes out on a thread's feed, before any follower is; must not throw. */
  readonly observed?: (event: ObservedEvent) => void
  /** Reads what was logged of a thread, for its accounts; nothing is known of it when absent. */
  readonly log?: ThreadLogReader
}

export interface FollowRequest {
  /** The project a new thread would belong to. */
  readonly projectHint?: string | undefined
}

/** The threads of one process. */
export interface Threads {
  /**
   * The thread's runtime, built if it has none; calls at the same time share one building.
   * @throws EnsoError `bad-input` for an id that is none, `thread-locked`, or what the host and the request throw
   */
  ensure(threadId: string, projectHint?: string): Promise<HostedThread>
  /**
   * Carries out an operation of the table.
   * @throws EnsoError where building the thread's runtime or reading its file fails
   */
  operate(name: string, threadId: string, body: unknown, context?: OperationContext): Promise<OperationOutcome>
  /**
   * Follows a thread: one snapshot, then observations and statuses. Builds no runtime.
   * @throws EnsoError `bad-input` for an id that is none, `thread-unreadable`
   */
  follow(threadId: string, sink: FollowSink, request?: FollowRequest): Promise<FollowHandle>
  /**
   * The same for a reader far away: frames come in batches that all such readers share, and one that is too far behind is
   * dropped.
   */
  followBatched(threadId: string, sink: BatchSink, request?: FollowRequest): Promise<FollowHandle>
  /** The live threads, at a glance. */
  live(): EnsoThreadSummary[]
  /** Says a warning of ours on a live thread's feed, as a notice; nothing where the thread isn't live. */
  warn(threadId: string, id: string, message: string): void
  /** Closes every runtime in bounded time, then ends every follow. Nothing can be built afterwards. */
  close(): Promise<void>
}

/** The registry: at most one live runtime a thread, and a feed for each thread that is live or followed. */
export function createThreads(deps: ThreadsDeps): Threads {
  const entries = new Map<string, ThreadEntry>()
  /** Of the threads that have no entry any more. */
  const standings = new Map<string, ThreadStanding>()
  const turns = createTurns()
  let remembered: (() => readonly RuntimeCommand[]) | undefined
  let closed = false

  function entryFor(threadId: string): ThreadEntry {
    if (closed) throw new EnsoError('host-fault', 'enso is shutting down')
    if (!isEnsoThreadId(threadId)) throw new EnsoError('bad-input', `not a thread id: ${JSON.stringify(threadId)}`)
    let entry = entries.get(threadId)
    if (entry === undefined) {
      entry = createThreadEntry(threadId, {
        ...deps,
        onClosed: remember,
        onFollowerGone: () => letGo(threadId),
        onGone: () => letGo(threadId),
        stood: standings.get(threadId),
      })
      entries.set(threadId, entry)
    }
    return entry
  }

  /** Drops an entry that holds nothing. How far the thread has come is kept: its next entry goes on from there. */
  function letGo(threadId: string): void {
    const entry = entries.get(threadId)
    if (entry === undefined || entry.life.current() !== undefined || entry.life.isBuilding()) return
    if (entry.feed.followerCount() > 0 || entry.lease.held() !== undefined) return
    entries.delete(threadId)
    const [seq, generation] = [entry.feed.seq(), entry.lease.generation()]
    if (seq > 0 || generation > 0) standings.set(threadId, { seq, generation })
  }

  /** What a closed session could run is kept: the next one is built from the same sources. */
  function remember({ runtime }: HostedThread): void {
    if (closed) return
    const commands = runtime.listCommands()
    remembered = () => commands
  }

  async function ensureEntry(threadId: string, projectHint?: string): Promise<Live> {
    const entry = entryFor(threadId)
    try {
      for (;;) {
        const hosted = await entry.life.ensure(projectHint)
        // It may have begun to close since: then it is built anew.
        if (entry.hosted() !== hosted) continue
        const { runtime } = hosted
        remembered = () => runtime.listCommands()
        return { entry, hosted }
      }
    } catch (error) {
      letGo(threadId)
      throw error
    }
  }

  function liveOf(threadId: string): Live | undefined {
    const entry = entries.get(threadId)
    const hosted = entry?.hosted()
    return entry === undefined || hosted === undefined ? undefined : { entry, hosted }
  }

  function reach(threadId: string, projectHint: string | undefined): OperationThreads {
    return {
      live: () =>
        turns.take(threadId, async () => {
          const live = await ensureEntry(threadId, projectHint)
          live.entry.hearHeld()
          return live
        }),
      ifLive: () => liveOf(threadId),
      onceBuilt: () =>
        turns.take(threadId, async () => {
          await entries.get(threadId)?.life.built()
          return liveOf(threadId)
        }),
      stored: () => viewStored(deps, threadId, projectHint),
      storedRecords: async () => {
        const ref = await deps.store.find(threadId)
        return ref === undefined ? undefined : deps.store.records(ref)
      },
      log: deps.log,
      remembered: () => remembered?.(),
    }
  }

  async function join(threadId: string, { projectHint }: FollowRequest, add: AddFollower): Promise<FollowHandle> {
    try {
      for (;;) {
        const entry = entryFor(threadId)
        const hosted = entry.hosted()
        if (hosted !== undefined) return followLive(entry, hosted, add)
        await entry.life.closed()
        const seq = entry.feed.seq()
        const view = await viewStored(deps, threadId, projectHint)
        // What was read is out of date when the thread has been live meanwhile.
        if (entryFor(threadId) !== entry || entry.life.current() !== undefined || entry.feed.seq() !== seq) continue
        return add(entry.feed, () => storedSnapshot(threadId, view, entry))
      }
    } catch (error) {
      letGo(threadId)
      throw error
    }
  }

  return {
    ensure: async (threadId, projectHint) => (await ensureEntry(threadId, projectHint)).hosted,
    operate: async (name, threadId, body, context = {}) => {
      const operation = operationNamed(name)
      if (operation === undefined) return refused('not-found', `there is no operation ${JSON.stringify(name)}`)
      if (!isEnsoThreadId(threadId)) return refused('malformed', `not a thread id: ${JSON.stringify(threadId)}`)
      return operation.handle({ threadId, body, threads: reach(threadId, context.projectHint) })
    },
    follow: (threadId, sink, request = {}) => join(threadId, request, (feed, snapshot) => feed.follow(sink, snapshot)),
    followBatched: (threadId, sink, request = {}) =>
      join(threadId, request, (feed, snapshot) => feed.followBatched(sink, snapshot)),
    live: () => [...entries.values()].flatMap(summaryOf),
    warn: (threadId, id, message) => {
      if (liveOf(threadId) !== undefined) entries.get(threadId)?.publish(ownNotice(id, message, 'warning'))
    },
    close: async () => {
      closed = true
      await Promise.all([...entries.values()].map((entry) => entry.life.end()))
      for (const entry of entries.values()) entry.feed.close()
    },
  }
}

interface Live {
  readonly entry: ThreadEntry
  readonly hosted: HostedThread
}

type AddFollower = (feed: Feed, snapshot: () => EnsoFollowFrame) => FollowHandle

/** What was observed before anybody listened comes right after the snapshot, so that it is neither lost nor doubled. */
function followLive(entry: ThreadEntry, hosted: HostedThread, add: AddFollower): FollowHandle {
  const unheard = entry.listen()
  const asked = new Set(unheard.flatMap((seen) => (seen.kind === 'extension-ui-request' ? [seen.id] : [])))
  const handle = add(entry.feed, () => liveSnapshot(entry, hosted, asked))
  for (const observation of unheard) entry.hear(observation)
  return handle
}

function summaryOf(entry: ThreadEntry): EnsoThreadSummary[] {
  const hosted = entry.hosted()
  if (hosted === undefined) return []
  return [
    {
      threadId: entry.threadId,
      sessionId: hosted.sessionId,
      sessionDir: hosted.sessionDir,
      sessionFile: hosted.sessionFile,
      busy: entry.lease.held() !== undefined,
      generation: entry.lease.generation(),
      lastActivityAt: new Date(entry.lastActivityAt()).toISOString(),
      mode: hosted.runtime.permissionModeState().mode,
    },
  ]
}
