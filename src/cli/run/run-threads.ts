import type { HostedThread, StoredThreadSummary } from '../../core/index.js'
import type { ThreadsRequest } from '../threads-request.js'
import type { Threads } from '../../thread/threads.js'
import type { RunOptions } from './run-options.js'
import type { ChosenThread } from './chosen-thread.js'

/** What a run needs to know of the thread behind it, once a prompt has built it. */
export type RunHosted = Pick<HostedThread, 'notes' | 'lastStopReason' | 'structured'>

/** The threads a run reaches its own by: this process's, or a server's. */
export interface RunThreads extends Pick<Threads, 'operate' | 'follow' | 'close'> {
  ensure(threadId: string): Promise<RunHosted>
}

/** A server's threads in place of this process's own. */
export interface RunRemote {
  /** The server's stored threads, newest first, as far as a list shows them. @throws EnsoError */
  list(): Promise<readonly StoredThreadSummary[]>
  /** The thread the options mean. @throws EnsoError */
  choose(options: RunOptions): Promise<ChosenThread>
  /** `onFault` is told when the thread can't be followed any more. `cancels`: questions are cancelled at once. */
  threads(request: ThreadsRequest, onFault: (error: unknown) => void, cancels: boolean): Promise<RunThreads>
}
