import {
  ENSO_ARGV_REQUEST_ID,
  EnsoError,
  type EnsoAbortReceipt,
  type EnsoExtensionError,
  type EnsoFollowFrame,
  type EnsoPromptBody,
  type EnsoPromptReceipt,
  type EnsoRefusal,
  refusal,
} from '../../core/index.js'
import { holdYoungGeneration } from '../../system/young-generation.js'
import type { OperationOutcome } from '../../thread/operation.js'
import { refusedPrompt } from './nothing-ran.js'
import type { RunBook } from './run-book.js'
import type { RunEnding } from './run-ending.js'
import type { RunSurface } from './run-surface.js'
import type { RunHosted, RunThreads } from './run-threads.js'

/** The notice by which a thread says that another process took it over. */
const LOCK_LOST_NOTICE = 'enso-lock-lost'

/** How the host says that an entry could not be stored: a run that goes on unrecorded is none. */
function isStorageFault({ extensionPath, event }: EnsoExtensionError): boolean {
  return extensionPath === '<host>' && event === 'append'
}

/** What links a run to its thread. */
export interface RunLinkOptions {
  readonly threads: RunThreads
  readonly threadId: string
  readonly surface: RunSurface
  readonly book: RunBook
  readonly ending: RunEnding
  /** A prompt is on its way. */
  readonly onPrompt: () => void
}

export interface RunLink {
  /** Puts an operation to the thread; what it throws ends the run and is answered as a refusal. */
  put(name: string, body: unknown): Promise<OperationOutcome>
  /** Puts the prompt of the command line; a refusal of it ends the run. `said`: is it answered by a reply line? */
  putFirst(prompt: EnsoPromptBody, said: boolean): Promise<void>
  /** Hands the thread's frames to the surface and to the book. */
  follow(): Promise<void>
  /** Stops what goes. Does not wait for the end of it. */
  stop(): Promise<void>
  /** Prompts that were waiting when the run was stopped, as typed. */
  restored(): readonly string[]
  /** Why the last prompt was refused, unless one was taken since. */
  lastRefused(): EnsoRefusal | undefined
  /** The runtime, once a prompt has built it. */
  hosted(): RunHosted | undefined
}

/** A run's way to its thread, and the thread's way to the run. */
export function createRunLink({ threads, threadId, surface, book, ending, onPrompt }: RunLinkOptions): RunLink {
  const restored: string[] = []
  let hosted: RunHosted | undefined
  let prompting = 0
  let lastRefused: EnsoRefusal | undefined

  async function admitted({ generation }: EnsoPromptReceipt): Promise<void> {
    book.owed(generation)
    if (hosted) return
    hosted = await threads.ensure(threadId)
    for (const note of hosted.notes) surface.note(note)
  }

  async function put(name: string, body: unknown): Promise<OperationOutcome> {
    if (ending.isCalled()) return { ok: false, refusal: refusal('refused', 'the run is ending') }
    const answered = book.asking()
    const stopAnswered = name === 'abort' ? book.aborted('abort', prompting > 0) : undefined
    const isPrompt = name === 'prompt'
    if (isPrompt) prompting++
    try {
      if (isPrompt) onPrompt()
      const outcome = await threads.operate(name, threadId, body)
      if (isPrompt) lastRefused = outcome.ok ? undefined : outcome.refusal
      if (outcome.ok && isPrompt) await admitted(outcome.result as EnsoPromptReceipt)
      if (outcome.ok && name === 'abort') restored.push(...(outcome.result as EnsoAbortReceipt).restored)
      return outcome
    } catch (error) {
      ending.fail(error)
      return { ok: false, refusal: refusal('refused', error instanceof Error ? error.message : String(error)) }
    } finally {
      if (isPrompt) prompting--
      stopAnswered?.()
      answered()
    }
  }

  async function putFirst(prompt: EnsoPromptBody, said: boolean): Promise<void> {
    const outcome = await put('prompt', prompt)
    const reply = { type: 'reply', requestId: ENSO_ARGV_REQUEST_ID } as const
    if (outcome.ok) return surface.reply({ ...reply, ok: true, result: outcome.result })
    if (said) surface.reply({ ...reply, ok: false, refusal: outcome.refusal })
    ending.fail(refusedPrompt(outcome.refusal))
  }

  function note(frame: EnsoFollowFrame): true {
    book.frame(frame)
    if (frame.type !== 'observation') return true
    const { observation } = frame
    if (observation.kind === 'message-start' && observation.role === 'assistant') holdYoungGeneration()
    if (observation.kind === 'extension-ui-request' && observation.id === LOCK_LOST_NOTICE) {
      ending.fail(new EnsoError('lock-lost', observation.message ?? 'the thread was taken over'))
    }
    if (observation.kind === 'extension-error' && isStorageFault(observation)) {
      ending.fail(new EnsoError('disk', observation.error))
    }
    return true
  }

  async function follow(): Promise<void> {
    const end = (): void => undefined
    // Two follows: what the run knows must not wait for whoever reads it.
    await threads.follow(threadId, { frame: note, end })
    const shown = await threads.follow(threadId, {
      frame(frame, line) {
        const keepsUp = surface.frame(frame, line)
        if (!keepsUp) surface.onReady(() => shown.resume())
        return keepsUp
      },
      end,
    })
  }

  async function stop(): Promise<void> {
    const outcome = await threads.operate('abort', threadId, undefined)
    if (outcome.ok) restored.push(...(outcome.result as EnsoAbortReceipt).restored)
  }

  return { put, putFirst, follow, stop, restored: () => restored, lastRefused: () => lastRefused, hosted: () => hosted }
}
