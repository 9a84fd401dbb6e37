import { Type } from '@sinclair/typebox'
import {
  closed,
  createDayFold,
  EnsoDayStats,
  type EnsoLogTailFrame as TailFrame,
  EnsoLogTailFrame,
  refusal,
} from '../../core/index.js'
import { isLogDay, localDayOf } from '../../log/day.js'
import { dayFilePath, foldLogFile } from '../../log/log-days.js'
import { readLog } from '../../log/read-log.js'
import { createOpenLimit } from '../guards/follow-limit.js'
import { answer, refusedAnswer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import { tailLog } from '../sse/tail-log.js'
import { DEFAULT_ROUTE_LIMITS, type RouteDeps, type StreamDeps } from './deps.js'
import { askedLog, LogQuery, LogTailQuery } from './log-question.js'

const StatsQuery = closed({ day: Type.Optional(Type.String()) })

/** Reading the log: a day's records, a tail, a day's statistics. */
export function logRoutes({ logsDir, clock, limits }: RouteDeps, streams: StreamDeps): readonly ServerRoute[] {
  const common = { method: 'GET', access: 'token', success: [200], bodyLimit: SMALL_BODY_BYTES } as const
  const limit = createOpenLimit(limits?.logTails ?? DEFAULT_ROUTE_LIMITS.logTails)
  return [
    {
      ...common,
      name: 'logs',
      path: '/api/logs',
      summary: 'Read the newest records of a day that answer a question.',
      query: LogQuery,
      result: EnsoLogTailFrame,
      refusals: ['malformed'],
      handle: async ({ query }) => {
        const asked = askedLog(query, clock.now())
        if (typeof asked === 'string') return refusedAnswer(refusal('malformed', asked))
        const { question, day, limit: most } = asked
        const reading = await unlessMissing(() => readLog(dayFilePath(logsDir, day), question, most), NOTHING_READ)
        const frame: TailFrame = { type: 'backlog', day, ...reading, lines: [...reading.lines] }
        return answer(200, frame)
      },
    },
    {
      ...common,
      name: 'logTail',
      path: '/api/logs/tail',
      summary: 'Follow today’s log: what there is, then what comes.',
      query: LogTailQuery,
      result: EnsoLogTailFrame,
      events: true,
      refusals: ['malformed', 'too-many-requests'],
      handle: async ({ query }) => {
        const asked = askedLog(query, clock.now())
        if (typeof asked === 'string') return refusedAnswer(refusal('malformed', asked))
        return { kind: 'events', start: (channel) => tailLog(asked, channel, { logsDir, clock, limit, ...streams }) }
      },
    },
    {
      ...common,
      name: 'logStats',
      path: '/api/logs/stats',
      summary: 'Read what a day came to.',
      query: StatsQuery,
      result: EnsoDayStats,
      refusals: ['malformed'],
      handle: async ({ query: { day = localDayOf(clock.now()) } }) => {
        if (!isLogDay(day)) return refusedAnswer(refusal('malformed', 'day is a date such as 2026-09-22'))
        const { stats } = await unlessMissing(
          () => foldLogFile(dayFilePath(logsDir, day), day),
          () => createDayFold(day).finish(0),
        )
        return answer(200, stats)
      },
    },
  ]
}

const NOTHING_READ = () => ({ lines: [], matched: 0, malformed: 0, offset: 0 })

/** A day without a file is a day on which nothing was logged. */
async function unlessMissing<T>(read: () => Promise<T>, missing: () => T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing()
    throw error
  }
}
