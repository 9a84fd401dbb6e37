import type { ExtensionFactory, ToolDefinition } from '@mariozechner/pi-coding-agent'
import { ASK_USER_TOOL_NAME, type EnsoConfig } from '../core/index.js'
import type { CommandEndings } from './descriptors/command-endings.js'
import { mayRead, type GuardWorld } from './extensions/guards/index.js'
import { realPathOf, toolPath } from './extensions/guards/paths.js'
import type { Sandbox } from './sandbox/sandbox.js'
import type { ThreadPartsContext } from './thread-parts.js'
import { createAskUserTool } from './tools/ask-user/ask-user.js'
import { isAskUserOffered, sayWhenNotOffered } from './tools/ask-user/offer.js'
import { createBashTool } from './tools/bash-tool.js'
import { createFindTool } from './tools/files/find-tool.js'
import { createGrepTool } from './tools/files/grep-tool.js'
import { createWebFetchTool } from './tools/web-fetch/tool.js'
import { fetchFromAddress, resolveHost, type ResolveHost, type WebTransport } from './tools/web-fetch/transport.js'
import { SEARCH_ENDPOINTS, type SearchEndpoints } from './tools/web-search/choose-backends.js'
import { offerWebSearch } from './tools/web-search/offer.js'
import { createWebSearchTool } from './tools/web-search/tool.js'

/** Reads the workspace's configuration for a folder; `undefined` where there is none. Fails on an unreadable one. */
export type WorkspaceConfigReader = (cwd: string) => Promise<EnsoConfig | undefined>

/** How the web is reached. */
export interface WebDoors {
  readonly resolve: ResolveHost
  readonly transport: WebTransport
  readonly search: SearchEndpoints
}

export interface OwnToolsDeps {
  readonly thread: ThreadPartsContext
  readonly world: GuardWorld
  readonly sandbox: Sandbox
  readonly workspace: EnsoConfig | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly scrub: (env: Readonly<Record<string, string | undefined>>) => Record<string, string>
  readonly commandEnded: CommandEndings['ended']
  /** Left out, the web itself. */
  readonly web?: WebDoors
}

/** Our own tools of one thread. They go in as custom tools, which an extension file can't shadow. */
export function ownTools(deps: OwnToolsDeps): {
  readonly tools: ToolDefinition[]
  readonly extensions: ExtensionFactory[]
  readonly isWithheld: (toolName: string) => boolean
} {
  const { thread, world, sandbox, workspace, env, scrub, commandEnded, web = THE_WEB } = deps
  const { cwd } = thread
  const search = { config: workspace?.webSearch, env, after, endpoints: web.search }
  const tools = [
    createBashTool({ cwd, sandbox, scrub, ended: commandEnded }),
    createFindTool(cwd),
    createGrepTool({
      cwd,
      searchPath: env['PATH'],
      resolve: (path) => realPathOf(toolPath(path, cwd, world.home), cwd),
      mayRead: (path) => mayRead(path, world),
    }),
    createAskUserTool(thread),
    createWebFetchTool({
      config: workspace === undefined ? undefined : { kind: 'ok', config: workspace },
      resolve: web.resolve,
      transport: web.transport,
      after,
    }),
    createWebSearchTool(search),
  ]
  return {
    tools,
    extensions: [offerWebSearch(search), sayWhenNotOffered(thread)],
    isWithheld: (toolName) => toolName === ASK_USER_TOOL_NAME && !isAskUserOffered(thread),
  }
}

const THE_WEB: WebDoors = { resolve: resolveHost, transport: fetchFromAddress, search: SEARCH_ENDPOINTS }

/** A timer that doesn't keep the process alive. */
function after(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
