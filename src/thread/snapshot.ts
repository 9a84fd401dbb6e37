import {
  ENSO_PROVIDER_RETRY_KEY,
  type EnsoFollowSnapshot,
  type EnsoProviderRetry,
  type EnsoToolResultObservation,
  type EnsoTranscriptEntry,
  ENSO_TOOL_RESULT_KEY,
  type EnsoUiMessage,
  type HostedThread,
  interruptedTailOf,
  transcriptToUiMessages,
} from '../core/index.js'
import { capEntry } from './cap-tool-result.js'
import { NO_USAGE, type StoredView } from './stored-view.js'
import type { ThreadEntry } from './thread-entry.js'

/** A branch's messages, with large tool results cut as on the feed. */
export function messagesOf(entries: readonly EnsoTranscriptEntry[]): EnsoUiMessage[] {
  return transcriptToUiMessages(entries.map(capEntry))
}

/** A live thread's messages: what is stored, what is in flight, and what running tools have said so far. */
export function liveMessages(entry: ThreadEntry, hosted: HostedThread): EnsoUiMessage[] {
  const messages = messagesOf(entry.inFlight.complete(hosted.entries()))
  for (const result of entry.inFlight.running()) addRunning(messages, result)
  return messages
}

/** How a live thread's branch ends, unless it is busy: then its end is still being written. */
export function liveInterrupted(
  entry: ThreadEntry,
  entries: readonly EnsoTranscriptEntry[],
): Pick<EnsoFollowSnapshot, 'interrupted'> {
  return entry.lease.held() === undefined ? interruptedOf(interruptedTailOf(entries)) : {}
}

/** A stored thread's end, where it was cut. */
export function interruptedOf(tail: EnsoFollowSnapshot['interrupted']): Pick<EnsoFollowSnapshot, 'interrupted'> {
  return tail === undefined ? {} : { interrupted: tail }
}

/**
 * A live thread as of now. Questions in `withoutDialogs` are left out: the follower hears of them right after.
 */
export function liveSnapshot(
  entry: ThreadEntry,
  hosted: HostedThread,
  withoutDialogs: ReadonlySet<string>,
): EnsoFollowSnapshot {
  const { runtime } = hosted
  return {
    type: 'snapshot',
    threadId: entry.threadId,
    cwd: hosted.cwd,
    asOfSeq: entry.feed.seq(),
    generation: entry.lease.generation(),
    busy: entry.lease.held() !== undefined,
    live: true,
    messages: withRetry(liveMessages(entry, hosted), entry.retry.current()),
    openDialogs: runtime.openDialogs().filter(({ id }) => !withoutDialogs.has(id)),
    permissionMode: runtime.permissionModeState(),
    model: runtime.modelState(),
    usage: runtime.sessionUsage(),
    ...liveInterrupted(entry, hosted.entries()),
  }
}

/** The permission mode of a thread nobody has run yet. */
const FIRST_MODE = { mode: 'default', available: [] }

/** A thread without a runtime, from its file. `entry` where this process has had it live before. */
export function storedSnapshot(threadId: string, view: StoredView, entry: ThreadEntry): EnsoFollowSnapshot {
  const { reading } = view
  return {
    type: 'snapshot',
    threadId,
    cwd: view.cwd,
    asOfSeq: entry.feed.seq(),
    generation: entry.lease.generation(),
    busy: false,
    live: false,
    messages: reading === undefined ? [] : messagesOf(reading.entries),
    openDialogs: [],
    permissionMode: storedMode(view),
    model: null,
    usage: storedUsage(view),
    ...interruptedOf(reading?.interrupted),
  }
}

/** The mode a thread without a runtime was left in; it offers none to switch to. */
export function storedMode({ reading }: StoredView): EnsoFollowSnapshot['permissionMode'] {
  return reading === undefined ? FIRST_MODE : { mode: reading.permissionMode.mode, available: [] }
}

/** What a thread without a runtime has spent. A file does not know its window. */
export function storedUsage({ reading }: StoredView): EnsoFollowSnapshot['usage'] {
  return reading === undefined ? NO_USAGE : { ...reading.usage, context: null }
}

/** With a retry that is under way on the last message: what it tries again is the reply to that. */
function withRetry(messages: EnsoUiMessage[], retry: EnsoProviderRetry | undefined): EnsoUiMessage[] {
  const last = messages.at(-1)
  if (last === undefined || retry === undefined) return messages
  return [...messages.slice(0, -1), { ...last, metadata: { ...last.metadata, [ENSO_PROVIDER_RETRY_KEY]: retry } }]
}

function addRunning(messages: readonly EnsoUiMessage[], result: EnsoToolResultObservation): void {
  const { toolCallId, toolName, text, descriptor } = result
  const home = messages.findLast(({ parts }) =>
    parts.some((part) => part.type === 'tool-call' && part.id === toolCallId),
  )
  home?.parts.push({
    type: 'tool-result',
    toolCallId,
    name: toolName,
    content: text,
    state: 'streaming',
    ...(descriptor === undefined ? {} : { metadata: { [ENSO_TOOL_RESULT_KEY]: descriptor } }),
  })
}
