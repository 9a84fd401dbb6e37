import { getSupportedThinkingLevels } from '@mariozechner/pi-ai'
import type { AgentSession, ModelRegistry } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'
import type { EnsoHostCommandRun, HostFlowOutcome, RuntimeCommand } from '../../core/index.js'
import {
  isPlaceholder,
  modelName,
  modelStateOf,
  requireCredentials,
  requireThinkingLevel,
} from '../models/model-choice.js'

/** A host command that starts work instead of applying a value. */
export interface HostFlow {
  readonly name: string
  /** Everything of it that is shown; its options may take reading files. */
  readonly row: () => RuntimeCommand
  /** Why it can't start with this value now. */
  refusal(value: string | undefined): string | undefined
  /** Does the work; resolves when it has ended in whatever way. */
  run(value: string | undefined): Promise<void>
}

export interface HostCommands {
  readonly names: () => readonly string[]
  readonly list: () => RuntimeCommand[]
  /** Applies a setting. Rejects with a reason a person can act on. */
  readonly run: (command: EnsoHostCommandRun) => Promise<void>
  readonly start: (command: EnsoHostCommandRun, outcome: HostFlowOutcome) => void
}

export interface HostCommandDeps {
  readonly session: AgentSession
  readonly modelRegistry: ModelRegistry
  readonly flows: readonly HostFlow[]
  /** The thread is busy until the returned function is called. */
  hold(): () => void
  /** A setting was applied: whoever follows is told of the state. */
  changed(): void
}

const CONTEXT_ROW: RuntimeCommand = {
  name: 'context',
  source: 'host',
  kind: 'view',
  description: 'what fills the context window',
}

function modelRow(session: AgentSession, registry: ModelRegistry): RuntimeCommand {
  const { model } = session
  return {
    name: 'model',
    source: 'host',
    kind: 'select',
    description: 'the model of this thread',
    ...(model && !isPlaceholder(model) ? { value: modelName(model) } : {}),
    options: registry.getAvailable().map((offered) => ({
      id: modelName(offered),
      label: offered.name,
      detail: offered.provider,
      thinkingLevels: [...getSupportedThinkingLevels(offered)],
    })),
  }
}

function thinkingRow(session: AgentSession): RuntimeCommand {
  const { thinkingLevel, availableThinkingLevels } = modelStateOf(session)
  return {
    name: 'thinking',
    source: 'host',
    kind: 'level',
    description: 'how hard the model thinks',
    value: thinkingLevel,
    options: availableThinkingLevels.map((level) => ({ id: level, label: level })),
  }
}

/** The host's own commands of one thread, by kind. */
export function createHostCommands(deps: HostCommandDeps): HostCommands {
  const { session, modelRegistry, flows } = deps
  const list = (): RuntimeCommand[] => [
    modelRow(session, modelRegistry),
    thinkingRow(session),
    ...flows.map((flow) => flow.row()),
    CONTEXT_ROW,
  ]
  const flowNamed = (name: string): HostFlow | undefined => flows.find((flow) => flow.name === name)

  async function setModel(value: string): Promise<void> {
    const slash = value.indexOf('/')
    const found = slash > 0 ? modelRegistry.find(value.slice(0, slash), value.slice(slash + 1)) : undefined
    if (!found) throw new EnsoError('unknown-model', `there is no model called ${value}`)
    requireCredentials(modelRegistry, found)
    if (session.model && modelName(session.model) === value) return
    await session.setModel(found)
  }

  function setThinking(value: string): void {
    const { model } = session
    if (model === undefined || isPlaceholder(model)) requireCredentials(modelRegistry, undefined)
    else session.setThinkingLevel(requireThinkingLevel(model, value))
  }

  return {
    names: () => ['model', 'thinking', ...flows.map((flow) => flow.name), CONTEXT_ROW.name],
    list,
    async run({ name, value }) {
      if (name !== 'model' && name !== 'thinking') {
        const known = list().find((row) => row.name === name)
        throw new EnsoError('bad-input', known ? `/${name} has no value to set` : `there is no command /${name}`)
      }
      if (value === undefined) throw new EnsoError('bad-input', `/${name} needs a value`)
      if (name === 'model') await setModel(value)
      else setThinking(value)
      deps.changed()
    },
    start({ name, value }, outcome) {
      const flow = flowNamed(name)
      const refusal = flow ? flow.refusal(value) : `there is no command /${name} that starts something`
      if (!flow || refusal !== undefined) {
        outcome.onRejected(refusal ?? '')
        return
      }
      // An action rewrites the thread, so the thread is busy until it has ended; a login is none of its work.
      const release = flow.row().kind === 'action' ? deps.hold() : undefined
      const work = flow.run(value)
      outcome.onAccepted()
      void work.finally(() => {
        release?.()
        outcome.onSettled()
      })
    },
  }
}
