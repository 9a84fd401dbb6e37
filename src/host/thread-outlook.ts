import { withoutLibraryManual } from './own-prompt.js'
import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { ThreadOutlook } from '../core/index.js'
import type { ThreadParts } from './thread-parts.js'

const UNGUARDED = { sandbox: { kind: 'off', reason: 'nothing guards this thread' }, writeRoots: [] } as const

/** What the next request of a session would begin with. `parametersOf`: a tool's parameters where another form is told. */
export function threadOutlook(
  session: Pick<AgentSession, 'systemPrompt' | 'getActiveToolNames' | 'getAllTools'>,
  parts: Pick<ThreadParts, 'isWithheld' | 'guarding'>,
  parametersOf: (toolName: string) => unknown,
): ThreadOutlook {
  const all = new Map(session.getAllTools().map((tool) => [tool.name, tool]))
  const offered = session.getActiveToolNames().filter((name) => parts.isWithheld?.(name) !== true)
  return {
    systemPrompt: withoutLibraryManual(session.systemPrompt),
    tools: offered.flatMap((name) => {
      const tool = all.get(name)
      if (tool === undefined) return []
      return [{ name, description: tool.description, parameters: parametersOf(name) ?? tool.parameters ?? null }]
    }),
    ...(parts.guarding?.() ?? UNGUARDED),
  }
}
