import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AuthStorage, ModelRegistry } from '@mariozechner/pi-coding-agent'
import { EnsoError, ensoLogger } from '../core/index.js'
import type { CredentialHost, EnsoLocalServer, HostedThread } from '../core/index.js'
import { PRIVATE_FILE_MODE, mkdirPrivate } from '../system/private-files.js'
import { DEFAULT_BOUNDS, type Bounds } from './runs/bounds.js'
import { createCredentials } from './accounts/credentials.js'
import { type LocalModelsDeps, withLocalModels } from './models/local-models.js'
import { registerLocalServer } from './models/local-provider.js'
import { listModels } from './models/model-choice.js'
import { useProxyFromEnvironment } from './models/network.js'
import { openThread } from './open-thread.js'
import type { ScriptRecorder } from './scripts/script-recorder.js'
import type { ThreadPartsFactory } from './thread-parts.js'

const log = ensoLogger('host')

export interface AgentHostOptions {
  /** Credentials, models and settings in the library's formats. Made when it is not there. */
  readonly agentDir: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The extensions and tools that are added to each thread, the guard last. */
  readonly parts?: ThreadPartsFactory
  /** Registers providers of our own; called once, before any thread is opened. */
  readonly registerProviders?: (registry: ModelRegistry) => void
  /** Writes down what models say, for every thread. */
  readonly recorder?: ScriptRecorder
  readonly bounds?: Partial<Bounds>
  /** What is done where there is no model that could run: one of this machine is offered. */
  readonly localModels?: Pick<LocalModelsDeps, 'find' | 'offer'> & { remember(server: EnsoLocalServer): void }
}

/**
 * The library reads these from the process: it must not look for updates, download tools, report installs, or fall
 * back to a home of its own.
 */
function keepToOurselves(agentDir: string): void {
  process.env['PI_OFFLINE'] = '1'
  process.env['PI_TELEMETRY'] = '0'
  process.env['PI_CODING_AGENT_DIR'] = agentDir
}

/** The library would make it with the modes of the umask and only then make it private. */
function makePrivateFile(file: string): void {
  try {
    writeFileSync(file, '{}', { flag: 'wx', mode: PRIVATE_FILE_MODE })
  } catch (error) {
    // There already, or the directory can't be written to: credentials of the environment still count.
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') log.warn('the credentials file can not be made: {code}', { code, file })
  }
}

/**
 * Builds threads over the agent library: one host a process, one set of credentials and models for all its threads.
 * @throws EnsoError `disk` when the agent directory can't be made, `bad-config` when the credentials can't be read
 */
export function createAgentHost(options: AgentHostOptions): CredentialHost {
  const { agentDir } = options
  try {
    mkdirPrivate(agentDir)
  } catch (cause) {
    throw new EnsoError('disk', `the agent directory can't be made: ${agentDir}`, { cause })
  }
  keepToOurselves(agentDir)
  useProxyFromEnvironment(options.env)
  const authFile = join(agentDir, 'auth.json')
  makePrivateFile(authFile)
  const authStorage = AuthStorage.create(authFile)
  // The library goes on with none, as if nothing were stored. That it can't lock them in a read-only home is no harm.
  const unread = authStorage.drainErrors().find((error) => error instanceof SyntaxError)
  if (unread !== undefined) {
    throw new EnsoError('bad-config', `the stored credentials can't be read: ${authFile}`, {
      cause: unread,
      hint: 'correct the file, or move it away and log in again',
    })
  }
  const modelRegistry = ModelRegistry.create(authStorage, join(agentDir, 'models.json'))
  options.registerProviders?.(modelRegistry)
  const credentials = createCredentials(modelRegistry)
  const shared = {
    credentials,
    agentDir,
    modelRegistry,
    bounds: { ...DEFAULT_BOUNDS, ...options.bounds },
    ...(options.recorder === undefined ? {} : { recorder: options.recorder }),
  }
  const open = new Set<HostedThread>()
  const { localModels } = options

  const host: CredentialHost = {
    async openThread(request) {
      const thread = await openThread(request, shared, options.parts).catch((error: unknown) => {
        if (error instanceof EnsoError) throw error
        const reason = error instanceof Error ? error.message : String(error)
        throw new EnsoError('host-fault', `the thread could not be opened: ${reason}`, { cause: error })
      })
      open.add(thread)
      return {
        ...thread,
        close: async () => {
          open.delete(thread)
          await thread.close()
        },
      }
    },
    credentials,
    listModels: async () => listModels(modelRegistry),
    async dispose() {
      const threads = [...open]
      open.clear()
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
  if (localModels === undefined) return host
  return withLocalModels(host, {
    ...localModels,
    agreed(server) {
      registerLocalServer(modelRegistry, server)
      localModels.remember(server)
    },
  })
}
