import { Type } from '@sinclair/typebox'
import { openApiDocument } from '../openapi/document.js'
import { answer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import { browserLogRoute } from './browser-logs.js'
import { bundleRoute } from './bundle.js'
import type { RouteDeps, StreamDeps } from './deps.js'
import { logRoutes } from './logs.js'
import { pageRoutes } from './page.js'
import { projectRoutes } from './projects.js'
import { operationRoutes } from './thread-operations.js'
import { threadRoutes } from './threads.js'

/** Every route there is. */
export function serverRoutes(deps: RouteDeps, streams: StreamDeps): readonly ServerRoute[] {
  const routes: ServerRoute[] = [
    ...threadRoutes(deps, streams),
    ...operationRoutes(deps),
    bundleRoute(deps),
    ...projectRoutes(deps),
    ...logRoutes(deps, streams),
    browserLogRoute(deps),
    ...pageRoutes(),
  ]
  let document: unknown
  routes.push({
    name: 'openapi',
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document.',
    access: 'token',
    success: [200],
    bodyLimit: SMALL_BODY_BYTES,
    result: Type.Object({}),
    refusals: [],
    handle: () => Promise.resolve(answer(200, (document ??= openApiDocument(routes, deps.version)))),
  })
  return routes
}
