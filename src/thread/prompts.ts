import { randomUUID } from 'node:crypto'
import {
  ensoLogger,
  ENSO_LOG_EVENTS,
  type EnsoObservation,
  type PromptRequest,
  type ThreadRuntime,
} from '../core/index.js'
import type { Acquisition, Lease } from './lease.js'

const log = ensoLogger('server', 'prompts')

/** Where an admitted prompt stands. */
export interface Admitted {
  readonly messageId: string
  /** Of the acquisition it opened, or queued behind. */
  readonly generation: number
  readonly queued: boolean
}

/** Prompts that wait, as they were typed. */
export interface WaitingTexts {
  readonly interrupting: string[]
  readonly enqueued: string[]
}

/** A thread's prompts between admission and the runtime. */
export interface Prompts {
  /** Takes a prompt in; `undefined` while something else than a run holds the lease. */
  admit(request: PromptRequest): Admitted | undefined
  /** The run of an acquisition has begun: what waits for that is told to the runtime. */
  opened(acquisition: Acquisition): void
  /** The lease is free: the oldest waiting prompt, if any, opens the next acquisition. */
  next(): void
  /** Takes back what was not told to the runtime yet. */
  takeBack(): WaitingTexts
  /** Refuses what waits: there is no runtime for it any more. */
  abandon(reason: string): void
}

interface Prompt {
  readonly messageId: string
  readonly request: PromptRequest
}

export interface PromptsDeps {
  readonly threadId: string
  readonly lease: Lease
  /** The live runtime, unless it is being closed. */
  readonly runtime: () => ThreadRuntime | undefined
  readonly publish: (observation: EnsoObservation) => void
}

/**
 * A prompt opens an acquisition, or is told to the runtime as one more of the run that is going on. Until the runtime
 * has taken the prompt that opened it, and while a Stop is under way, further ones wait here: were the opening one
 * refused, the next opens an acquisition of its own.
 */
export function createPrompts({ threadId, lease, runtime, publish }: PromptsDeps): Prompts {
  let waiting: Prompt[] = []

  function tell(prompt: Prompt, acquisition: Acquisition, opens: boolean): void {
    let over = false
    const onAccepted = (): void => {
      if (over) return
      over = true
      if (opens) opened(acquisition)
    }
    const onRejected = (reason: string): void => {
      if (over) return
      over = true
      // Not at once: whoever prompted hears of the admission first.
      setImmediate(() => reject(prompt, acquisition, opens, reason))
    }
    try {
      const target = runtime()
      if (target === undefined) onRejected('the thread was closed')
      else target.prompt(prompt.request, { onAccepted, onRejected })
    } catch (error) {
      log.error('the runtime threw on a prompt: {error}', { threadId, error: String(error) })
      onRejected(error instanceof Error ? error.message : String(error))
    }
  }

  function reject({ messageId }: Prompt, acquisition: Acquisition, opens: boolean, reason: string): void {
    log.info('prompt {messageId} rejected', { threadId, generation: acquisition.generation, messageId })
    const rejected = { kind: 'prompt-rejected' as const, messageId, reason }
    if (!opens) publish(rejected)
    else if (acquisition.accepted || !lease.end(acquisition, rejected)) {
      log.warn('prompt {messageId} was rejected after its run had begun', { threadId, messageId, reason })
    }
  }

  function open(prompt: Prompt): Acquisition | undefined {
    const acquisition = lease.acquire('run')
    if (acquisition !== undefined) tell(prompt, acquisition, true)
    return acquisition
  }

  function tellQueued(prompt: Prompt, acquisition: Acquisition): void {
    const request: PromptRequest = { ...prompt.request, admission: prompt.request.admission ?? 'enqueue' }
    tell({ ...prompt, request }, acquisition, false)
  }

  function opened(acquisition: Acquisition): void {
    if (acquisition.accepted || lease.held() !== acquisition) return
    acquisition.accepted = true
    if (acquisition.stopping) return
    const told = waiting
    waiting = []
    for (const prompt of told) tellQueued(prompt, acquisition)
  }

  function admit(request: PromptRequest): Admitted | undefined {
    const prompt: Prompt = { messageId: randomUUID(), request }
    const { messageId } = prompt
    const held = lease.held()
    if (held === undefined) {
      const acquisition = open(prompt)
      if (acquisition === undefined) return undefined
      return logged({ messageId, generation: acquisition.generation, queued: false })
    }
    if (held.kind !== 'run') return undefined
    if (held.accepted && !held.stopping) tellQueued(prompt, held)
    else {
      waiting.push(prompt)
      publishWaiting()
    }
    return logged({ messageId, generation: held.generation, queued: true })
  }

  function logged(admitted: Admitted): Admitted {
    const { messageId, generation, queued } = admitted
    log.info(ENSO_LOG_EVENTS.promptAdmitted, {
      threadId,
      generation,
      messageId,
      admission: queued ? 'queued' : 'opened',
    })
    return admitted
  }

  function publishWaiting(): void {
    publish({ kind: 'queue', ...textsOf(waiting) })
  }

  function takeBack(): WaitingTexts {
    const taken = waiting
    waiting = []
    if (taken.length > 0) publishWaiting()
    return textsOf(taken)
  }

  function next(): void {
    const prompt = waiting[0]
    if (prompt === undefined || lease.held() !== undefined) return
    waiting = waiting.slice(1)
    publishWaiting()
    open(prompt)
  }

  return {
    admit,
    opened,
    next,
    takeBack,
    abandon: (reason) => {
      const left = waiting
      waiting = []
      for (const { messageId } of left) publish({ kind: 'prompt-rejected', messageId, reason })
    },
  }
}

function textsOf(prompts: readonly Prompt[]): WaitingTexts {
  const interrupting: string[] = []
  const enqueued: string[] = []
  for (const { request } of prompts) {
    if (request.admission === 'interrupt') interrupting.push(request.message)
    else enqueued.push(request.message)
  }
  return { interrupting, enqueued }
}
