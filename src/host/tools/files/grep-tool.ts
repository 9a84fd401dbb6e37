import { createGrepToolDefinition, type ToolDefinition } from '@mariozechner/pi-coding-agent'
import type { GrepDeps } from './grep-result.js'
import { hasRipgrep } from './ripgrep.js'

export interface GrepToolDeps extends GrepDeps {
  readonly cwd: string
  /** Where ripgrep is looked for. */
  readonly searchPath: string | undefined
}

/**
 * The text search under the agent library's name and with its parameters: with ripgrep where the machine has one that
 * can be used, else with our own, which needs nothing. Looked for at the first search, once a thread.
 */
export function createGrepTool({ cwd, searchPath, ...deps }: GrepToolDeps): ToolDefinition {
  const library = createGrepToolDefinition(cwd)
  let usable: Promise<boolean> | undefined
  const tool: typeof library = {
    ...library,
    execute: async (_toolCallId, params, signal) => {
      usable ??= hasRipgrep(searchPath)
      const grep = (await usable) ? (await import('./rg-grep.js')).rgGrep : (await import('./own-grep.js')).ownGrep
      const { text, details } = await grep(params, deps, signal)
      return { content: [{ type: 'text', text }], details }
    },
  }
  return tool as unknown as ToolDefinition
}
