import type { AgentSession, ModelRegistry } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../../core/index.js'
import type { EnsoNotifyType, HostCredentials, LoginInteraction, RuntimeCommand } from '../../core/index.js'
import type { HostFlow } from '../commands/host-commands.js'
import { isPlaceholder, modelName } from '../models/model-choice.js'
import type { PendingDialogs } from '../dialogs/pending-dialogs.js'

const log = ensoLogger('host', 'login')

export interface LoginDeps {
  readonly session: AgentSession
  readonly modelRegistry: ModelRegistry
  readonly credentials: HostCredentials
  readonly dialogs: PendingDialogs
  notify(message: string, type: EnsoNotifyType): void
  /** The models that could run are others now. */
  changed(): void
}

/** `/login` and `/logout` of one thread, and what ends them when the thread goes away. */
export interface LoginCommands {
  readonly flows: readonly HostFlow[]
  readonly close: () => void
}

function interactionOver(dialogs: PendingDialogs, notify: LoginDeps['notify']): LoginInteraction {
  const ask = async (
    spec: Parameters<PendingDialogs['ask']>[0],
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> => {
    const answer = await dialogs.ask(spec, { signal })
    return answer && 'value' in answer ? answer.value : undefined
  }
  return { input: ask, select: ask, progress: (message) => notify(message, 'info') }
}

/** Logins run beside the thread's own work, one at a time; their questions are the thread's questions. */
export function createLoginCommands(deps: LoginDeps): LoginCommands {
  const { session, modelRegistry, credentials, dialogs, notify } = deps
  const interaction = interactionOver(dialogs, notify)
  const closed = new AbortController()
  let running: string | undefined

  function flow(
    name: string,
    description: string,
    options: () => RuntimeCommand['options'],
    work: HostFlow['run'],
  ): HostFlow {
    return {
      name,
      row: () => ({ name, source: 'host', kind: 'flow', description, options: options() ?? [] }),
      refusal(value) {
        if (running !== undefined) return `/${running} is still under way: one at a time`
        if (value === undefined) return `/${name} needs one of its options`
        if (!options()?.some((option) => option.id === value)) return `/${name} has no option ${value}`
        return undefined
      },
      async run(value) {
        running = name
        try {
          await work(value)
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error)
          log.info('/{name} did not succeed', { name })
          notify(`/${name}: ${reason}`, 'error')
        } finally {
          running = undefined
          deps.changed()
        }
      },
    }
  }

  /** A thread that could not run gets a model of the provider that was just logged in to. */
  async function chooseFirstModel(provider: string): Promise<void> {
    if (!isPlaceholder(session.model)) return
    const offered = modelRegistry.getAvailable().filter((model) => model.provider === provider)
    const [only] = offered
    if (!only) return
    const options = offered.map(modelName)
    const title = 'Which model should this thread use?'
    const chosen =
      offered.length === 1 ? options[0] : await interaction.select({ method: 'select', title, options }, closed.signal)
    const model = offered.find((one) => modelName(one) === chosen)
    if (model) await session.setModel(model)
    else notify('the thread has no model yet: choose one with /model', 'warning')
  }

  return {
    flows: [
      flow(
        'login',
        'store credentials for a provider',
        () => credentials.loginOptions(),
        async (value) => {
          const optionId = value ?? ''
          notify(await credentials.login(optionId, interaction, closed.signal), 'info')
          await chooseFirstModel(optionId.slice(0, optionId.lastIndexOf('/')))
        },
      ),
      flow(
        'logout',
        'forget the stored credentials of a provider',
        () => credentials.logoutOptions(),
        async (value) => {
          notify(await credentials.logout(value ?? ''), 'info')
        },
      ),
    ],
    close: () => closed.abort(),
  }
}
