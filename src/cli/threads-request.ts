import type { EnsoLocalServer, FoundLocalServer, ObservedEvent, OpenThreadRequest } from '../core/index.js'
import type { CliClock } from './io.js'
import type { GuardingOptions } from './run/run-options.js'

/** Which agent library a command wants, and what it may load beside it. */
export interface HostRequest extends GuardingOptions {
  /** Absolute and canonical: the folder the workspace's own configuration is looked up from. */
  readonly cwd: string
  /** A file of scripted turns that stands in for the model; as typed, taken from `cwd`. */
  readonly script?: string
  /** A file the model's replies are recorded to, as such turns; absolute. */
  readonly record?: string
  /** Asks a person whether a model server of this machine may be used; absent where nobody can be asked. */
  readonly offerLocalModel?: (servers: readonly FoundLocalServer[]) => Promise<EnsoLocalServer | undefined>
  /** Files whose contents are secret beside those that always are; absolute. */
  readonly secretPaths?: readonly string[]
}

/** What the live threads of one process are built from. */
export interface ThreadsRequest extends HostRequest {
  readonly openRequest: (threadId: string, projectHint?: string) => Promise<Omit<OpenThreadRequest, 'beforeAppend'>>
  /** Take each thread's lock file. Off only for threads that are never stored. */
  readonly lock: boolean
  /** Replace a lock that another process holds. */
  readonly takeOver: boolean
  readonly clock: CliClock
  /** Milliseconds a thread that does nothing stays built; `undefined` keeps it until `close`. */
  readonly idleMs?: number
  /** Told of each observation as it goes out on a thread's feed; must not throw. */
  readonly observed?: (event: ObservedEvent) => void
}
