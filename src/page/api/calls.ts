import type {
  EnsoAbortReceipt,
  EnsoContextRequestDetail,
  EnsoDayStats,
  EnsoDialogBody,
  EnsoDirectoryListing,
  EnsoHostCommandRun,
  EnsoProject,
  EnsoProjectRegistration,
  EnsoPromptBody,
  EnsoPromptReceipt,
  EnsoSessionConfiguration,
  EnsoThreadCommands,
  EnsoThreadContext,
  EnsoThreadEvents,
  EnsoThreadStats,
  EnsoThreadTimeline,
} from '../../core/index.js'
import type { ThreadLists } from '../model/thread-groups.js'
import { type Answer, ask, send } from './http.js'
import { projectOf } from './new-threads.js'

const pathOf = (threadId: string, name: string): string => `/api/threads/${threadId}/${name}`

function post<T>(threadId: string, name: string, body?: unknown): Promise<Answer<T>> {
  return ask<T>('POST', pathOf(threadId, name), { body, projectId: projectOf(threadId) })
}

function look<T>(threadId: string, name: string): Promise<Answer<T>> {
  return ask<T>('GET', pathOf(threadId, name), { projectId: projectOf(threadId) })
}

/** Everything this page asks of the server. */
export const calls = {
  threads: () => ask<ThreadLists>('GET', '/api/threads'),
  projects: () => ask<EnsoProject[]>('GET', '/api/projects'),
  registerProject: (body: EnsoProjectRegistration) => ask<EnsoProject>('POST', '/api/projects', { body }),
  browse: (path: string | undefined) => ask<EnsoDirectoryListing>('GET', `/api/projects/browse${queryOf({ path })}`),
  prompt: (threadId: string, body: EnsoPromptBody) => post<EnsoPromptReceipt>(threadId, 'prompt', body),
  dialog: (threadId: string, body: EnsoDialogBody) => post<undefined>(threadId, 'dialog', body),
  abort: (threadId: string) => post<EnsoAbortReceipt>(threadId, 'abort', {}),
  command: (threadId: string, body: EnsoHostCommandRun) => post<undefined>(threadId, 'command', body),
  configure: (threadId: string, body: EnsoSessionConfiguration) => post<undefined>(threadId, 'configure', body),
  mode: (threadId: string, mode: string) => post<undefined>(threadId, 'mode', { mode }),
  commands: (threadId: string) => look<EnsoThreadCommands>(threadId, 'commands'),
  events: (threadId: string) => look<EnsoThreadEvents>(threadId, 'events'),
  timeline: (threadId: string) => look<EnsoThreadTimeline>(threadId, 'timeline'),
  stats: (threadId: string) => look<EnsoThreadStats>(threadId, 'stats'),
  context: (threadId: string) => look<EnsoThreadContext>(threadId, 'context'),
  contextRequest: (threadId: string, request: number | 'next') =>
    look<EnsoContextRequestDetail>(threadId, `context/${request}`),
  dayStats: (day: string | undefined) => ask<EnsoDayStats>('GET', `/api/logs/stats${queryOf({ day })}`),
  bundle: (threadId: string) => send('GET', pathOf(threadId, 'bundle')),
}

/** What stands behind the question mark; what is empty is left out. */
export type Query = Readonly<Record<string, string | undefined>>

/** A query's text, with its question mark. */
export function queryOf(query: Query): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
