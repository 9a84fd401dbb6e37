import type { EnsoInterruptedTail } from './thread-inspection.js'
import type { EnsoTranscriptEntry } from './transcript.js'

/**
 * How a branch ends whose last turn did not settle, or nothing when it did.
 *
 * A prompt that no reply follows is unanswered; a last reply that called a tool and has no result of it is torn. A
 * reply the provider refused is a settled one: the refusal is its end.
 */
export function interruptedTailOf(entries: readonly EnsoTranscriptEntry[]): EnsoInterruptedTail | undefined {
  const answered = new Set<string>()
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]!
    if (entry.kind === 'tool-result') answered.add(entry.toolCallId)
    if (entry.kind !== 'message') continue
    if (entry.role === 'user') return 'unanswered-prompt'
    const open = entry.parts.some((part) => part.type === 'tool-call' && !answered.has(part.toolCallId))
    return open ? 'tool-call-without-result' : undefined
  }
  return undefined
}
