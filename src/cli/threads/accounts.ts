import {
  EnsoError,
  foldContextRequest,
  foldThreadContext,
  foldThreadStats,
  LOG_TAIL_MAX_RECORDS,
  threadTimeline,
} from '../../core/index.js'
import type { Invocation } from '../commands/command.js'
import { findThread } from './find-thread.js'
import { loggedEvents } from './logged-events.js'
import { findRecords, threadLog } from './records.js'
import type { ThreadAccounts } from './thread-accounts.js'

/** The accounts that a command is about: of a server's thread with `--connect`, else of a file. */
export async function accountsOf(invocation: Invocation): Promise<ThreadAccounts> {
  if (!invocation.line.has('connect')) return storedAccounts(invocation)
  const { servedAccounts } = await import('./served-accounts.js')
  return servedAccounts(invocation)
}

/** Accounts from a thread's file and the day logs. */
function storedAccounts(invocation: Invocation): ThreadAccounts {
  const idOf = async (wished: string): Promise<string> =>
    (await findThread(await invocation.parts.store(), wished)).threadId
  const inputOf = async (wished: string) => {
    const { ref, records } = await findRecords(invocation, wished)
    return { threadId: ref.threadId, live: false, records }
  }
  return {
    async stats(wished) {
      const input = await inputOf(wished)
      const startedAt = Date.parse(input.records.startedAt) || 0
      return foldThreadStats({ ...input, log: await threadLog(invocation).account(input.threadId, startedAt) })
    },
    context: async (wished) => foldThreadContext(await inputOf(wished)),
    contextRequest: async (wished, request) => foldContextRequest(await inputOf(wished), request),
    async events(wished) {
      const threadId = await idOf(wished)
      const { lines } = await threadLog(invocation).lines(threadId, 0, Number.MAX_SAFE_INTEGER)
      return loggedEvents(threadId, lines)
    },
    async timeline(wished) {
      const threadId = await idOf(wished)
      const { lines, matched } = await threadLog(invocation).lines(threadId, 0, LOG_TAIL_MAX_RECORDS)
      return { threadId, entries: [...threadTimeline(undefined, lines)], logRecords: matched }
    },
  }
}

/** Why a request isn't there, and which ones are. */
export function noSuchRequest(request: string, amount: number): EnsoError {
  return new EnsoError('bad-input', `the thread has no request ${request}`, {
    hint: amount === 0 ? 'it has none; next is the one that would come' : `it has ${amount}; next is the one to come`,
  })
}
