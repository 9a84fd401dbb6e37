import { dirname } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import {
  closed,
  ENSO_PROJECT_HEADER,
  EnsoFollowFrame,
  EnsoStoredThread,
  EnsoThreadSummary,
  isEnsoProjectId,
  isEnsoThreadId,
  refusal,
  type StoredThreadSummary,
  withEnsoLogContext,
} from '../../core/index.js'
import { lockPathOf } from '../../thread/thread-lock.js'
import { createOpenLimit } from '../guards/follow-limit.js'
import { answer, refusedAnswer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import { followThread } from '../sse/follow-thread.js'
import { DEFAULT_ROUTE_LIMITS, type RouteDeps, type StreamDeps } from './deps.js'

/** The threads that are live in this server, and those that are stored; one can be both. */
export const EnsoThreadList = closed({ live: Type.Array(EnsoThreadSummary), stored: Type.Array(EnsoStoredThread) })
export type EnsoThreadList = Static<typeof EnsoThreadList>

const ListQuery = closed({ project: Type.Optional(Type.String()) })

/** The list of threads, and the follow of one. */
export function threadRoutes(deps: RouteDeps, streams: StreamDeps): readonly ServerRoute[] {
  const limit = createOpenLimit(deps.limits?.followsPerThread ?? DEFAULT_ROUTE_LIMITS.followsPerThread)
  return [
    {
      name: 'threads',
      method: 'GET',
      path: '/api/threads',
      summary: 'List the live and the stored threads; `project` narrows the stored ones.',
      access: 'token',
      success: [200],
      query: ListQuery,
      bodyLimit: SMALL_BODY_BYTES,
      result: EnsoThreadList,
      refusals: ['malformed'],
      handle: async ({ query: { project } }) => {
        if (project !== undefined && !isEnsoProjectId(project)) {
          return refusedAnswer(refusal('malformed', 'project is no project id'))
        }
        return answer(200, await listThreads(deps, project))
      },
    },
    {
      name: 'follow',
      method: 'GET',
      path: '/api/threads/:threadId/follow',
      summary: 'Follow a thread: one snapshot, then observations and statuses.',
      access: 'token',
      success: [200],
      bodyLimit: SMALL_BODY_BYTES,
      result: EnsoFollowFrame,
      events: true,
      takesProject: true,
      refusals: ['malformed', 'too-many-requests', 'refused'],
      handle: async ({ params: { threadId = '' }, header }) => {
        if (!isEnsoThreadId(threadId)) return refusedAnswer(refusal('malformed', 'not a thread id'))
        const hint = header(ENSO_PROJECT_HEADER)
        if (hint !== undefined && !isEnsoProjectId(hint)) {
          return refusedAnswer(refusal('malformed', `${ENSO_PROJECT_HEADER} holds no project id`))
        }
        const serving = { threads: deps.threads, limit, ...streams }
        return {
          kind: 'events',
          start: (channel) => withEnsoLogContext({ threadId }, () => followThread(threadId, hint, channel, serving)),
        }
      },
    },
  ]
}

async function listThreads({ threads, store, locks }: RouteDeps, project: string | undefined): Promise<EnsoThreadList> {
  const live = threads.live()
  const busy = new Map(live.map((thread) => [thread.threadId, thread.busy]))
  const isBusy = ({ threadId, file }: StoredThreadSummary): boolean =>
    busy.get(threadId) ?? locks.holderOf(lockPathOf(dirname(file), threadId)) !== undefined
  const stored = (await store.list(project)).map((thread): EnsoStoredThread => {
    const { threadId, projectId, title, messageCount, lastActivityAt } = thread
    const row = { threadId, projectId, messageCount, lastActivityAt, busy: isBusy(thread) }
    return title === undefined ? row : { ...row, title }
  })
  return { live, stored }
}
