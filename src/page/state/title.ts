import { firstLine } from '../model/words.js'
import { plainTextOf } from '../model/messages.js'
import type { ThreadState } from '../model/thread-state.js'
import { rowOf } from './lists.js'

/** What a thread is called: as it is stored, else by its first prompt. */
export function titleOf(state: ThreadState): string {
  const stored = rowOf(state.threadId)?.title
  if (stored !== undefined) return stored.slice(0, 200)
  const first = state.messages.value.find(({ role }) => role === 'user')
  const words = first === undefined ? (state.sent.value[0]?.text ?? '') : plainTextOf(first)
  return firstLine(words.slice(0, 500), 80) || 'New thread'
}
