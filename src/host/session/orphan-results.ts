import type { AgentMessage } from '@mariozechner/pi-agent-core'

/**
 * The messages without tool results whose call is not among them: a provider refuses such a request, and a call can be
 * missing where a line of a stored thread was lost. A call without its result is the library's own to complete.
 */
export function withoutOrphanResults(messages: AgentMessage[]): AgentMessage[] {
  const called = new Set<string>()
  const kept = messages.filter((message) => {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'toolCall') called.add(part.id)
    }
    return message.role !== 'toolResult' || called.has(message.toolCallId)
  })
  return kept.length === messages.length ? messages : kept
}
