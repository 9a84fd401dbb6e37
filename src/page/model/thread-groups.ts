import type { EnsoProject, EnsoStoredThread, EnsoThreadSummary } from '../../core/index.js'
import { baseName } from './words.js'

/** The lists as the server gives them. */
export interface ThreadLists {
  readonly live: readonly EnsoThreadSummary[]
  readonly stored: readonly EnsoStoredThread[]
}

/** One row of the rail. */
export interface ThreadRow {
  readonly threadId: string
  readonly title: string | undefined
  readonly messageCount: number
  readonly lastActivityAt: string
  readonly busy: boolean
  readonly live: boolean
}

/** A project and its threads, the newest first. */
export interface ThreadGroup {
  readonly projectId: string
  readonly title: string
  readonly path: string
  /** The folder is gone, so nothing can run there. */
  readonly isMissing: boolean
  readonly rows: readonly ThreadRow[]
}

/** Threads by project: the launch folder first, then those with the newest activity. */
export function threadGroups(projects: readonly EnsoProject[], { live, stored }: ThreadLists): ThreadGroup[] {
  const rows = new Map<string, ThreadRow[]>()
  const add = (projectId: string, row: ThreadRow): void => {
    const there = rows.get(projectId)
    if (there === undefined) rows.set(projectId, [row])
    else there.push(row)
  }
  const liveById = new Map(live.map((thread) => [thread.threadId, thread]))
  for (const { projectId, threadId, title, messageCount, lastActivityAt, busy } of stored) {
    const running = liveById.get(threadId)
    liveById.delete(threadId)
    const at = running?.lastActivityAt ?? lastActivityAt
    add(projectId, {
      threadId,
      title,
      messageCount,
      lastActivityAt: at > lastActivityAt ? at : lastActivityAt,
      busy: running?.busy ?? busy,
      live: running !== undefined,
    })
  }
  // A thread that was begun a moment ago has no file yet; the folder it will be kept in names its project.
  for (const { threadId, sessionDir, lastActivityAt, busy } of liveById.values()) {
    add(baseName(sessionDir), { threadId, title: undefined, messageCount: 0, lastActivityAt, busy, live: true })
  }
  const known = projects.map((project) => groupOf(project, rows.get(project.projectId) ?? []))
  const knownIds = new Set(projects.map(({ projectId }) => projectId))
  const others = [...rows]
    .filter(([projectId]) => !knownIds.has(projectId))
    .map(([projectId, some]) => ({ projectId, title: projectId, path: '', isMissing: false, rows: newestFirst(some) }))
  const launch = new Set(projects.filter((project) => project.launch).map(({ projectId }) => projectId))
  return [...known, ...others].sort((one, other) => {
    if (launch.has(one.projectId) !== launch.has(other.projectId)) return launch.has(one.projectId) ? -1 : 1
    return newest(other).localeCompare(newest(one))
  })
}

/** The groups as far as a thread's title has these words in it; all of them without words. */
export function groupsWith(groups: readonly ThreadGroup[], typed: string): readonly ThreadGroup[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return groups
  return groups
    .map((group) => ({ ...group, rows: group.rows.filter(({ title }) => title?.toLowerCase().includes(wanted)) }))
    .filter(({ rows }) => rows.length > 0)
}

function groupOf({ projectId, title, path, status }: EnsoProject, rows: readonly ThreadRow[]): ThreadGroup {
  return { projectId, title, path, isMissing: status === 'missing-dir', rows: newestFirst(rows) }
}

function newestFirst(rows: readonly ThreadRow[]): ThreadRow[] {
  return [...rows].sort((one, other) => other.lastActivityAt.localeCompare(one.lastActivityAt))
}

function newest({ rows }: ThreadGroup): string {
  return rows[0]?.lastActivityAt ?? ''
}
