import { EnsoError, type EnsoRefusal } from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { type Answer, createEnsoClient } from '../connect/client.js'
import { parseServerAddress, tokenFor } from '../connect/server-address.js'
import { inFolder } from '../run/run-thread.js'
import type { ThreadAccounts } from './thread-accounts.js'
import { onlyOne } from './find-thread.js'

/**
 * Accounts as a server tells them, of its live threads and its stored ones.
 * @throws EnsoError `bad-input` for an address or a token that is none
 */
export function servedAccounts({ line, io }: Invocation): ThreadAccounts {
  const address = parseServerAddress(line.value('connect') ?? '')
  if (!address.ok) {
    const { reason, hint } = address.refusal
    throw new EnsoError('bad-input', reason, hint === undefined ? {} : { hint })
  }
  const tokenFile = line.value('token-file')
  const file = tokenFile === undefined ? undefined : inFolder(tokenFile, io.cwd, io)
  const { origin } = address.value
  const client = createEnsoClient({ origin, token: tokenFor(address.value, file, io.env) })

  async function idOf(wished: string): Promise<string> {
    const { live, stored } = valueOf(await client.threads())
    const ids = new Set([...live, ...stored].map(({ threadId }) => threadId))
    if (ids.has(wished)) return wished
    return onlyOne(
      wished,
      [...ids].filter((id) => id.startsWith(wished)),
    )
  }

  return {
    stats: async (wished) => valueOf(await client.call('stats', await idOf(wished), undefined)),
    context: async (wished) => valueOf(await client.call('context', await idOf(wished), undefined)),
    async contextRequest(wished, request) {
      const answer = await client.call('context-request', await idOf(wished), { request })
      return !answer.ok && answer.refusal.code === 'not-found' ? undefined : valueOf(answer)
    },
    events: async (wished) => valueOf(await client.call('events', await idOf(wished), undefined)),
    timeline: async (wished) => valueOf(await client.call('timeline', await idOf(wished), undefined)),
  }
}

function valueOf<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw faultOf(answer.refusal)
}

function faultOf({ code, reason }: EnsoRefusal): EnsoError {
  return new EnsoError(code === 'not-found' ? 'thread-unknown' : 'host-fault', reason)
}
