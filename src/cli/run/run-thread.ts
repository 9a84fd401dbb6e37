import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { expandHome } from '../../system/home.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import type { ThreadWish } from '../../thread/resolve-thread.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import type { ChosenThread, OpenRequest } from './chosen-thread.js'
import type { RunOptions } from './run-options.js'

/** A path of the command line: `~` is the home, anything else is named from the working folder. */
export function inFolder(path: string, cwd: string, io: Pick<CliIo, 'env'>): string {
  return expandHome(path, io.env, cwd)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** The folder to work in, absolute and canonical. @throws EnsoError `bad-input` when there is none */
export function workingFolder(path: string, io: Pick<CliIo, 'env' | 'cwd'>): string {
  const folder = canonicalPath(inFolder(path, io.cwd, io))
  if (!isFolder(folder)) throw new EnsoError('bad-input', `${path} is not a folder`)
  return folder
}

function wishOf({ thread }: RunOptions): ThreadWish {
  if (thread.kind !== 'pick') return thread
  throw new EnsoError('bad-input', '-r needs a thread id here', { hint: 'enso threads lists them' })
}

function extensionPaths({ extensions }: RunOptions, cwd: string, io: Pick<CliIo, 'env'>): string[] {
  return extensions.map((path) => {
    const file = inFolder(path, cwd, io)
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      throw new EnsoError('bad-input', `the extension ${path} does not exist`)
    }
    return file
  })
}

/** The bounds that the host holds. */
function limitsOf({ maxTurns, maxCost, maxTokens }: RunOptions): Pick<OpenRequest, 'limits'> {
  const limits = {
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  }
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/**
 * What the options say of every thread that is opened by them.
 * @throws EnsoError `bad-input` for an extension that isn't there
 */
export function threadDefaults(
  options: RunOptions,
  cwd: string,
  io: Pick<CliIo, 'env'>,
): Omit<OpenRequest, 'threadId' | 'cwd' | 'session'> {
  return {
    extensionPaths: extensionPaths(options, cwd, io),
    trustProject: options.trustProject,
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.thinking === undefined ? {} : { thinking: options.thinking }),
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
    ...(options.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: options.appendSystemPrompt }),
    ...limitsOf(options),
  }
}

/**
 * The thread that the options mean, and how it is opened. Loads no agent library.
 * @throws EnsoError `bad-input`, `thread-unknown`, `thread-locked`
 */
export async function chooseThread(
  options: RunOptions,
  io: Pick<CliIo, 'env'>,
  parts: Pick<CliParts, 'home' | 'store'>,
  cwd: string,
): Promise<ChosenThread> {
  const wish = wishOf(options)
  const defaults = threadDefaults(options, cwd, io)
  const [{ resolveThread }, { createThreadLocks }] = await Promise.all([
    import('../../thread/resolve-thread.js'),
    import('../../thread/thread-lock.js'),
  ])
  const projectId = projectIdOf(cwd)
  const resolved = await resolveThread(
    wish,
    {
      store: await parts.store(),
      locks: createThreadLocks({ takeOver: options.takeOver }),
      cwd,
      projectId,
      projectDir: join(parts.home.threadsDir, projectId),
      newId: randomUUID,
      isFolder,
    },
    { fork: options.fork, ephemeral: options.ephemeral },
  )
  const { threadId, session, notes } = resolved
  return {
    threadId,
    cwd: resolved.cwd,
    notes,
    request: { threadId, cwd: resolved.cwd, session, ...defaults },
  }
}
