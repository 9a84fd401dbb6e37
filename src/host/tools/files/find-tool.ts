import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createFindToolDefinition, type FindOperations, type ToolDefinition } from '@mariozechner/pi-coding-agent'

/**
 * The agent library's file search over our own walk: what is installed on the machine for it may be missing or too old,
 * and nothing is downloaded.
 */
export function createFindTool(cwd: string): ToolDefinition {
  const definition = createFindToolDefinition(cwd)
  const tool: typeof definition = {
    ...definition,
    execute: (toolCallId, params, signal, onUpdate, context) =>
      createFindToolDefinition(cwd, { operations: findOperations(signal) }).execute(
        toolCallId,
        params,
        signal,
        onUpdate,
        context,
      ),
  }
  return tool as unknown as ToolDefinition
}

/** Files and folders by a glob; a folder ends with `/`. */
function findOperations(signal: AbortSignal | undefined): FindOperations {
  return {
    exists: (path) => existsSync(path),
    glob: async (pattern, root, { limit }) => {
      const [{ pathMatcher }, { walk }] = await Promise.all([import('./path-glob.js'), import('./walk.js')])
      const matches = pathMatcher(pattern)
      const found: string[] = []
      for await (const { path, isFolder } of walk(root, signal)) {
        if (found.length >= limit) break
        if (matches(path)) found.push(isFolder ? `${join(root, path)}/` : join(root, path))
      }
      return found
    },
  }
}
