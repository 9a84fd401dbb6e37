import { isEnsoThreadId, refusal } from '../../core/index.js'
import { makeLogBundle } from '../../log/bundle-file.js'
import { EVERYTHING } from '../../log/line-filter.js'
import { dayFilePath, logDays } from '../../log/log-days.js'
import { refusedAnswer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import type { RouteDeps } from './deps.js'

/** One thread's records of every day, and the thread itself where it is live: a file to read and to send. */
export function bundleRoute({ threads, logsDir, redactor, about, clock }: RouteDeps): ServerRoute {
  return {
    name: 'bundle',
    method: 'GET',
    path: '/api/threads/:threadId/bundle',
    summary: 'Read a thread’s log records as one Markdown file.',
    access: 'token',
    success: [200],
    bodyLimit: SMALL_BODY_BYTES,
    result: 'text',
    refusals: ['malformed'],
    handle: async ({ params: { threadId = '' } }) => {
      if (!isEnsoThreadId(threadId)) return refusedAnswer(refusal('malformed', 'not a thread id'))
      const inspection = await threads.operate('inspect', threadId, undefined)
      const { text } = await makeLogBundle({
        files: logDays(logsDir).map((day) => dayFilePath(logsDir, day)),
        question: { ...EVERYTHING, thread: threadId },
        about: { ...about(), at: new Date(clock.now()).toISOString(), selection: `thread ${threadId}, every day` },
        threads: inspection.ok ? [inspection.result as object] : [],
        redactor: redactor(),
      })
      return { kind: 'text', contentType: 'text/markdown; charset=utf-8', text }
    },
  }
}
