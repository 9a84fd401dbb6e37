import type {
  ExtensionAPI,
  ExtensionFactory,
  ToolCallEventResult,
  ToolResultEvent,
} from '@mariozechner/pi-coding-agent'
import {
  DEFAULT_GUARD_POLICY,
  ENSO_GUARD_DENIAL_ENTRY,
  ENSO_LOG_EVENTS,
  type EnsoGuardDenial,
  type EnsoGuardRule,
  ensoLogger,
} from '../../../core/index.js'
import { decideToolCall } from './decide.js'
import { openedPath } from './file-tools.js'
import { withoutSecretLines } from './grep-filter.js'
import { realPathOf, toolReadPath } from './paths.js'
import { policyOf, type GuardWorld } from './world.js'

export { decideToolCall } from './decide.js'
export { mayRead } from './file-tools.js'
export { createScrubbedEnv, withoutMonitor } from './scrubbed-env.js'
export { createThreadWorld, type ThreadWorldOptions } from './thread-world.js'
export type { GuardWorld } from './world.js'

const log = ensoLogger('extension', 'guards')

/** The longest a command may run, in seconds, whatever bound it asks for. */
export const MAX_BASH_TIMEOUT_SECONDS = 3600

/** What a `tool_result` handler may change; the library does not export it by name. */
interface ToolResultEventResult {
  readonly content?: ToolResultEvent['content']
  readonly details?: unknown
}

/** What the guards of one thread need. */
export interface GuardExtensionDeps {
  readonly world: GuardWorld
  /** Told of each refusal, after it is recorded. Must not throw. */
  readonly denied?: (denial: EnsoGuardDenial & { readonly toolName: string }) => void
}

/**
 * The guards as an extension: the LAST one of a thread, so that nothing can change a call's input after they judged
 * it. They are on in every permission mode. A refusal is an entry of the session, a log record with its rule, and the
 * reason as the call's result.
 */
export function createGuardExtension({ world, denied }: GuardExtensionDeps): ExtensionFactory {
  return (pi) => {
    pi.on('tool_call', ({ toolCallId, toolName, input }) => {
      const decision = decideToolCall({ toolName, input }, world)
      if (decision.kind === 'deny') {
        return refuse(pi, { toolCallId, toolName, rule: decision.rule, reason: decision.reason }, denied)
      }
      if (toolName === 'bash') boundTime(input, world)
      return undefined
    })
    pi.on('tool_result', (event) => afterResult(event, world))
  }
}

interface Refusal {
  readonly toolCallId: string
  readonly toolName: string
  readonly rule: EnsoGuardRule
  readonly reason: string
}

/** Records a refusal. The call stays refused also where the record can't be made. */
function refuse(pi: ExtensionAPI, refusal: Refusal, denied: GuardExtensionDeps['denied']): ToolCallEventResult {
  const { toolCallId, toolName, rule, reason } = refusal
  try {
    pi.appendEntry<EnsoGuardDenial>(ENSO_GUARD_DENIAL_ENTRY, { rule, toolCallId })
    log.warn(ENSO_LOG_EVENTS.toolDenied, { toolName, reason, rule, toolCallId })
    denied?.({ rule, toolCallId, toolName })
  } catch (error) {
    log.error('a refusal could not be recorded: {error}', { error: String(error), rule, toolCallId })
  }
  return { block: true, reason: `${reason} [${rule}]` }
}

/** A command without a bound gets the policy's; none gets more than the longest. */
function boundTime(input: { timeout?: unknown }, world: GuardWorld): void {
  const { defaultBashTimeoutSeconds } = policyOf(world) ?? DEFAULT_GUARD_POLICY
  const asked = typeof input.timeout === 'number' && input.timeout > 0 ? input.timeout : defaultBashTimeoutSeconds
  input.timeout = Math.min(asked, MAX_BASH_TIMEOUT_SECONDS)
}

/** Remembers what was read and written, and takes secret files' lines out of a search. */
function afterResult(event: ToolResultEvent, world: GuardWorld): ToolResultEventResult | undefined {
  const { toolName, isError, input } = event
  const path = typeof input['path'] === 'string' ? input['path'] : undefined
  if (toolName === 'grep') return withoutSecrets(event, openedPath(path ?? '.', world), world)
  if (isError || path === undefined) return undefined
  if (toolName === 'read') saw(toolReadPath(path, world.cwd, world.home), world)
  if (toolName === 'write' || toolName === 'edit') saw(openedPath(path, world), world)
  return undefined
}

function saw(path: string, world: GuardWorld): void {
  try {
    world.freshness.saw(realPathOf(path, world.cwd))
  } catch (error) {
    // Not remembered is the safe side: the next write asks for another read.
    log.warn('what was read could not be remembered: {error}', { error: String(error), path })
  }
}

function withoutSecrets(
  { content, details }: ToolResultEvent,
  place: string,
  world: GuardWorld,
): ToolResultEventResult | undefined {
  let changed = false
  const filtered = (text: string): string => {
    const kept = searched(text, place, world)
    changed ||= kept !== text
    return kept
  }
  const parts = content.map((part) => (part.type === 'text' ? { ...part, text: filtered(part.text) } : part))
  // The library keeps the same text beside the result when it cut it.
  const { truncation } = (details ?? {}) as { truncation?: { content?: unknown } }
  const cut = typeof truncation?.content === 'string' ? filtered(truncation.content) : undefined
  if (!changed) return undefined
  return cut === undefined
    ? { content: parts }
    : { content: parts, details: { ...(details as object), truncation: { ...truncation, content: cut } } }
}

/** A search whose secrets can't be told from the rest is shown not at all. */
function searched(text: string, place: string, world: GuardWorld): string {
  try {
    return withoutSecretLines(text, place, world) ?? text
  } catch (error) {
    log.error('a search result could not be filtered: {error}', { error: String(error) })
    return '[left out: the result could not be checked for credentials]'
  }
}
