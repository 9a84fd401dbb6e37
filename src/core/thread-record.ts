import type { EnsoUsage } from './observation.js'
import type { EnsoSessionUsage } from './session-usage.js'
import type { EnsoTranscriptPart } from './transcript.js'

/** An image that stands in a thread: base64 bytes and what they are. */
export interface RecordImage {
  readonly data: string
  readonly mimeType: string
}

interface RecordHead {
  readonly id: string
  /** ISO 8601, where it was stamped. */
  readonly at?: string
}

interface RecordText extends RecordHead {
  readonly text: string
  readonly images: readonly RecordImage[]
}

/** What a person or program said. */
export interface PromptRecord extends RecordText {
  readonly kind: 'prompt'
}

/** A command that the person ran beside the agent. `excluded`: the model never sees it. */
export interface ShellRecord extends RecordHead {
  readonly kind: 'shell'
  readonly command: string
  readonly output: string
  readonly excluded: boolean
}

/** One answer of the model, a failed one included: the end of one request. */
export interface ReplyRecord extends RecordHead {
  readonly kind: 'reply'
  readonly parts: readonly EnsoTranscriptPart[]
  /** `provider/id`. */
  readonly model: string
  /** In the runtime's word: `stop`, `length`, `toolUse`, `error`, `aborted`. */
  readonly stopReason: string
  readonly usage?: EnsoUsage
}

/** What a tool returned. `changed` is a write's footprint in lines, where the tool said it. */
export interface ToolResultRecord extends RecordText {
  readonly kind: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly isError: boolean
  readonly changed?: { readonly added: number; readonly removed: number }
}

/** Something an extension or the runtime put into the conversation. */
export interface InjectedRecord extends RecordText {
  readonly kind: 'injected'
  readonly label: string
}

/** A summary in place of everything before the entry `firstKeptId`. */
export interface CompactionRecord extends RecordHead {
  readonly kind: 'compaction'
  readonly text: string
  readonly tokensBefore: number
  readonly firstKeptId: string
}

/**
 * One entry of a thread's branch with what accounts of it are folded from: the tokens, models and tool footprints that
 * a transcript leaves out.
 */
export type ThreadRecord =
  | PromptRecord
  | ShellRecord
  | ReplyRecord
  | ToolResultRecord
  | InjectedRecord
  | CompactionRecord
  | (RecordHead & { readonly kind: 'model'; readonly model: string })
  | (RecordHead & { readonly kind: 'thinking'; readonly level: string })
  | (RecordHead & { readonly kind: 'custom'; readonly customType: string; readonly data: unknown })
  | (RecordHead & { readonly kind: 'other'; readonly type: string })

/** A thread as its accounts are made of it. */
export interface ThreadRecords {
  /** The current branch, oldest first. */
  readonly branch: readonly ThreadRecord[]
  /** Over every branch. `context` is null where the thread is not live. */
  readonly usage: EnsoSessionUsage
}
