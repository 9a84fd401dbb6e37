import { homedir } from 'node:os'
import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import type { EnsoUserConfig } from '../core/index.js'
import { contextRecords } from './context/context-records.js'
import { createCommandEndings } from './descriptors/command-endings.js'
import { createDescriptorExtension } from './descriptors/extension.js'
import {
  createGuardExtension,
  createScrubbedEnv,
  withoutMonitor,
  createThreadWorld,
  decideToolCall,
} from './extensions/guards/index.js'
import type { GuardWorld } from './extensions/guards/index.js'
import { realPathOf, toolPath } from './extensions/guards/paths.js'
import { policyOf } from './extensions/guards/world.js'
import { analyseCommand } from './extensions/modes/analyse.js'
import { createModes } from './extensions/modes/index.js'
import { permissionRulesOf } from './extensions/modes/rules-of-person.js'
import { createUndoRecorder } from './extensions/undo/recorder.js'
import { forgetOldChanges } from './extensions/undo/forget.js'
import { privateTempDir } from './private-temp-dir.js'
import { confinementOf } from './sandbox/confinement-of-world.js'
import { createSandbox, type SandboxChoice } from './sandbox/sandbox.js'
import { sayGrantedHosts } from './say-granted-hosts.js'
import type { ThreadPartsContext, ThreadPartsFactory } from './thread-parts.js'
import { createUndoStore, undoFolder } from '../system/undo-store.js'
import { createOwnPrompt } from './own-prompt.js'
import { ownTools, type WebDoors, type WorkspaceConfigReader } from './own-tools.js'

/** What the parts of every thread of one process are made from. All paths absolute. */
export interface OwnPartsOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ensoRoot: string
  readonly agentDir: string
  /** The person's configuration, already read; it fails closed before it gets here. */
  readonly user: EnsoUserConfig
  readonly workspaceConfig: WorkspaceConfigReader
  readonly sandbox: SandboxChoice
  readonly allowBypass: boolean
  /** Further folders that may be written. */
  readonly addedRoots: readonly string[]
  /** Rules of this start, over those of the configuration. */
  readonly allowTools: readonly string[]
  readonly denyTools: readonly string[]
  /** Files whose contents are secret beside those that always are. */
  readonly secretFiles: readonly string[]
  readonly now: () => Date
  /** Instead of the real web. */
  readonly web?: WebDoors
}

/**
 * What every thread gets beside the agent library's own tools: our tools, the permission modes, and last of all that
 * have a part in a call the guard, so that nothing can change it after it was judged.
 */
export function createOwnParts(options: OwnPartsOptions): ThreadPartsFactory {
  const rules = permissionRulesOf(options.user.permissions, options.allowTools, options.denyTools)
  return async (thread) => {
    const world = worldOf(options, thread)
    const sandbox = await createSandbox(options.sandbox, () => confinementOf(world))
    if (sandbox.state.kind === 'off' && options.sandbox === 'auto') {
      thread.notify(`shell commands run without the sandbox: ${sandbox.state.reason}`, 'warning')
    }
    const workspace = await options.workspaceConfig(thread.cwd)
    sayGrantedHosts(workspace, options.ensoRoot, thread)
    const modes = createModes({
      thread,
      call: {
        cwd: world.cwd,
        realPath: (path) => realPathOf(toolPath(path, world.cwd, world.home), world.cwd),
        analyse: (command) => analyseCommand(command, world),
      },
      guardDenies: (toolName, input) => decideToolCall({ toolName, input }, world).kind === 'deny',
      rules,
      configured: options.user.defaultMode,
      allowBypass: options.allowBypass,
      now: options.now,
    })
    const endings = createCommandEndings()
    const tools = ownTools({
      thread,
      world,
      sandbox,
      workspace,
      env: options.env,
      scrub: scrubWith(world),
      commandEnded: endings.ended,
      ...(options.web === undefined ? {} : { web: options.web }),
    })
    return {
      extensions: [
        ...tools.extensions,
        createOwnPrompt(),
        contextRecords(thread, tools.isWithheld),
        modes.extension,
        createGuardExtension({ world }),
        ...undoRecorder(options, thread, world),
        // Looks at results only: what the guard took out of one is not counted in it.
        createDescriptorExtension(endings),
      ],
      customTools: tools.tools,
      modes: modes.control,
      isWithheld: tools.isWithheld,
      guarding: () => ({ sandbox: sandbox.state, writeRoots: policyOf(world)?.writeRoots ?? [] }),
    }
  }
}

/** A thread that is not stored leaves nothing behind, undo neither. */
function undoRecorder(
  { ensoRoot, now }: OwnPartsOptions,
  { threadId, ephemeral }: ThreadPartsContext,
  world: GuardWorld,
): ExtensionFactory[] {
  if (ephemeral) return []
  forgetOldChanges(ensoRoot, now().getTime())
  const realPath = (path: string): string => realPathOf(toolPath(path, world.cwd, world.home), world.cwd)
  return [createUndoRecorder({ store: createUndoStore(undoFolder(ensoRoot, threadId)), realPath, now })]
}

function worldOf(options: OwnPartsOptions, thread: ThreadPartsContext): GuardWorld {
  const { ensoRoot, agentDir, addedRoots, secretFiles, env } = options
  return createThreadWorld({
    cwd: thread.cwd,
    home: env['HOME'] || homedir(),
    env,
    ensoRoot,
    agentDir,
    tempDir: privateTempDir(),
    ...(options.user.guard === undefined ? {} : { userGuard: options.user.guard }),
    addedRoots,
    secretFiles,
    canAsk: thread.canAsk,
  })
}

/** A command's environment: this process's without credentials, and the thread's own temporary folder. */
function scrubWith(world: GuardWorld): (env: Readonly<Record<string, string | undefined>>) => Record<string, string> {
  return (env) => withoutMonitor({ ...createScrubbedEnv(env), TMPDIR: world.env['TMPDIR'] ?? '/tmp' })
}
