import { type Signal, signal } from '@preact/signals'
import type { EnsoPromptImage } from '../../core/index.js'
import { UNREACHABLE } from '../api/http.js'

/** What somebody is writing to a thread. */
export interface Draft {
  readonly text: Signal<string>
  readonly images: Signal<readonly EnsoPromptImage[]>
  /** Why the last try went wrong. */
  readonly problem: Signal<string | undefined>
  readonly isSending: Signal<boolean>
}

const drafts = new Map<string, Draft>()
const keyOf = (threadId: string): string => `enso-draft:${threadId}`

/** A thread's draft; its text outlives a reload of the tab. */
export function draftOf(threadId: string): Draft {
  let draft = drafts.get(threadId)
  if (draft === undefined) {
    draft = {
      text: signal(sessionStorage.getItem(keyOf(threadId)) ?? ''),
      images: signal<readonly EnsoPromptImage[]>([]),
      problem: signal<string | undefined>(undefined),
      isSending: signal(false),
    }
    drafts.set(threadId, draft)
  }
  return draft
}

/** Writes into a draft. */
export function write(threadId: string, text: string): void {
  const draft = draftOf(threadId)
  draft.text.value = text
  draft.problem.value = undefined
  if (text === '' || text.length > 100_000) sessionStorage.removeItem(keyOf(threadId))
  else sessionStorage.setItem(keyOf(threadId), text)
}

/** The server is reached again: that it was not is no problem any more. */
export function forgetUnreached(threadId: string): void {
  const { problem } = draftOf(threadId)
  if (problem.peek() === UNREACHABLE) problem.value = undefined
}

/** Puts texts that were handed back before what is being written. */
export function putBack(threadId: string, texts: readonly string[]): void {
  if (texts.length === 0) return
  const { text } = draftOf(threadId)
  write(threadId, [...texts, text.peek()].filter((one) => one.trim() !== '').join('\n\n'))
}
