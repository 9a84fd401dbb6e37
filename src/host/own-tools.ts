import { createFindToolDefinition, type ExtensionFactory, type ToolDefinition } from '@mariozechner/pi-coding-agent'
import { ASK_USER_TOOL_NAME, type EnsoConfig } from '../core/index.js'
import { mayRead, type GuardWorld } from './extensions/guards/index.js'
import { realPathOf, toolPath } from './extensions/guards/paths.js'
import type { Sandbox } from './sandbox/sandbox.js'
import type { ThreadPartsContext } from './thread-parts.js'
import { createAskUserTool } from './tools/ask-user/ask-user.js'
import { isAskUserOffered, sayWhenNotOffered } from './tools/ask-user/offer.js'
import { createBashTool } from './tools/bash-tool.js'
import { findOperations } from './tools/files/find-operations.js'
import { createOwnGrepTool } from './tools/files/grep-tool.js'
import { hasRipgrep } from './tools/files/ripgrep.js'
import { createWebFetchTool } from './tools/web-fetch/tool.js'
import { fetchFromAddress, resolveHost } from './tools/web-fetch/transport.js'
import { offerWebSearch } from './tools/web-search/offer.js'
import { createWebSearchTool } from './tools/web-search/tool.js'

/** Reads the workspace's configuration for a folder; `undefined` where there is none. Fails on an unreadable one. */
export type WorkspaceConfigReader = (cwd: string) => Promise<EnsoConfig | undefined>

export interface OwnToolsDeps {
  readonly thread: ThreadPartsContext
  readonly world: GuardWorld
  readonly sandbox: Sandbox
  readonly workspace: EnsoConfig | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly scrub: (env: Readonly<Record<string, string | undefined>>) => Record<string, string>
}

/** Our own tools of one thread. They go in as custom tools, which an extension file can't shadow. */
export function ownTools(deps: OwnToolsDeps): {
  readonly tools: ToolDefinition[]
  readonly extensions: ExtensionFactory[]
  readonly isWithheld: (toolName: string) => boolean
} {
  const { thread, world, sandbox, workspace, env, scrub } = deps
  const { cwd } = thread
  const search = { config: workspace?.webSearch, env, after }
  const tools = [
    createBashTool({ cwd, sandbox, scrub }),
    createFindToolDefinition(cwd, { operations: findOperations }) as unknown as ToolDefinition,
    createAskUserTool(thread),
    createWebFetchTool({
      config: workspace === undefined ? undefined : { kind: 'ok', config: workspace },
      resolve: resolveHost,
      transport: fetchFromAddress,
      after,
    }),
    createWebSearchTool(search),
  ]
  if (!hasRipgrep(env['PATH'])) {
    tools.push(
      createOwnGrepTool(
        cwd,
        (path) => realPathOf(toolPath(path, cwd, world.home), cwd),
        (path) => mayRead(path, world),
      ),
    )
  }
  return {
    tools,
    extensions: [offerWebSearch(search), sayWhenNotOffered(thread)],
    isWithheld: (toolName) => toolName === ASK_USER_TOOL_NAME && !isAskUserOffered(thread),
  }
}

/** A timer that doesn't keep the process alive. */
function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
