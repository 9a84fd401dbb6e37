import type {
  EnsoContextRequestDetail,
  EnsoThreadContext,
  EnsoThreadEvents,
  EnsoThreadStats,
  EnsoThreadTimeline,
} from '../../core/index.js'

/** What is told of one thread, whoever reads it. Ids may be beginnings. @throws EnsoError */
export interface ThreadAccounts {
  stats(wished: string): Promise<EnsoThreadStats>
  context(wished: string): Promise<EnsoThreadContext>
  /** Nothing where the thread has no such request. */
  contextRequest(wished: string, request: number | 'next'): Promise<EnsoContextRequestDetail | undefined>
  events(wished: string): Promise<EnsoThreadEvents>
  timeline(wished: string): Promise<EnsoThreadTimeline>
}
