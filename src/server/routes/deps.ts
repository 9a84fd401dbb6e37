import type { EnsoBundleAbout, ThreadStore } from '../../core/index.js'
import type { Redactor } from '../../log/redact/redactor.js'
import type { ThreadClock } from '../../thread/clock.js'
import type { ThreadLocks } from '../../thread/thread-lock.js'
import type { Threads } from '../../thread/threads.js'
import type { QueueWatch } from '../guards/queue-limit.js'
import type { Projects } from '../projects/projects.js'
import type { Heartbeats } from '../sse/heartbeats.js'

/** What the routes reach the rest of the program by. */
export interface RouteDeps {
  readonly threads: Threads
  readonly store: ThreadStore
  /** Tells which stored threads another process holds. */
  readonly locks: Pick<ThreadLocks, 'holderOf'>
  readonly projects: Projects
  /** Tells on which threads no further prompt may wait. */
  readonly queues: Pick<QueueWatch, 'isFull'>
  readonly logsDir: string
  /** Goes over what is made from the log once more before it leaves. */
  readonly redactor: () => Redactor
  readonly about: () => Omit<EnsoBundleAbout, 'at' | 'selection'>
  readonly version: string
  readonly clock: ThreadClock
  /** The server was started so that the mode that asks nobody may be chosen. */
  readonly allowBypass: boolean
  readonly limits?: Partial<RouteLimits> | undefined
}

/** How much one client may keep open or send. */
export interface RouteLimits {
  readonly followsPerThread: number
  readonly logTails: number
  /** Browser records in a burst, and again each second. */
  readonly browserRecordsBurst: number
  readonly browserRecordsPerSecond: number
}

export const DEFAULT_ROUTE_LIMITS: RouteLimits = {
  followsPerThread: 2000,
  logTails: 32,
  browserRecordsBurst: 500,
  browserRecordsPerSecond: 20,
}

/** What event streams share. */
export interface StreamDeps {
  readonly heartbeats: Heartbeats
}
