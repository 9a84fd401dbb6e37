import { createGrepToolDefinition, type ToolDefinition } from '@mariozechner/pi-coding-agent'
import type { OwnGrepDeps } from './own-grep.js'
import { hasRipgrep } from './ripgrep.js'

export interface GrepToolDeps extends OwnGrepDeps {
  readonly cwd: string
  /** Where ripgrep is looked for. */
  readonly searchPath: string | undefined
}

/**
 * The text search: the agent library's own where the machine has a ripgrep that it can use, else ours, which needs
 * nothing. Looked for at the first search, once a thread.
 */
export function createGrepTool({ cwd, searchPath, ...deps }: GrepToolDeps): ToolDefinition {
  const library = createGrepToolDefinition(cwd)
  let usable: Promise<boolean> | undefined
  const tool: typeof library = {
    ...library,
    execute: async (toolCallId, params, signal, onUpdate, context) => {
      usable ??= hasRipgrep(searchPath)
      if (await usable) return library.execute(toolCallId, params, signal, onUpdate, context)
      const { ownGrep } = await import('./own-grep.js')
      const { text, details } = await ownGrep(params, deps, signal)
      return { content: [{ type: 'text', text }], details }
    },
  }
  return tool as unknown as ToolDefinition
}
