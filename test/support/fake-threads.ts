import type {
  EnsoFollowFrame,
  EnsoObservation,
  OpenThreadRequest,
  SessionSource,
  StoredThreadReading,
  StoredThreadRecords,
  StoredThreadSummary,
  ThreadStore,
} from '../../src/core/index.js'
import type { BatchSink, FollowHandle, FollowSink } from '../../src/thread/follower.js'
import type { ThreadLocks } from '../../src/thread/thread-lock.js'
import { createThreads, type Threads } from '../../src/thread/threads.js'
import { createFakeHost, type FakeHost, type FakeThreadOptions } from './fake-hosted-thread.js'
import { createManualClock, type ManualClock } from './manual-clock.js'

/** Threads over a fake host, with time held. */
export interface FakeThreads {
  readonly threads: Threads
  readonly host: FakeHost
  readonly clock: ManualClock
}

export interface FakeThreadsOptions extends FakeThreadOptions {
  readonly failWith?: () => unknown
  readonly store?: ThreadStore
  readonly locks?: ThreadLocks
  readonly idleMs?: number
  readonly session?: SessionSource
  readonly host?: FakeHost
}

/** A registry over fakes: new threads in `/work`, nothing stored and nothing locked unless given. */
export function createFakeThreads(options: FakeThreadsOptions = {}): FakeThreads {
  const host = options.host ?? createFakeHost(options)
  const clock = createManualClock()
  const threads = createThreads({
    host: async () => host,
    store: options.store ?? createFakeStore([]),
    openRequest: async (threadId) => fakeOpenRequest(threadId, options.session),
    locks: options.locks,
    clock,
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
  })
  return { threads, host, clock }
}

/** How a fake thread is opened: in `/work`, asking nobody. */
export function fakeOpenRequest(
  threadId: string,
  session: SessionSource = { kind: 'new', dir: '/sessions' },
): OpenThreadRequest {
  return {
    threadId,
    cwd: '/work',
    session,
    dialogs: { canAsk: () => true, ruleFor: () => undefined, timeoutMs: () => undefined, ended: () => undefined },
  }
}

/** A stored thread that a fake store holds. */
export interface FakeStored extends StoredThreadSummary {
  readonly reading?: StoredThreadReading
  readonly records?: StoredThreadRecords
}

/** Stored threads from a list, newest first. */
export function createFakeStore(stored: readonly FakeStored[]): ThreadStore {
  const readingOf = (threadId: string): StoredThreadReading => {
    const reading = stored.find((thread) => thread.threadId === threadId)?.reading
    if (reading === undefined) throw new Error(`nothing to read of ${threadId}`)
    return reading
  }
  return {
    list: async (projectId) => stored.filter((thread) => projectId === undefined || thread.projectId === projectId),
    find: async (threadId) => stored.find((thread) => thread.threadId === threadId),
    idsLike: async (prefix) => stored.map(({ threadId }) => threadId).filter((threadId) => threadId.startsWith(prefix)),
    spending: async () => [],
    records: async (ref) => {
      const records = stored.find((thread) => thread.threadId === ref.threadId)?.records
      if (records === undefined) throw new Error(`no records of ${ref.threadId}`)
      return records
    },
    read: async (ref) => readingOf(ref.threadId),
    walk: async (ref, show) => {
      const { entries, ...told } = readingOf(ref.threadId)
      for (const entry of entries) if ((await show(entry)) === false) break
      return told
    },
  }
}

/** A reader of one follow that keeps every frame. */
export interface RecordingFollower extends FollowSink, BatchSink {
  readonly frames: EnsoFollowFrame[]
  readonly lines: string[]
  readonly ended: string[]
  /** The observations, in order. */
  observations(): EnsoObservation[]
  kinds(): string[]
  /** While false, the reader says that it is behind. */
  keepsUp: boolean
}

/** Makes a reader; it keeps up until told otherwise. */
export function createRecordingFollower(): RecordingFollower {
  const frames: EnsoFollowFrame[] = []
  const follower: RecordingFollower = {
    frames,
    lines: [],
    ended: [],
    keepsUp: true,
    frame: (frame, line) => {
      frames.push(frame)
      follower.lines.push(line())
      return follower.keepsUp
    },
    batch: (batch) => {
      for (const { frame, line } of batch.frames) follower.frame(frame, line)
      return follower.keepsUp
    },
    end: (reason) => void follower.ended.push(reason),
    observations: () => frames.flatMap((frame) => (frame.type === 'observation' ? [frame.observation] : [])),
    kinds: () => frames.map((frame) => (frame.type === 'observation' ? frame.observation.kind : frame.type)),
  }
  return follower
}

/** Follows a thread with a recording reader. */
export async function followRecorded(
  threads: Threads,
  threadId: string,
): Promise<{ follower: RecordingFollower; handle: FollowHandle }> {
  const follower = createRecordingFollower()
  return { follower, handle: await threads.follow(threadId, follower) }
}

/** The same for a reader that takes batches. */
export async function followBatchesRecorded(
  threads: Threads,
  threadId: string,
): Promise<{ follower: RecordingFollower; handle: FollowHandle }> {
  const follower = createRecordingFollower()
  return { follower, handle: await threads.followBatched(threadId, follower) }
}

/** Lets everything that is due by itself happen: promises and `setImmediate`. */
export async function settleTicks(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}
