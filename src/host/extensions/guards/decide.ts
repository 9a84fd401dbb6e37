import { judgeCommand } from './bash/judge-command.js'
import { judgeRead, judgeSearch, judgeWrite, openedPath, readFinding } from './file-tools.js'
import { ALLOW, decisionOf, type Finding, type GuardDecision, shown } from './finding.js'
import { REPOSITORY_POLICY } from './safety-net-policy.js'
import type { GuardWorld } from './world.js'

/** A tool call as the model makes it. */
export interface GuardedCall {
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Tools of ours and of the agent library that neither write nor run anything by themselves. */
const HARMLESS = new Set(['ask_user', 'web_fetch', 'web_search'])

/**
 * May this call run? The one decision for every mode, made on what the call will really do: the parsed command, the
 * file that is really opened. Anything unexpected in the making of it is a refusal.
 */
export function decideToolCall(call: GuardedCall, world: GuardWorld): GuardDecision {
  try {
    return decided(call, world)
  } catch (error) {
    return {
      kind: 'deny',
      rule: 'policy-mismatch',
      reason: `the guards failed on this call (${shown(error instanceof Error ? error.message : String(error))}) and so refuse it. Try it in a simpler form.`,
    }
  }
}

function decided({ toolName, input }: GuardedCall, world: GuardWorld): GuardDecision {
  switch (toolName) {
    case 'read':
      return decide(judgeRead(input, world))
    case 'grep':
    case 'find':
    case 'ls':
      return decide(judgeSearch(toolName, input, world))
    case 'write':
    case 'edit':
      return decide([policyFinding(world)], () => judgeWrite(toolName, input, world))
    case 'bash':
      return decideCommand(typeof input['command'] === 'string' ? input['command'] : '', world)
    default:
      return HARMLESS.has(toolName) ? ALLOW : decideOther(input, world)
  }
}

function decide(
  first: readonly (Finding | undefined)[],
  then: () => readonly (Finding | undefined)[] = () => [],
): GuardDecision {
  const findings = first.filter((finding) => finding !== undefined)
  return decisionOf(findings.length > 0 ? findings : then().filter((finding) => finding !== undefined))
}

function decideCommand(command: string, world: GuardWorld): GuardDecision {
  if (command.trim() === '') return ALLOW
  return decide([policyFinding(world), repositoryFinding(world)], () => judgeCommand(command, world))
}

/** An extension's tool: what looks like a command or a path in its input is judged as one. */
function decideOther(input: Readonly<Record<string, unknown>>, world: GuardWorld): GuardDecision {
  const findings: (Finding | undefined)[] = []
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string') continue
    if (/^(?:command|cmd|script)$/i.test(name)) {
      const decision = decideCommand(value, world)
      if (decision.kind === 'deny') findings.push(decision)
    } else if (/^(?:path|file|filename|file_?path|dir|directory|folder)$/i.test(name)) {
      findings.push(readFinding(openedPath(value, world), world))
    }
  }
  return decide(findings)
}

/** While the policy can't be trusted, nothing is written or run. */
function policyFinding({ policy }: GuardWorld): Finding | undefined {
  if (policy.kind === 'ok') return undefined
  return {
    rule: 'policy-mismatch',
    reason: `${policy.reason}. Nothing is written or run until the person corrects it; reading still works.`,
  }
}

/** A repository may not switch the checker of destructive commands off. */
function repositoryFinding({ safetyNet }: GuardWorld): Finding | undefined {
  const loosening = safetyNet.loosening()
  if (loosening === undefined) return undefined
  return {
    rule: 'policy-mismatch',
    reason: `${REPOSITORY_POLICY} in the workspace would switch protections off (${shown(loosening)}), so no command runs here until the person removes it; the file tools still work.`,
  }
}
