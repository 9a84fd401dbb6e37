import { EnsoError, type StoredThreadSummary, type ThreadStore } from '../../core/index.js'
import type { EnsoClient } from './client.js'
import { servedThreads } from './remote-parts.js'

/** A server's threads as a list to choose from. What is in them the server reads. */
export function remoteStore(client: EnsoClient): ThreadStore {
  const list = async (): Promise<readonly StoredThreadSummary[]> =>
    (await servedThreads(client)).stored.map(({ threadId, projectId, title, messageCount, lastActivityAt }) => {
      return { threadId, projectId, title, messageCount, lastActivityAt, file: '', cwd: '' }
    })
  const unread = (): Promise<never> =>
    Promise.reject(new EnsoError('thread-unreadable', 'a served thread is read by its server'))
  return {
    list,
    find: async (threadId) => (await list()).find((thread) => thread.threadId === threadId),
    idsLike: async (prefix) => (await list()).map(({ threadId }) => threadId).filter((id) => id.startsWith(prefix)),
    records: unread,
    read: unread,
  }
}
