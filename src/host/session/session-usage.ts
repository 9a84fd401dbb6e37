import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { EnsoContextUsage, EnsoSessionUsage } from '../../core/index.js'
import { usageOfEntries } from './usage-of-entries.js'

/** How full the context is, or `null` when the model declares no window. */
export function contextUsageOf(session: AgentSession): EnsoContextUsage | null {
  const usage = session.getContextUsage()
  return usage ? { tokens: usage.tokens, window: usage.contextWindow, percent: usage.percent } : null
}

/** What a live session has spent on every branch, and how full its context is. */
export function sessionUsageOf(session: AgentSession): EnsoSessionUsage {
  return usageOfEntries(session.sessionManager.getEntries(), contextUsageOf(session))
}
