import type { AgentSession, ExtensionUIContext } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../../core/index.js'
import type { PendingDialogs } from '../dialogs/pending-dialogs.js'
import type { Stop } from '../runs/stop.js'
import { doneWithin } from '../runs/within-grace.js'

const log = ensoLogger('host', 'lifetime')

type Bindings = Parameters<AgentSession['bindExtensions']>[0]
type CommandActions = NonNullable<Bindings['commandContextActions']>

/** What an extension's command may do with the session: a thread is one session, so none that leaves it. */
function commandActions(session: AgentSession): CommandActions {
  const cancelled = async (): Promise<{ cancelled: boolean }> => ({ cancelled: true })
  return {
    waitForIdle: () => session.agent.waitForIdle(),
    newSession: cancelled,
    fork: cancelled,
    switchSession: cancelled,
    navigateTree: async (targetId, options) => {
      const { cancelled: was } = await session.navigateTree(targetId, options)
      return { cancelled: was }
    },
    // A reload would take the stream providers of every other thread of the process.
    reload: async () => {
      throw new Error('extensions are loaded when the thread is opened; open it again to load them anew')
    },
  }
}

/**
 * Tells the extensions that the session has started, with what they ask people through. Resolves when all of them
 * have heard it, also when one failed.
 */
export async function bindSession(
  session: AgentSession,
  uiContext: ExtensionUIContext,
  deps: { failed(event: string, error: unknown): void; error: NonNullable<Bindings['onError']> },
): Promise<void> {
  try {
    await session.bindExtensions({
      uiContext,
      commandContextActions: commandActions(session),
      shutdownHandler: () => log.info('an extension asked for a shutdown, which is not its to decide'),
      onError: deps.error,
    })
  } catch (error) {
    deps.failed('session_start', error)
  }
}

export interface CloseDeps {
  readonly dialogs: PendingDialogs
  readonly stop: Stop
  /** The most the extensions' shutdown handlers take together, in milliseconds. */
  readonly shutdownMs: number
  busy(): boolean
  takeBack(): void
}

/** Ends a session for good: questions, run, the extensions' shutdown handlers, the session; each bounded in time. */
export async function closeSession(session: AgentSession, deps: CloseDeps): Promise<void> {
  deps.dialogs.close()
  deps.takeBack()
  if (deps.busy()) await deps.stop.stop()
  const told = session.extensionRunner.emit({ type: 'session_shutdown', reason: 'quit' })
  if (!(await doneWithin(told, deps.shutdownMs))) log.warn('an extension did not end its shutdown handler in time')
  session.dispose()
}
