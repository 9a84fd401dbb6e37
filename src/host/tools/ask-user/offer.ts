import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { ASK_USER_TOOL_NAME } from '../../../core/index.js'
import type { ThreadPartsContext } from '../../thread-parts.js'

/** Said once by a run whose agent can't ask. */
export const NOT_OFFERED = `${ASK_USER_TOOL_NAME} is not offered to the model: nobody is there to answer its questions`

/** Could a question of the agent be answered now, by a person, a program or a standing answer? */
export function isAskUserOffered(thread: Pick<ThreadPartsContext, 'canAsk' | 'mayHaveRule'>): boolean {
  return thread.canAsk() || thread.mayHaveRule('questionnaire', ASK_USER_TOOL_NAME)
}

/** Says once, when a run begins whose agent can't ask, that it can't. */
export function sayWhenNotOffered(
  thread: Pick<ThreadPartsContext, 'canAsk' | 'mayHaveRule' | 'notify'>,
): ExtensionFactory {
  let said = false
  return (pi) => {
    pi.on('before_agent_start', () => {
      if (said || isAskUserOffered(thread)) return
      said = true
      thread.notify(NOT_OFFERED)
    })
  }
}
