import { type Signal, signal } from '@preact/signals'
import type {
  EnsoModelState,
  EnsoOpenDialog,
  EnsoPermissionModeState,
  EnsoPromptImage,
  EnsoProviderRetry,
  EnsoSessionUsage,
  EnsoThreadHistory,
} from '../../core/index.js'
import type { PageMessage } from './messages.js'

/** A notice among the messages. A snapshot knows none: they last as long as the page does. */
export interface PageNotice {
  readonly key: string
  readonly level: 'info' | 'warning' | 'error'
  /** Said while the session started, before anybody prompted. */
  readonly atStart: boolean
  /** Who says it, where that is not enso. */
  readonly from?: string
  readonly text: string
  /** The message it stands behind; `undefined` stands before the first. */
  readonly after: string | undefined
}

/** A question that waits. */
export interface PageDialog extends EnsoOpenDialog {
  /** By this page's clock, in milliseconds. */
  readonly endsAt?: number | undefined
  /** The page did not see it being asked: it may end sooner. */
  readonly isMost?: boolean | undefined
}

/** When a question that is asked now ends by itself. */
export function endOf({ dialog }: EnsoOpenDialog, now: number): number | undefined {
  return 'timeout' in dialog && dialog.timeout !== undefined ? now + dialog.timeout : undefined
}

/** A prompt of this page that was taken and has not appeared on the follow yet. */
export interface SentPrompt {
  readonly messageId: string
  readonly text: string
  readonly images: readonly EnsoPromptImage[]
  readonly queued: boolean
  /** Of the run it went to; not known before its receipt. */
  readonly generation?: number | undefined
}

/** A retry that is waited for. */
export interface PageRetry extends EnsoProviderRetry {
  /** By this page's clock, in milliseconds. */
  readonly at: number
}

/** One thread as the page shows it, each part a signal of its own so that a word that arrives redraws one bubble. */
export interface ThreadState {
  readonly threadId: string
  /** False until the first snapshot. */
  readonly loaded: Signal<boolean>
  readonly cwd: Signal<string>
  readonly busy: Signal<boolean>
  readonly live: Signal<boolean>
  readonly generation: Signal<number>
  readonly messages: Signal<readonly PageMessage[]>
  /** The message that is being written; it stands after all others. */
  readonly current: Signal<PageMessage | undefined>
  readonly sent: Signal<readonly SentPrompt[]>
  /** Ids of refused prompts whose receipts this page has not seen. */
  readonly rejected: Set<string>
  /** Texts that were handed back and go to the composer, the oldest first. */
  readonly returned: Signal<readonly string[]>
  readonly queue: Signal<{ readonly interrupting: readonly string[]; readonly enqueued: readonly string[] }>
  readonly dialogs: Signal<readonly PageDialog[]>
  readonly notices: Signal<readonly PageNotice[]>
  readonly mode: Signal<EnsoPermissionModeState>
  readonly model: Signal<EnsoModelState | null>
  readonly usage: Signal<EnsoSessionUsage>
  readonly retry: Signal<PageRetry | undefined>
  readonly compacting: Signal<boolean>
  readonly interrupted: Signal<EnsoThreadHistory['interrupted'] | undefined>
}

/** Nothing waits. */
export const EMPTY_QUEUE = { interrupting: [], enqueued: [] } as const

const NO_USAGE: EnsoSessionUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null }

/** A thread of which nothing is known yet. */
export function createThreadState(threadId: string): ThreadState {
  return {
    threadId,
    loaded: signal(false),
    cwd: signal(''),
    busy: signal(false),
    live: signal(false),
    generation: signal(0),
    messages: signal<readonly PageMessage[]>([]),
    current: signal<PageMessage | undefined>(undefined),
    sent: signal<readonly SentPrompt[]>([]),
    rejected: new Set(),
    returned: signal<readonly string[]>([]),
    queue: signal<ThreadState['queue']['value']>(EMPTY_QUEUE),
    dialogs: signal<readonly PageDialog[]>([]),
    notices: signal<readonly PageNotice[]>([]),
    mode: signal<EnsoPermissionModeState>({ mode: 'default', available: [] }),
    model: signal<EnsoModelState | null>(null),
    usage: signal(NO_USAGE),
    retry: signal<PageRetry | undefined>(undefined),
    compacting: signal(false),
    interrupted: signal<EnsoThreadHistory['interrupted'] | undefined>(undefined),
  }
}
