import { setMaxListeners } from 'node:events'
import type { AgentMessage } from '@mariozechner/pi-agent-core'
import type { ImageContent } from '@mariozechner/pi-ai'
import type { AgentSession } from '@mariozechner/pi-coding-agent'
import { limitReason } from '../../core/index.js'
import { boundTools } from '../tools/bounded-tools.js'
import { loose, textOf } from '../observe/message-values.js'
import { eventsHandled, queueBehindRun, takeQueued, wrapAutoCompaction } from '../pi-internals.js'
import { withoutOrphanResults } from '../session/orphan-results.js'
import type { ResponseTail } from '../models/response-tail.js'
import type { RunMeter } from './run-limits.js'
import { countSummaryCalls, notAsSummary } from '../models/summary-calls.js'
import { withinGrace } from './within-grace.js'

export interface RunGuardDeps {
  /** Throws when the prompt about to start has been taken back. */
  beforeStart(): void
  /** No run may start: one is being stopped, or a limit ended the last one. */
  halted(): boolean
  /** Messages were queued instead of starting a run. */
  queued(): void
  readonly meter: RunMeter
  readonly tail: ResponseTail
  /** How long a tool or a hook may go on after a Stop, in milliseconds. */
  readonly graceMs: number
}

/** What the rest of the host needs of a guarded session. */
export interface GuardedRuns {
  /** Starts a run for the messages that wait. False when none may start. */
  readonly runQueued: () => boolean
}

function imagesOf(message: AgentMessage): ImageContent[] {
  const { content } = loose(message)
  return Array.isArray(content) ? content.filter((part): part is ImageContent => loose(part)['type'] === 'image') : []
}

/**
 * Guards the points at which the library starts runs, sends requests and compacts. A second run never starts beside
 * another one, a retry's wait or a compaction: its messages wait behind it and nothing accepted is lost.
 */
export function guardRuns(session: AgentSession, deps: RunGuardDeps): GuardedRuns {
  const { agent } = session
  const startRun = agent.prompt.bind(agent) as (messages: AgentMessage[]) => Promise<void>
  const continueRun = agent.continue.bind(agent)
  const compact = session.compact.bind(session)
  const navigateTree = session.navigateTree.bind(session)
  const asSummary = <T>(work: () => Promise<T>): Promise<T> =>
    countSummaryCalls(session.model?.api, deps.meter.spent, work)
  const occupied = (): boolean => session.isStreaming || session.isRetrying || session.isCompacting

  async function queueInstead(messages: readonly AgentMessage[]): Promise<void> {
    for (const message of messages) {
      if (message.role === 'user') await queueBehindRun(session, textOf(message.content), imagesOf(message))
      else agent.followUp(message)
    }
    deps.queued()
  }

  const prompt = async (input: AgentMessage | AgentMessage[] | string): Promise<void> => {
    deps.beforeStart()
    if (typeof input === 'string') throw new TypeError('a run starts from messages')
    const messages = Array.isArray(input) ? input : [input]
    if (occupied() || deps.halted()) await queueInstead(messages)
    else await startRun(messages)
  }
  agent.prompt = prompt as typeof agent.prompt

  agent.continue = async () => {
    if (deps.halted()) throw new Error('the run was stopped')
    await continueRun()
  }

  // A compaction begun while a reply streams would drop the reply: nothing of it is delivered or stored.
  session.compact = async (instructions) => {
    if (session.isStreaming || session.isRetrying) {
      session.abortRetry()
      agent.abort()
      await agent.waitForIdle()
    }
    await eventsHandled(session)
    return asSummary(() => compact(instructions))
  }

  wrapAutoCompaction(session, async (reason, run) => {
    // Where nothing more may be asked, not even a summary is; after an overflow that ends the run, so it is told.
    if (deps.meter.isSpent() && reason === 'overflow') deps.meter.beforeRequest()
    if (deps.halted() || deps.meter.isSpent()) return
    await asSummary(run)
  })

  session.navigateTree = (...request) => asSummary(() => navigateTree(...request))

  agent.subscribe((event, signal) => {
    // Each request of a run and each of its calls listens to it: many are no leak.
    if (event.type === 'agent_start') setMaxListeners(0, signal)
    if (event.type !== 'message_end' || event.message.role !== 'assistant') return
    deps.meter.spent(event.message.usage)
    if (event.message.stopReason === 'error') deps.meter.failed()
  })

  const transform = agent.transformContext
  agent.transformContext = async (messages, signal) => {
    const hit = signal?.aborted ? undefined : deps.meter.beforeRequest()
    if (hit) {
      agent.abort()
      throw new Error(limitReason(hit))
    }
    const sent = transform
      ? await withinGrace(transform(messages, signal), signal, deps.graceMs, 'a context hook')
      : messages
    return withoutOrphanResults(sent)
  }

  const { streamFn } = agent
  agent.streamFn = (model, context, options) =>
    deps.tail.during(() => notAsSummary(() => streamFn(model, context, options)))

  boundTools(agent, deps.graceMs)

  return {
    runQueued() {
      if (deps.halted() || occupied()) return false
      const messages = takeQueued(agent)
      if (messages.length === 0) return false
      // The run's own events tell how it goes; a failure to start one would be a fault of ours.
      void startRun(messages)
      return true
    },
  }
}
