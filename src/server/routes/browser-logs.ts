import { EnsoBrowserLogBatch, ensoLogger, lazyValidator, refusal, shapeReason } from '../../core/index.js'
import { capStrings } from '../../log/cap-strings.js'
import { createRateLimit } from '../guards/rate-limit.js'
import { refusedAnswer, type RouteAnswer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import { DEFAULT_ROUTE_LIMITS, type RouteDeps } from './deps.js'

const batches = lazyValidator(EnsoBrowserLogBatch)

/** `enso.browser` and what is under it, a few short words deep. */
const BROWSER_LOGGER = /^enso\.browser(?:\.[A-Za-z][A-Za-z0-9_-]{0,31}){0,3}$/

/** Longest text of a record, in characters. */
const TEXT_MAX = 4096

/** What a page logs, written down with our own: under its own name, never under another's. */
export function browserLogRoute({ clock, limits }: RouteDeps): ServerRoute {
  const { browserRecordsBurst, browserRecordsPerSecond } = { ...DEFAULT_ROUTE_LIMITS, ...limits }
  const rate = createRateLimit(browserRecordsBurst, browserRecordsPerSecond, () => clock.now())
  return {
    name: 'browserLogs',
    method: 'POST',
    path: '/api/logs',
    summary: 'Hand over a page’s records, at info and above.',
    access: 'token',
    success: [204],
    body: EnsoBrowserLogBatch,
    bodyLimit: SMALL_BODY_BYTES,
    result: null,
    refusals: ['malformed', 'refused', 'too-many-requests'],
    handle: ({ body }) => Promise.resolve(take(body, (count) => rate.take(count))),
  }
}

function take(body: unknown, mayTake: (count: number) => boolean): RouteAnswer {
  if (!batches.check(body)) {
    return refusedAnswer(refusal('malformed', shapeReason(EnsoBrowserLogBatch, body) ?? 'not of the expected shape'))
  }
  if (body.records.some(({ logger }) => !BROWSER_LOGGER.test(logger))) {
    return refusedAnswer(refusal('refused', 'a page logs under enso.browser and nowhere else'))
  }
  if (!mayTake(Math.max(1, body.records.length))) {
    return refusedAnswer(refusal('too-many-requests', 'a page logs too much'))
  }
  for (const record of body.records) reEmit(record, body.page)
  return { kind: 'empty', status: 204 }
}

function reEmit(
  { at, level, logger, message, properties }: EnsoBrowserLogBatch['records'][number],
  page: string,
): void {
  const target = ensoLogger('browser', ...logger.split('.').slice(2))
  const kept = capStrings({ ...properties, at, page }, TEXT_MAX) as Record<string, unknown>
  target[level === 'warning' ? 'warn' : level](message.slice(0, TEXT_MAX), { ...kept, process: 'browser' })
}
