import type { EnsoFollowSnapshot, EnsoUiMessage } from '../../core/index.js'

/**
 * The texts of the last reply in a snapshot, by the content block each is: what somebody who was away has to catch up
 * with. Nothing where the last message is a prompt.
 */
export function lastReplyOf({ messages }: EnsoFollowSnapshot): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  const last = messages.at(-1) as EnsoUiMessage | undefined
  if (last?.role !== 'assistant') return texts
  for (const [index, part] of last.parts.entries()) if (part.type === 'text') texts.set(index, part.content)
  return texts
}
