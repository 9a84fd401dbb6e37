import { batch } from '@preact/signals'
import {
  ENSO_PROVIDER_RETRY_KEY,
  type EnsoFollowFrame,
  type EnsoFollowSnapshot,
  type EnsoObservation,
  type EnsoProviderRetry,
  type EnsoUiMessage,
} from '../../core/index.js'
import { createCurrentMessage, type CurrentMessage } from './current-message.js'
import { foldAside } from './fold-aside.js'
import { messagesFromSnapshot } from './from-snapshot.js'
import type { PageMessage, PagePart } from './messages.js'
import { reconcile } from './reconcile.js'
import { EMPTY_QUEUE, endOf, type ThreadState } from './thread-state.js'

/** What folding needs of its page. */
export interface FoldDeps {
  readonly now: () => number
  /** Calls back soon, once: words that arrive together are drawn together. */
  readonly soon: (callback: () => void) => void
}

/** Takes a thread's follow into its state, frame by frame. */
export interface Fold {
  frame(frame: EnsoFollowFrame): void
}

/** Folds frames into `state`. A snapshot replaces everything; what did not change keeps its place. */
export function createFold(state: ThreadState, { now, soon }: FoldDeps): Fold {
  let keys = 0
  let current: CurrentMessage | undefined
  let due = false
  const newKey = (): string => `m${++keys}`

  function draw(): void {
    due = false
    state.current.value = current?.message()
  }

  function changed(): void {
    if (due) return
    due = true
    soon(draw)
  }

  function begin(role: 'user' | 'assistant', parts: readonly PagePart[] = []): void {
    retire()
    const at = new Date(now()).toISOString()
    current = createCurrentMessage({ key: newKey(), role, parts, at, isSeen: true })
    draw()
  }

  /** The reply that is being written. A page that came after its beginning has the prompt before it as the last. */
  function replying(): CurrentMessage | undefined {
    if (current?.message().role !== 'assistant') begin('assistant')
    return current
  }

  /** What was being written joins the others, unless nothing came of it. */
  function retire(): void {
    const message = current?.message()
    current = undefined
    if (message === undefined) return
    if (message.parts.length > 0 || message.refusal !== undefined) {
      state.messages.value = [...state.messages.peek(), message]
    }
    state.current.value = undefined
  }

  function snapshot(frame: EnsoFollowSnapshot): void {
    const shown = current === undefined ? state.messages.peek() : [...state.messages.peek(), current.message()]
    const messages = reconcile(shown, messagesFromSnapshot(frame.messages as EnsoUiMessage[], frame.busy), newKey)
    const last = messages.at(-1)
    const goesOn = frame.busy && last !== undefined
    current = goesOn ? createCurrentMessage(last) : undefined
    state.messages.value = goesOn ? messages.slice(0, -1) : messages
    state.current.value = goesOn ? last : undefined
    const known = new Map(state.dialogs.peek().map((dialog) => [dialog.id, dialog]))
    state.dialogs.value = frame.openDialogs.map(
      (dialog) => known.get(dialog.id) ?? { ...dialog, endsAt: endOf(dialog, now()), isMost: true },
    )
    state.queue.value = frame.busy ? state.queue.peek() : EMPTY_QUEUE
    state.cwd.value = frame.cwd
    state.mode.value = frame.permissionMode
    state.model.value = frame.model
    state.usage.value = frame.usage
    state.interrupted.value = frame.interrupted
    const said = (frame.messages as EnsoUiMessage[]).at(-1)?.metadata
    const retry = said?.[ENSO_PROVIDER_RETRY_KEY] as EnsoProviderRetry | undefined
    state.retry.value = retry && { ...retry, at: now() + retry.delayMs }
    state.compacting.value = false
    state.loaded.value = true
    status(frame)
  }

  function status({ busy, live, generation }: Pick<EnsoFollowSnapshot, 'busy' | 'live' | 'generation'>): void {
    state.busy.value = busy
    state.live.value = live
    state.generation.value = generation
    if (busy) state.interrupted.value = undefined
    else settled()
  }

  function settled(): void {
    current?.cut()
    retire()
    // What was sent as this run ended belongs to the next one.
    const isLater = (generation = Infinity): boolean => generation > state.generation.peek()
    state.sent.value = state.sent.peek().filter(({ queued, generation }) => queued || isLater(generation))
    state.retry.value = undefined
    state.compacting.value = false
  }

  /** A prompt appears, from whichever tab; what this page sent with it is known only here. */
  function userMessage(text: string): void {
    const sent = state.sent.peek()
    const mine = sent.find((prompt) => prompt.text === text)
    if (mine !== undefined) state.sent.value = sent.filter((prompt) => prompt !== mine)
    const images = (mine?.images ?? []).map((image) => ({ type: 'image' as const, ...image }))
    begin('user', text === '' ? images : [{ type: 'text', text }, ...images])
  }

  function denied(...denial: Parameters<CurrentMessage['denied']>): void {
    if (current?.denied(...denial) === true) draw()
  }

  function observation(observed: EnsoObservation): void {
    switch (observed.kind) {
      case 'message-start':
        if (observed.role === 'user') userMessage(observed.text ?? '')
        else if (observed.role === 'assistant') begin('assistant')
        return
      case 'text-delta':
      case 'thinking-delta':
        replying()?.append(observed)
        changed()
        return
      case 'tool-call':
        replying()?.call(observed.toolCallId, observed.toolName, observed.args, now())
        draw()
        return
      case 'tool-result':
        if (current?.result(observed, now()) === true) changed()
        return
      case 'message-end':
        if (observed.role !== 'assistant') return
        current?.ended({ model: observed.model, usage: observed.usage })
        draw()
        return
      case 'provider-refused': {
        const { kind: _kind, ...refusal } = observed
        replying()?.ended({ refusal })
        draw()
        return
      }
      case 'settled':
        settled()
        return
      default:
        foldAside(state, observed, { now, denied, newKey })
    }
  }

  return {
    frame: (frame) =>
      batch(() => {
        if (frame.type === 'snapshot') snapshot(frame)
        else if (frame.type === 'status') status(frame)
        else observation(frame.observation)
      }),
  }
}

/** Everything that is shown, in order. */
export function shownMessages(state: ThreadState): readonly PageMessage[] {
  const current = state.current.value
  return current === undefined ? state.messages.value : [...state.messages.value, current]
}
