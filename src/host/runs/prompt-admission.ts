import type { ImageContent } from '@mariozechner/pi-ai'
import type { AgentSession, AgentSessionEvent } from '@mariozechner/pi-coding-agent'
import type { PromptOutcome, PromptRequest } from '../../core/index.js'
import { eventsHandled } from '../pi-internals.js'
import type { QueuedTexts } from './queued-texts.js'
import type { Activity } from './settle.js'

const OCCUPIES: ReadonlySet<string> = new Set(['agent_start', 'auto_retry_start', 'compaction_start'])
const TAKEN_BACK = 'the prompt was taken back before it began'

export interface AdmissionDeps {
  readonly session: AgentSession
  readonly activity: Activity
  readonly texts: QueuedTexts
  /** The session's extensions have been told of its start. */
  readonly ready: Promise<void>
  readonly stopping: () => boolean
  /** Resolves when no Stop is under way. */
  readonly stopped: () => Promise<void>
  /** A reason why no prompt can be taken now. */
  readonly refusal: (text: string) => string | undefined
  readonly isExtensionCommand: (text: string) => boolean
  /** A run is about to be opened by a prompt. */
  readonly opening: () => void
  readonly failed: (error: unknown) => void
}

/** Takes prompts in, one at a time, and never loses one it has accepted. */
export interface PromptAdmission {
  readonly submit: (request: PromptRequest, outcome: PromptOutcome) => void
  /** Takes back every prompt that has not begun; the texts as they were typed, the interrupting ones first. */
  readonly takeBack: () => { interrupting: string[]; enqueued: string[] }
  /** Called where a run starts. Throws when the prompt that starts it has been taken back. */
  readonly beforeStart: () => void
  /** A Stop begins: what has not begun waits until it is over, and does not hold it up. */
  readonly pause: () => void
  /** Told of each event of the session. */
  readonly notice: (event: AgentSessionEvent) => void
}

interface Ticket {
  readonly request: PromptRequest
  readonly outcome: PromptOutcome
  /** Ends the prompt's claim that something is under way. */
  release: () => void
  accepted: boolean
  takenBack: boolean
}

const imagesOf = (request: PromptRequest): ImageContent[] => (request.images ?? []).map((image) => ({ ...image }))

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * The library loses one of two prompts that arrive at once, and one that arrives during a retry's wait or a
 * compaction. Here they come in one after the other, and where a run can't start they wait in its queue.
 */
export function createPromptAdmission(deps: AdmissionDeps): PromptAdmission {
  const { session, activity, texts } = deps
  let turn: Promise<void> = Promise.resolve()
  let waiting: Ticket[] = []
  let preflight: Ticket | undefined
  let nowOccupied = (): void => undefined

  const occupied = (): boolean => session.isStreaming || session.isRetrying || session.isCompacting

  /** The end of a run may still turn into a retry or a compaction, and holds its events back meanwhile. */
  function becomesOccupied(): Promise<void> {
    return new Promise((resolve) => {
      nowOccupied = resolve
    })
  }

  function accept(ticket: Ticket): void {
    if (ticket.takenBack || ticket.accepted) return
    ticket.accepted = true
    activity.accepted()
    ticket.outcome.onAccepted()
  }

  function reject(ticket: Ticket, error: unknown): void {
    if (!ticket.accepted) ticket.outcome.onRejected(ticket.takenBack ? TAKEN_BACK : reasonOf(error))
    else if (!ticket.takenBack) deps.failed(error)
  }

  async function queue(ticket: Ticket): Promise<void> {
    const { message, admission } = ticket.request
    const runner = session.extensionRunner
    const images = imagesOf(ticket.request)
    const hooked = runner.hasHandlers('input')
      ? await runner.emitInput(message, images.length > 0 ? images : undefined, 'interactive')
      : { action: 'continue' as const }
    if (ticket.takenBack) throw new Error(TAKEN_BACK)
    if (hooked.action !== 'handled') {
      const text = hooked.action === 'transform' ? hooked.text : message
      const pictures = hooked.action === 'transform' ? (hooked.images ?? images) : images
      const sent = pictures.length > 0 ? pictures : undefined
      await texts.whileQueuing(message, () =>
        admission === 'interrupt' ? session.steer(text, sent) : session.followUp(text, sent),
      )
    }
    accept(ticket)
  }

  /** Resolves when the prompt has been accepted or refused; its run goes on by itself. */
  function start(ticket: Ticket): Promise<void> {
    const { message, admission } = ticket.request
    const images = imagesOf(ticket.request)
    deps.opening()
    return new Promise((admitted) => {
      const finish = (): void => {
        ticket.release()
        admitted()
      }
      session
        .prompt(message, {
          ...(images.length > 0 ? { images } : {}),
          streamingBehavior: admission === 'interrupt' ? 'steer' : 'followUp',
          source: 'interactive',
          preflightResult: (ok) => {
            if (!ok) return
            accept(ticket)
            // The run itself starts in this same step, after this call.
            queueMicrotask(admitted)
          },
        })
        .catch((error: unknown) => reject(ticket, error))
        .finally(finish)
    })
  }

  async function admit(ticket: Ticket): Promise<void> {
    waiting = waiting.filter((other) => other !== ticket)
    preflight = ticket
    try {
      const refusal = deps.refusal(ticket.request.message)
      if (refusal !== undefined) throw new Error(refusal)
      if (!occupied()) await Promise.race([eventsHandled(session), becomesOccupied()])
      if (ticket.takenBack) throw new Error(TAKEN_BACK)
      if (occupied()) await queue(ticket)
      else return await start(ticket)
    } catch (error) {
      reject(ticket, error)
    } finally {
      preflight = undefined
    }
    ticket.release()
  }

  async function runCommand(ticket: Ticket): Promise<void> {
    try {
      await deps.ready
      const images = imagesOf(ticket.request)
      // The library takes a command's name up to the first space and knows no other white space.
      const text = ticket.request.message.replace(/^(\/\S+)\s/, '$1 ')
      await session.prompt(text, images.length > 0 ? { images } : {})
      accept(ticket)
    } catch (error) {
      reject(ticket, error)
    } finally {
      ticket.release()
    }
  }

  async function inTurn(ticket: Ticket): Promise<void> {
    await deps.ready
    await deps.stopped()
    if (ticket.takenBack) return
    ticket.release()
    ticket.release = activity.hold()
    await admit(ticket)
  }

  return {
    submit(request, outcome) {
      const refusal = deps.refusal(request.message)
      if (refusal !== undefined) {
        queueMicrotask(() => outcome.onRejected(refusal))
        return
      }
      const ticket: Ticket = { request, outcome, release: activity.hold(), accepted: false, takenBack: false }
      if (deps.isExtensionCommand(request.message)) {
        void runCommand(ticket)
        return
      }
      waiting.push(ticket)
      if (deps.stopping()) ticket.release()
      turn = turn.then(() => inTurn(ticket))
    },
    takeBack() {
      const taken = [...(preflight && !preflight.accepted ? [preflight] : []), ...waiting]
      const back = {
        interrupting: texts.asTyped(session.getSteeringMessages()),
        enqueued: texts.asTyped(session.getFollowUpMessages()),
      }
      // Said on the feed only when there was something to take back.
      if (session.agent.hasQueuedMessages() || session.pendingMessageCount > 0) session.clearQueue()
      for (const ticket of taken) {
        ticket.takenBack = true
        back[ticket.request.admission === 'interrupt' ? 'interrupting' : 'enqueued'].push(ticket.request.message)
      }
      for (const ticket of waiting) {
        ticket.release()
        ticket.outcome.onRejected(TAKEN_BACK)
      }
      waiting = []
      return back
    },
    pause() {
      for (const ticket of waiting) ticket.release()
    },
    notice({ type }) {
      if (OCCUPIES.has(type)) nowOccupied()
    },
    beforeStart() {
      if (preflight?.takenBack) throw new Error(TAKEN_BACK)
    },
  }
}
