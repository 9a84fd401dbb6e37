import type { Agent, AgentMessage } from '@mariozechner/pi-agent-core'
import type { AssistantMessage, ImageContent } from '@mariozechner/pi-ai'
import { SessionManager } from '@mariozechner/pi-coding-agent'
import type { AgentSession, SessionEntry, SessionHeader } from '@mariozechner/pi-coding-agent'

// What the host reads of the agent library beyond its public declarations. The library is pinned to one exact version
// for this reason, and nothing outside this file names these members.

interface SessionInternals {
  _agentEventQueue: Promise<void>
  _queueFollowUp(text: string, images?: ImageContent[]): Promise<void>
  _runAutoCompaction(reason: 'overflow' | 'threshold', willRetry: boolean): Promise<void>
  readonly _retryAttempt: number
  _isRetryableError(message: AssistantMessage): boolean
  _handleRetryableError(message: AssistantMessage): Promise<boolean>
}

interface MessageQueue {
  drain(): AgentMessage[]
}

interface AgentInternals {
  steeringQueue: MessageQueue
  followUpQueue: MessageQueue
}

interface SessionManagerInternals {
  sessionId: string
  sessionFile: string
  fileEntries: (SessionHeader | SessionEntry)[]
  flushed: boolean
  _buildIndex: () => void
  _persist: (entry: SessionEntry) => void
  _appendEntry: (entry: SessionEntry) => void
}

/** Resolves when every event the session has taken in so far, and any that came meanwhile, has been handled. */
export async function eventsHandled(session: AgentSession): Promise<void> {
  const internals = session as unknown as SessionInternals
  let queue: Promise<void> | undefined
  while (queue !== internals._agentEventQueue) {
    queue = internals._agentEventQueue
    // A handler that failed is told through the session's own error listeners.
    await queue.catch(() => undefined)
  }
}

/** Puts a message behind the run without expanding it again, and says so on the queue event. */
export async function queueBehindRun(session: AgentSession, text: string, images: ImageContent[]): Promise<void> {
  const internals = session as unknown as SessionInternals
  await internals._queueFollowUp(text, images.length > 0 ? images : undefined)
}

/** Puts `around` in the place of each compaction that the session begins by itself. */
export function wrapAutoCompaction(
  session: AgentSession,
  around: (reason: 'overflow' | 'threshold', run: () => Promise<void>) => Promise<void>,
): void {
  const internals = session as unknown as SessionInternals
  const run = internals._runAutoCompaction.bind(session)
  internals._runAutoCompaction = (reason, willRetry) => around(reason, () => run(reason, willRetry))
}

/** What decides about asking again after a failed request. */
export interface RetryRules {
  /** Is this failure worth another request? `known`: the library, which goes by the message's words, says so. */
  isRetryable(message: AssistantMessage, known: boolean): boolean
  /** The wait before the next request, in milliseconds, where `standard` is the library's own. */
  delayMs(standard: number): number
}

/** Puts these rules in the place of the session's own. */
export function replaceRetryRules(session: AgentSession, rules: RetryRules): void {
  const internals = session as unknown as SessionInternals
  const { settingsManager } = session
  const isRetryable = internals._isRetryableError.bind(session)
  const retry = internals._handleRetryableError.bind(session)
  internals._isRetryableError = (message) => rules.isRetryable(message, isRetryable(message))
  internals._handleRetryableError = (message) => {
    const settings = settingsManager.getRetrySettings()
    // The library doubles the first delay with each attempt.
    const doubled = 2 ** internals._retryAttempt
    const baseDelayMs = rules.delayMs(settings.baseDelayMs * doubled) / doubled
    const read = settingsManager.getRetrySettings
    // Read once, before the library first waits.
    settingsManager.getRetrySettings = () => ({ ...settings, baseDelayMs })
    try {
      return retry(message)
    } finally {
      settingsManager.getRetrySettings = read
    }
  }
}

/** Takes the next waiting messages out of the agent's queues: the interrupting ones first. */
export function takeQueued(agent: Agent): AgentMessage[] {
  const { steeringQueue, followUpQueue } = agent as unknown as AgentInternals
  const interrupting = steeringQueue.drain()
  return interrupting.length > 0 ? interrupting : followUpQueue.drain()
}

/**
 * A session over a file whose lines have been read, in the format that is written today. The library's own way reads and
 * parses the whole file twice.
 */
export function sessionOver(
  file: string,
  dir: string,
  cwd: string,
  header: SessionHeader,
  entries: readonly SessionEntry[],
): SessionManager {
  const manager = SessionManager.create(cwd, dir)
  const internals = manager as unknown as SessionManagerInternals
  internals.sessionId = header.id
  internals.sessionFile = file
  internals.fileEntries = [header, ...entries]
  internals._buildIndex()
  internals.flushed = true
  return manager
}

/** Replaces how entries reach the disk; the library writes nothing before the first reply is complete. */
export function replacePersist(manager: SessionManager, persist: (entry: SessionEntry) => void): void {
  ;(manager as unknown as SessionManagerInternals)._persist = persist
}

/** Calls `listener` after each entry that is appended, of whatever type and by whomever. */
export function onAppend(manager: SessionManager, listener: (entry: SessionEntry) => void): void {
  const internals = manager as unknown as SessionManagerInternals
  const append = internals._appendEntry.bind(manager)
  internals._appendEntry = (entry) => {
    append(entry)
    listener(entry)
  }
}
