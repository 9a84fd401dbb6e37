import type { GuardCheck, GuardVerdict } from '../../../core/index.js'
import { decideToolCall, type GuardedCall } from './decide.js'
import { openedPath } from './file-tools.js'
import { realPathOf } from './paths.js'
import { createThreadWorld, type ThreadWorldOptions } from './thread-world.js'

/** The guards as a thread in this folder would have them, for asking only. Loads no agent library. */
export function createGuardCheck(options: ThreadWorldOptions): GuardCheck {
  const world = createThreadWorld(options)
  const verdict = (call: GuardedCall): GuardVerdict => {
    const decision = decideToolCall(call, world)
    if (decision.kind === 'allow') return { decision: 'allow' }
    return { decision: 'deny', rule: decision.rule, reason: decision.reason }
  }
  return {
    ask(question) {
      if (question.kind === 'command') return verdict({ toolName: 'bash', input: { command: question.command } })
      if (question.kind === 'read') return verdict({ toolName: 'read', input: { path: question.path } })
      // The question is about the place: whether the file was read before is a thread's matter.
      world.freshness.saw(realPathOf(openedPath(question.path, world), world.cwd))
      return verdict({ toolName: 'write', input: { path: question.path, content: '' } })
    },
  }
}
