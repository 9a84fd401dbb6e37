import type { CredentialHost, EnsoUserConfig, FoundLocalServer, GuardCheck, ThreadStore } from '../core/index.js'
import type { EnsoHome } from '../system/home.js'
import type { Threads } from '../thread/threads.js'
import type { WorkspaceConfig } from './config/config-files.js'
import type { RunProcess } from './run/run-process.js'
import type { RunRemote } from './run/run-threads.js'
import type { RunningServer, ServeRequest } from './serve/serve-request.js'
import type { HostRequest, ThreadsRequest } from './threads-request.js'

/**
 * The rest of the program as the command line sees it. Nothing is loaded before its member is called, so that a
 * command pays only for what it uses.
 */
export interface CliParts {
  /** The program's version, bare. */
  readonly version: string
  /** The agent library, as it is pinned. */
  readonly agentLibrary: { readonly name: string; readonly version: string }
  readonly home: EnsoHome
  /**
   * The person's configuration, with what the environment says before it.
   * @throws EnsoError `bad-config`, naming file, line and column, or the variable
   */
  userConfig(): Promise<EnsoUserConfig>
  /** The workspace's configuration for a folder; `undefined` where none is committed. @throws EnsoError `bad-config` */
  workspaceConfig(cwd: string): Promise<WorkspaceConfig | undefined>
  /** The guards of a folder, for asking only. Loads no agent library. @throws EnsoError `bad-config` */
  guardCheck(request: { readonly cwd: string; readonly attended: boolean }): Promise<GuardCheck>
  /** Could shell commands be confined here? Tried for real. Loads no agent library. */
  probeSandbox(): Promise<{ readonly kind: 'on' } | { readonly kind: 'off'; readonly reason: string }>
  /** Model servers that answer on this machine. Takes a moment. Loads no agent library. */
  localServers(): Promise<readonly FoundLocalServer[]>
  /** Stored threads. Loads no agent library. */
  store(): Promise<ThreadStore>
  /** The agent library. @throws EnsoError `bad-config`, `bad-input` */
  agentHost(request: HostRequest): Promise<CredentialHost>
  /** Live threads. The agent library is loaded by the first thread that is built, not by this call. */
  threads(request: ThreadsRequest): Promise<Threads>
  /** The server's OpenAPI document, without a server. */
  openApi(): Promise<Readonly<Record<string, unknown>>>
  /** Serves threads over HTTP. @throws EnsoError `bad-input`, `bad-config`, `disk` */
  serve(request: ServeRequest): Promise<RunningServer>
  /**
   * Starts logging to the day file; a level adds standard error. `process` is the writer's name on each line, `cli` when
   * absent. The returned function ends it and resolves when written.
   */
  startLog(level: string | undefined, process?: string): Promise<() => Promise<void>>
  /** A server's threads in place of this process's own: `--connect`. */
  readonly remote?: RunRemote
  /** Takes this process and whatever it starts under guard. Called once, before a command that is not plain is loaded. */
  guardProcess?(): Promise<void>
  /** The process around a run: its faults, its children, its end. Absent where the process is somebody else's, or not under guard. */
  readonly runProcess?: RunProcess | undefined
}
