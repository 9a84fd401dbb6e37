import { openApiDocument } from '../openapi/document.js'
import type { ServerRoute } from '../route.js'
import type { RouteDeps, StreamDeps } from './deps.js'
import { serverRoutes } from './routes.js'

/** What stands in where routes are described and none is asked. */
const UNASKED = { clock: { now: () => 0, after: () => () => undefined } } as unknown as RouteDeps

/** Every route, for whoever describes them: the documentation's table, a printed schema. None of these can be asked. */
export function describedRoutes(): readonly ServerRoute[] {
  return serverRoutes(UNASKED, {} as StreamDeps)
}

/** The OpenAPI document without a server. */
export function printedOpenApi(version: string): Record<string, unknown> {
  return openApiDocument(describedRoutes(), version)
}
