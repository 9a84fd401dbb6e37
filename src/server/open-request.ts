import { join } from 'node:path'
import { EnsoError, type OpenThreadRequest, type ThreadStore } from '../core/index.js'
import { projectIdOf } from '../system/project-id.js'
import type { Projects } from './projects/projects.js'
import { isFolder } from './projects/roots.js'

/** What the start of the server says of every thread. `model`, `thinking` and `permissionMode` are a new thread's. */
export type ThreadDefaults = Omit<OpenThreadRequest, 'threadId' | 'cwd' | 'session' | 'beforeAppend'>

export interface OpenRequestDeps {
  readonly store: ThreadStore
  readonly projects: Projects
  readonly threadsDir: string
  readonly defaults: ThreadDefaults
}

/**
 * How a served thread is opened: a stored one in its own folder with what it was begun with, whatever a page says; a new
 * one in its project's folder with the server's defaults. Changes nothing.
 */
export function createOpenRequest({ store, projects, threadsDir, defaults }: OpenRequestDeps) {
  const { model: _model, thinking: _thinking, permissionMode: _mode, ...always } = defaults

  return async (threadId: string, projectHint?: string): Promise<Omit<OpenThreadRequest, 'beforeAppend'>> => {
    const ref = await store.find(threadId)
    if (ref === undefined) {
      const cwd = projects.folderFor(projectHint)
      return { ...defaults, threadId, cwd, session: { kind: 'new', dir: join(threadsDir, projectIdOf(cwd)) } }
    }
    if (!isFolder(ref.cwd)) throw new EnsoError('bad-input', `the folder of thread ${threadId} is gone`)
    return { ...always, threadId, cwd: ref.cwd, session: { kind: 'stored', file: ref.file } }
  }
}
