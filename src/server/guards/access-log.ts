import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { ensoLogger } from '../../core/index.js'
import type { ServerEnv, ServerMiddleware } from '../server-env.js'

const log = ensoLogger('server', 'access')

/**
 * One record a request: the method, the route's template and the status. Never the address as it was sent, a header or
 * a body, where a secret could stand.
 */
export function accessLog(now: () => number): ServerMiddleware {
  return async (c, next) => {
    const startedAt = now()
    await next()
    const { status } = c.res
    const properties = { method: methodOf(c), route: templateOf(c), status, ms: Math.round(now() - startedAt) }
    const origin = c.req.header('origin') === undefined ? 'program' : 'page'
    if (status >= 500) log.error('{method} {route} {status} in {ms} ms', { ...properties, origin })
    else log.info('{method} {route} {status} in {ms} ms', { ...properties, origin })
  }
}

const METHODS = new Set(['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'])

function methodOf(c: Context<ServerEnv>): string {
  return METHODS.has(c.req.method) ? c.req.method : 'other'
}

/** The path of the route that answers, as it is declared. */
function templateOf(c: Context<ServerEnv>): string {
  const path = matchedRoutes(c).findLast((route) => !route.path.endsWith('*'))?.path
  return path ?? '(none)'
}
