import type { TSchema } from '@sinclair/typebox'
import {
  type EnsoRefusal,
  type EnsoRefusalCode,
  type HostedThread,
  refusal,
  type RuntimeCommand,
  type ThreadLogReader,
  type ThreadRecords,
} from '../core/index.js'
import type { StoredView } from './stored-view.js'
import type { ThreadEntry } from './thread-entry.js'

/** What came of an operation: its success status and result, or a refusal. `body` stands in for the refusal over HTTP. */
export type OperationOutcome =
  | { readonly ok: true; readonly status: 200 | 202 | 204; readonly result: unknown }
  | { readonly ok: false; readonly refusal: EnsoRefusal; readonly body?: unknown }

/** What a surface knows beside an operation's body. */
export interface OperationContext {
  /** The project a new thread would belong to. */
  readonly projectHint?: string | undefined
}

/** One asking. `body` has been checked against the operation's schema. */
export interface OperationCall<Body = unknown> {
  readonly threadId: string
  readonly body: Body
  readonly threads: OperationThreads
}

/** What operations reach threads by. */
export interface OperationThreads {
  /** The thread's entry and its runtime, built if it has none. @throws EnsoError of the request, the lock or the host */
  live(): Promise<{ readonly entry: ThreadEntry; readonly hosted: HostedThread }>
  /** The same where the thread is live; looking builds nothing. */
  ifLive(): { readonly entry: ThreadEntry; readonly hosted: HostedThread } | undefined
  /** The same, once a building that is under way has ended: what was prompted before it is admitted by then. */
  onceBuilt(): Promise<{ readonly entry: ThreadEntry; readonly hosted: HostedThread } | undefined>
  /** The thread from its file. @throws EnsoError `thread-unreadable` */
  stored(): Promise<StoredView>
  /** The records of its file; `undefined` for a thread that was never stored. @throws EnsoError `thread-unreadable` */
  storedRecords(): Promise<ThreadRecords | undefined>
  /** What was logged of threads; `undefined` where nothing is. */
  readonly log: ThreadLogReader | undefined
  /** The commands of the session this process built last; `undefined` before the first. */
  remembered(): readonly RuntimeCommand[] | undefined
}

/** One thing a client can ask of a thread, for every surface alike. */
export interface Operation {
  readonly name: string
  /** One sentence for the documentation. */
  readonly summary: string
  readonly method: 'GET' | 'POST'
  /** With `:threadId` in it. */
  readonly path: string
  readonly success: 200 | 202 | 204
  /** `undefined` where nothing is sent. */
  readonly body: TSchema | undefined
  /** `null` where nothing is answered. */
  readonly result: TSchema | null
  /** What it can refuse with, beside what a surface itself refuses. */
  readonly refusals: readonly EnsoRefusalCode[]
  handle(call: OperationCall): Promise<OperationOutcome>
}

/** The operation was carried out. */
export function done(status: 200 | 202 | 204, result: unknown = null): OperationOutcome {
  return { ok: true, status, result }
}

/** The operation was not carried out. */
export function refused(code: EnsoRefusalCode, reason: string): OperationOutcome {
  return { ok: false, refusal: refusal(code, reason) }
}

/** What is only there while a thread is live was asked of one that isn't. */
export function notLive(threadId: string): OperationOutcome {
  return refused('not-found', `thread ${threadId} is not live`)
}

/** What the thread is busy with, as a refusal. */
export function busy({ lease }: ThreadEntry): OperationOutcome {
  const kind = lease.held()?.kind
  const what =
    kind === 'action'
      ? 'a compaction is under way'
      : kind === 'setting'
        ? 'a setting is being applied'
        : 'a run is going on'
  return refused('busy', `the thread is busy: ${what}`)
}
