import type { EnsoDialogAnswer, EnsoDialogSpec } from './dialog.js'
import type { EnsoDialogOutcome } from './observation.js'
import type { EnsoPermissionModeState } from './permission-mode.js'
import type { StoredSpending } from './spending-stats.js'
import type { EnsoInterruptedTail, EnsoThreadEvent } from './thread-inspection.js'
import type { HostCommandOption, ThreadRuntime } from './thread-runtime.js'
import type { EnsoModelChoice } from './model-state.js'
import type { EnsoSessionUsage } from './session-usage.js'
import type { ThreadRecords } from './thread-record.js'
import type { EnsoTranscriptEntry } from './transcript.js'

/** How a dialog came to its end: who or what ended it. `answer` is a person or program; the rest are not. */
export type DialogEndedBy = 'answer' | 'rule' | 'policy' | 'timeout' | 'stop' | 'asker'

/** The record of one dialog that is over. `id` is the one its observations carry. */
export interface DialogEnd {
  readonly id: string
  readonly method: EnsoDialogSpec['method']
  readonly title: string
  readonly outcome: EnsoDialogOutcome
  readonly by: DialogEndedBy
}

/** What is known of a dialog beside its own text when a policy decides about it. */
export interface DialogContext {
  /** The tool call the question came from, when it came from one. */
  readonly toolName: string | undefined
}

/**
 * The one decision point about questions: can somebody answer now, and what happens when nobody can.
 *
 * The host asks it at the moment a question is asked. Where `canAsk` is false the answer is `ruleFor`'s, else the
 * dialog's cancel value at once: never an approval by default.
 */
export interface DialogPolicy {
  canAsk(): boolean
  /** A standing answer for a question nobody is there to answer. Never called for a secret input. */
  ruleFor(dialog: EnsoDialogSpec, context: DialogContext): EnsoDialogAnswer | undefined
  /**
   * Could a standing answer fit a question of this kind? Where nobody can be asked, that decides whether the agent is
   * offered the tool that asks. Left out, there are no standing answers.
   */
  mayHaveRule?(method: EnsoDialogSpec['method'], context: DialogContext): boolean
  /** Milliseconds an asked question may wait before it ends as `timeout`; `undefined` waits for ever. */
  timeoutMs(): number | undefined
  /** Called exactly once for each dialog, when it is over. Must not throw. */
  ended(end: DialogEnd): void
}

/** Bounds on a thread's runs that the host enforces itself, before the next provider request leaves. */
export interface RunLimits {
  /** Model requests since the last `prompt` that opened a run; at least 1. */
  readonly maxTurns?: number
  /** US dollars since then, the calls that only write a summary included. */
  readonly maxCost?: number
  /** Tokens since then, in, out and cached, those of summaries included. */
  readonly maxTokens?: number
}

/** A bound that was reached: its name, its value, and what had been used. */
export interface LimitHit {
  readonly name: 'turns' | 'cost' | 'tokens' | 'time' | 'idle'
  readonly value: number
  readonly used: number
}

/** Where a thread's session comes from and where it is kept. */
export type SessionSource =
  | { readonly kind: 'new'; readonly dir: string }
  | { readonly kind: 'stored'; readonly file: string }
  | { readonly kind: 'fork'; readonly file: string; readonly dir: string }
  | { readonly kind: 'ephemeral' }

/** What the host needs to build one thread's runtime. */
export interface OpenThreadRequest {
  readonly threadId: string
  /** Absolute, canonical. For a stored session the caller has already taken the stored one. */
  readonly cwd: string
  readonly session: SessionSource
  /** `provider/id`, a bare id that is unique, either with `:thinking`. */
  readonly model?: string
  readonly thinking?: string
  readonly permissionMode?: string
  /** Open also when no model could run, for a thread that is to log in first. */
  readonly allowNoModel?: boolean
  /** Extension files given by the person (`-e`), absolute. */
  readonly extensionPaths?: readonly string[]
  /** Load the project's own extensions, skills and prompt templates. */
  readonly trustProject?: boolean
  readonly appendSystemPrompt?: string
  /** A JSON Schema that each prompt's answer must fit; the model gives it through a tool. */
  readonly outputSchema?: unknown
  readonly dialogs: DialogPolicy
  readonly limits?: RunLimits
  /** Told once per run when a limit of `limits` stopped it. */
  readonly onLimit?: (hit: LimitHit) => void
  /** Called before each append to the session file; throws when the thread's lock is no longer ours. */
  readonly beforeAppend?: () => void
}

/** An answer that fits its schema, or why there is none. */
export type StructuredAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string }

/** What a thread's next request would begin with, and how far its tools may go. */
export interface ThreadOutlook {
  readonly systemPrompt: string
  /** As the model would be told of them. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  /** Are shell commands confined, and if not, why. */
  readonly sandbox: { readonly kind: 'on' } | { readonly kind: 'off'; readonly reason: string }
  /** Folders that may be written, absolute. */
  readonly writeRoots: readonly string[]
}

/** A live thread as the host hands it out: the runtime, and what only the host can read. */
export interface HostedThread {
  readonly threadId: string
  readonly cwd: string
  readonly runtime: ThreadRuntime
  readonly sessionId: string
  readonly sessionDir: string
  /** `null` for an ephemeral thread. */
  readonly sessionFile: string | null
  /** The runtime's own word: a run, a retry's wait, a compaction or undelivered events. */
  isBusy(): boolean
  /** The current branch, oldest first. */
  entries(): readonly EnsoTranscriptEntry[]
  /** The same branch with what accounts are folded from, and what all branches have spent. */
  records(): ThreadRecords
  /** What the host emitted and how each was delivered. */
  events(): readonly EnsoThreadEvent[]
  /** Why the last reply of the model ended, in the runtime's word (`stop`, `length`, `toolUse`, `error`, `aborted`). */
  lastStopReason(): string | undefined
  /** What came of the last prompt's answer, where `outputSchema` asked for one that fits. */
  structured?(): StructuredAnswer
  /** What would be sent, without sending it. */
  outlook?(): ThreadOutlook
  /** Things said once at the start that belong to no observation (a skipped line count, a torn tail). */
  readonly notes: readonly string[]
  /** Ends everything: dialogs, run, extensions' shutdown handlers; bounded in time. Idempotent. */
  close(): Promise<void>
}

/** A model a person can name, and whether a run with it could start now. */
export interface ListedModel extends EnsoModelChoice {
  readonly contextWindow: number
  readonly available: boolean
}

/** What builds threads: one per process, over one agent runtime library. */
export interface AgentHost {
  /** @throws EnsoError `unknown-model`, `no-model`, `thread-unreadable`, `bad-input`, `host-fault`, `disk` */
  openThread(request: OpenThreadRequest): Promise<HostedThread>
  listModels(): Promise<readonly ListedModel[]>
  dispose(): Promise<void>
}

/** What a login asks of a person; each question resolves to `undefined` when it was not answered. */
export interface LoginInteraction {
  input(question: Extract<EnsoDialogSpec, { method: 'input' }>, signal?: AbortSignal): Promise<string | undefined>
  select(question: Extract<EnsoDialogSpec, { method: 'select' }>, signal?: AbortSignal): Promise<string | undefined>
  /** Something to read while the login waits: what to open, which code to type there. */
  progress(message: string): void
}

/** Credentials as a person logs in and out with them, for every thread of the process alike. */
export interface HostCredentials {
  /** One option a provider and way: `provider/api_key`, `provider/oauth`. */
  loginOptions(): HostCommandOption[]
  /** The providers whose credentials are stored; keys of the environment are not among them. */
  logoutOptions(): HostCommandOption[]
  /**
   * Logs in and stores the credentials.
   * @returns one sentence on what was done
   * @throws EnsoError `bad-input` (an unknown option, an unusable key, cancelled), `host-fault`, `disk`
   */
  login(optionId: string, interaction: LoginInteraction, signal?: AbortSignal): Promise<string>
  /** Forgets a provider's stored credentials. Throws like `login`. */
  logout(providerId: string): Promise<string>
}

/** A host whose credentials can be changed. */
export interface CredentialHost extends AgentHost {
  readonly credentials: HostCredentials
}

/** Where a stored thread is. */
export interface StoredThreadRef {
  readonly threadId: string
  readonly projectId: string
  readonly file: string
  readonly cwd: string
}

/** One line of a list of stored threads. */
export interface StoredThreadSummary extends StoredThreadRef {
  readonly title: string | undefined
  readonly messageCount: number
  /** ISO 8601. */
  readonly lastActivityAt: string
}

/** What is told of a stored thread beside its entries. */
export interface StoredThreadTold {
  readonly interrupted: EnsoInterruptedTail | undefined
  /** Summed over every entry on every branch; `context` is null: a file does not know its window. */
  readonly usage: EnsoSessionUsage
  readonly permissionMode: EnsoPermissionModeState
  /** Lines that were not entries (torn, NUL-filled, foreign) and were left out. */
  readonly skippedLines: number
}

/** A stored thread read whole. Reading never writes. */
export interface StoredThreadReading extends StoredThreadTold {
  readonly entries: readonly EnsoTranscriptEntry[]
}

/** A stored thread as accounts of it are made: its records, and what its file tells of itself. */
export interface StoredThreadRecords extends ThreadRecords {
  /** ISO 8601, as the file's first line says; empty where it doesn't. */
  readonly startedAt: string
  /** Of the file's format; above what this version writes, entries may be missing. */
  readonly version: number
  readonly skippedLines: number
}

/** Stored threads, read without a runtime and without the agent library. */
export interface ThreadStore {
  /** Newest first. All projects when no id is given. `unreadable` is told of each file that is no thread. */
  list(projectId?: string, unreadable?: (file: string) => void): Promise<readonly StoredThreadSummary[]>
  find(threadId: string): Promise<StoredThreadRef | undefined>
  /** The ids that begin like this, without looking into their files. */
  idsLike(prefix: string): Promise<readonly string[]>
  /**
   * Shows what each reply of every thread has cost, the oldest thread first; answers the files that are no threads. Files that were
   * last written before `since` (epoch milliseconds) are not read: nothing in them is younger.
   */
  spending(since: number, show: (spent: StoredSpending) => void): Promise<readonly string[]>
  /** @throws EnsoError `thread-unreadable` as `read` does */
  records(ref: StoredThreadRef): Promise<StoredThreadRecords>
  /** @throws EnsoError `thread-unreadable` when the file can't be read or is no session at all */
  read(ref: StoredThreadRef): Promise<StoredThreadReading>
  /**
   * Shows the entries one after another without holding them, and waits for what `show` returns; `false` ends the walk.
   * @throws EnsoError `thread-unreadable` as `read` does
   */
  walk(ref: StoredThreadRef, show: (entry: EnsoTranscriptEntry) => unknown): Promise<StoredThreadTold>
}
