import type { ExtensionAPI, ExtensionFactory, ToolCallEvent, ToolCallEventResult } from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../../core/enso-error.js'
import { ensoLogger } from '../../../core/log.js'
import { ENSO_PERMISSION_DENIAL_ENTRY, type EnsoPermissionDenial } from '../../../core/permission-denial.js'
import { isEnsoPermissionModeName } from '../../../core/mode-names.js'
import type { PermissionModeControl, ThreadPartsContext } from '../../thread-parts.js'
import { callFacts, type CallContext, type CallFacts } from './call-facts.js'
import { judge, type Judgement } from './judge.js'
import type { PermissionRules } from './rules.js'
import { createModeState, type ModeState } from './state.js'

const log = ensoLogger('extension', 'modes')

/** What is offered when a call has to be asked about. */
export const ALLOW_ONCE = 'Allow once'
export const ALLOW_FOR_SESSION = 'Allow for this session'
export const DENY = 'Deny'
/** At most this many of the rules that would allow a call are named in its refusal. */
const NAMED_RULES = 3
const DENIED_BY_PERSON = 'the person denied this. Do not try it again in another way; ask what they want instead'

export interface ModesDeps {
  readonly thread: ThreadPartsContext
  readonly call: Omit<CallContext, 'isInstalled'>
  /** Would the guard refuse this call? Then nobody is asked: the guard itself says no, right after. */
  readonly guardDenies: (toolName: string, input: Readonly<Record<string, unknown>>) => boolean
  readonly rules: PermissionRules
  readonly configured: string | undefined
  readonly allowBypass: boolean
  readonly now: () => Date
}

/** The permission modes of one thread: what enforces them, and how they are read and set. */
export interface Modes {
  readonly extension: ExtensionFactory
  readonly control: PermissionModeControl
}

/** Makes the modes of a thread. The extension must stand before the guard's, which is the last. */
export function createModes(deps: ModesDeps): Modes {
  const { thread } = deps
  const state = createModeState({
    flag: isEnsoPermissionModeName(thread.permissionMode) ? thread.permissionMode : undefined,
    configured: isEnsoPermissionModeName(deps.configured) ? deps.configured : undefined,
    allowBypass: deps.allowBypass,
    canAsk: thread.canAsk,
    last: thread.lastCustomEntry,
    append: thread.appendCustomEntry,
    now: deps.now,
  })
  return {
    extension: (pi) => {
      pi.on('session_start', () => state.begin())
      registerCommands(pi, state, thread)
      pi.on('tool_call', async (event, context) => {
        try {
          return await decide(deps, state, pi, event, context.signal)
        } catch (error) {
          log.error('a permission could not be decided: {error}', { error: String(error), toolName: event.toolName })
          return { block: true, reason: 'the permission for this call could not be decided, so it is refused' }
        }
      })
    },
    control: {
      state: () => ({ mode: state.current(), available: state.available() }),
      set: (mode) => {
        const reason = state.set(mode, 'user')
        return reason === undefined ? Promise.resolve() : Promise.reject(new EnsoError('bad-input', reason))
      },
    },
  }
}

async function decide(
  deps: ModesDeps,
  state: ModeState,
  pi: ExtensionAPI,
  { toolCallId, toolName, input }: Pick<ToolCallEvent, 'toolCallId' | 'toolName' | 'input'>,
  signal: AbortSignal | undefined,
): Promise<ToolCallEventResult | undefined> {
  state.begin()
  if (deps.guardDenies(toolName, input)) return undefined
  const facts = callFacts(toolName, input, { ...deps.call, isInstalled: (name) => isInstalled(pi, name) })
  const judgement = judge(facts, state.current(), deps.rules, state.allowed())
  if (judgement.kind === 'allow') return undefined
  const refused: Refused | undefined =
    judgement.kind === 'ask'
      ? await ask(deps.thread, state, facts, judgement, signal)
      : { reason: refusalOf(facts, judgement), by: judgement.by }
  if (refused === undefined) return undefined
  const denial: EnsoPermissionDenial = { toolCallId, mode: state.current(), by: refused.by }
  deps.thread.appendCustomEntry(ENSO_PERMISSION_DENIAL_ENTRY, denial)
  log.info('{toolName} not allowed: {reason}', { toolName, reason: judgement.why, mode: state.current() })
  return { block: true, reason: refused.reason }
}

/** A call that is not let through: what the model is told, and who said no. */
interface Refused {
  readonly reason: string
  readonly by: EnsoPermissionDenial['by']
}

/** @returns why the call is refused, or `undefined` when a person allowed it */
async function ask(
  thread: ThreadPartsContext,
  state: ModeState,
  facts: CallFacts,
  judgement: Judgement & { kind: 'ask' },
  signal: AbortSignal | undefined,
): Promise<Refused | undefined> {
  const nobody = (): Refused => ({ reason: refusalOf(facts, judgement), by: 'mode' })
  if (!thread.canAsk()) return nobody()
  const options = facts.sessionRules.length > 0 ? [ALLOW_ONCE, ALLOW_FOR_SESSION, DENY] : [ALLOW_ONCE, DENY]
  const answer = await thread.askHostSelect({ title: facts.title, message: facts.message, options }, signal)
  if (answer === ALLOW_ONCE) return undefined
  if (answer === ALLOW_FOR_SESSION) {
    state.allow(facts.sessionRules)
    return undefined
  }
  if (answer === DENY) return { reason: DENIED_BY_PERSON, by: 'person' }
  return thread.canAsk() ? { reason: 'the person did not allow this', by: 'person' } : nobody()
}

function refusalOf(facts: CallFacts, judgement: Judgement & { why: string }): string {
  const rules = facts.sessionRules.slice(0, NAMED_RULES).map((rule) => `"${rule}"`)
  const wayOut =
    rules.length === 0
      ? 'the person can choose another permission mode'
      : `the person can choose another permission mode, or list ${rules.join(' and ')} under permissions.allow in their config.json`
  const nobody = judgement.kind === 'ask' ? ' and nobody can be asked' : ''
  return `${judgement.why}${nobody}; ${wayOut}`
}

/** Tools of the person's own extensions. A project's are only there with trust, and are asked about all the same. */
function isInstalled(pi: ExtensionAPI, toolName: string): boolean {
  const source = pi.getAllTools().find((tool) => tool.name === toolName)?.sourceInfo
  return source !== undefined && source.scope !== 'project'
}

function registerCommands(pi: ExtensionAPI, state: ModeState, thread: ThreadPartsContext): void {
  const change = (mode: string): void => {
    const reason = state.set(mode, 'user')
    thread.notify(reason ?? `permission mode ${mode}`, reason === undefined ? 'info' : 'error')
  }
  for (const mode of state.available()) {
    pi.registerCommand(mode, { description: `Switch to permission mode ${mode}`, handler: async () => change(mode) })
  }
  pi.registerCommand('mode', {
    description: 'Show the permission mode, or switch to another: /mode [name]',
    handler: async (name) => {
      if (name.trim() !== '') change(name.trim())
      else thread.notify(`permission mode ${state.current()} (of ${state.available().join(', ')})`)
    },
  })
  pi.registerCommand('permissions', {
    description: 'List what was allowed for this session',
    handler: async () => {
      const rules = state.allowed().map((rule) => rule.text)
      thread.notify(rules.length === 0 ? 'nothing was allowed for this session' : rules.join('\n'))
    },
  })
}
