import type { OpenThreadRequest } from '../../core/index.js'

/** How a thread of this run is opened, before the run adds who answers and who is told. */
export type OpenRequest = Omit<OpenThreadRequest, 'beforeAppend' | 'dialogs' | 'onLimit'>

/** The thread a run is about. */
export interface ChosenThread {
  readonly threadId: string
  /** Absolute and canonical; a stored thread's own. */
  readonly cwd: string
  /** What a person should know of the choice. */
  readonly notes: readonly string[]
  readonly request: OpenRequest
}
