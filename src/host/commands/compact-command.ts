import type { AgentSession } from '@mariozechner/pi-coding-agent'
import { contextUsageOf } from '../session/session-usage.js'
import type { HostFlow } from './host-commands.js'

export interface CompactDeps {
  readonly session: AgentSession
  notify(message: string, type: 'info' | 'error'): void
  /** The last compaction found nothing to summarise. */
  nothing(): boolean
  /** Something of the session is under way. */
  busy(): boolean
}

/** `/compact`: rewrites the branch, so it runs alone and the thread is busy meanwhile. */
export function compactCommand(deps: CompactDeps): HostFlow {
  const { session } = deps
  const name = 'compact'
  return {
    name,
    row: () => ({
      name,
      source: 'host',
      kind: 'action',
      description: 'replace the conversation so far by a summary',
    }),
    refusal: () => (deps.busy() ? 'the thread is busy: a compaction runs alone' : undefined),
    async run(value) {
      try {
        const { tokensBefore } = await session.compact(value)
        const window = contextUsageOf(session)?.window
        const of = window === undefined ? '' : ` of ${window}`
        deps.notify(`compacted: ${tokensBefore}${of} tokens are now a summary and the latest messages`, 'info')
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        deps.notify(deps.nothing() ? 'there is nothing to compact yet' : reason, 'error')
      }
    },
  }
}
