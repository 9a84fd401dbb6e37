import type { ExtensionFactory, ToolDefinition } from '@mariozechner/pi-coding-agent'
import type { EnsoDialogSpec, EnsoNotifyType, EnsoPermissionModeState, ThreadOutlook } from '../core/index.js'

/** A choice that only the host's own parts may ask: it carries a text to decide on, which an extension's cannot. */
export interface HostSelectQuestion {
  readonly title: string
  /** Shown as it is: a command, a path, a diff. */
  readonly message?: string
  readonly options: readonly string[]
}

/** What a part may know of the thread it is made for, and what it may do there. */
export interface ThreadPartsContext {
  readonly threadId: string
  readonly cwd: string
  readonly ephemeral: boolean
  readonly trustProject: boolean
  /** The mode this start asked for; a stored thread may hold another one. */
  readonly permissionMode: string | undefined
  /** Can somebody answer a question now? Ask it at the moment of the question. */
  canAsk(): boolean
  /** Could a standing answer stand in for a person, for a question of this kind from this tool? */
  mayHaveRule(method: EnsoDialogSpec['method'], toolName: string): boolean
  /** Resolves to an offered option, or `undefined` when nobody chose: cancelled, timed out, aborted, nobody there. */
  askHostSelect(question: HostSelectQuestion, signal?: AbortSignal): Promise<string | undefined>
  notify(message: string, type?: EnsoNotifyType): void
  /** What the model is told that a tool takes, where the tool itself takes anything and checks it. */
  parametersOf?(toolName: string): unknown
  /** The newest data of this custom entry on the thread's branch. Usable once the session exists. */
  lastCustomEntry(customType: string): unknown
  /** Appends a custom entry to the thread's branch. */
  appendCustomEntry(customType: string, data: unknown): void
}

/** The permission mode of one thread, as the part that enforces it keeps it. */
export interface PermissionModeControl {
  /** Read on each call; usable from the first prompt on. */
  state(): EnsoPermissionModeState
  /** Applies a mode of `state().available`. Rejects with a reason a person can act on. */
  set(mode: string): Promise<void>
}

/** What is added to a thread's agent session beside the library's own tools. */
export interface ThreadParts {
  /** In order; the last one sees a tool call after every other one, so the guard belongs there. */
  readonly extensions: readonly ExtensionFactory[]
  /** Shadow a built-in tool of the same name; an extension file can't shadow them. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each definition has its own parameter and detail types
  readonly customTools: readonly ToolDefinition<any, any>[]
  readonly modes?: PermissionModeControl
  /**
   * Is this tool kept from the model now? Asked before each request, which then doesn't name it; a model that calls it
   * all the same is answered by it.
   */
  readonly isWithheld?: (toolName: string) => boolean
  /** How far tools may go now, for whoever wants to know before a run. */
  readonly guarding?: () => Pick<ThreadOutlook, 'sandbox' | 'writeRoots'>
}

/** Makes the parts of one thread, before its session is built. */
export type ThreadPartsFactory = (context: ThreadPartsContext) => ThreadParts | Promise<ThreadParts>
