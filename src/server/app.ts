import { Hono } from 'hono'
import { ENSO_PROMPT_BODY_MAX_BYTES, ensoLogger } from '../core/index.js'
import type { Addresses } from './addresses.js'
import { accessLog } from './guards/access-log.js'
import { bearerToken } from './guards/bearer-token.js'
import { createBodyBudget } from './guards/bounded-body.js'
import { knownHost } from './guards/known-host.js'
import { plainPath } from './guards/plain-path.js'
import { responseHeaders } from './guards/response-headers.js'
import { sameOrigin } from './guards/same-origin.js'
import { sameSite } from './guards/same-site.js'
import { jsonResponse, refuse } from './refuse.js'
import type { ServerRoute } from './route.js'
import type { RouteDeps, StreamDeps } from './routes/deps.js'
import { serverRoutes } from './routes/routes.js'
import { serveRoute } from './serve-route.js'
import type { ServerEnv } from './server-env.js'
import { createHeartbeats } from './sse/heartbeats.js'
import type { TokenSource } from './token/token.js'

const log = ensoLogger('server', 'app')

/** Bytes that bodies on their way may hold together: a few prompts of the largest kind. */
const BODIES_MAX_BYTES = 3 * ENSO_PROMPT_BODY_MAX_BYTES

export interface ServerAppDeps extends RouteDeps {
  readonly token: TokenSource
  /** Asked for each request: the port is known only when it is listened on. */
  readonly addresses: () => Addresses
}

/** The server apart from listening: web requests in, web responses out. */
export interface ServerApp {
  fetch(request: Request, env?: ServerEnv['Bindings']): Response | Promise<Response>
  readonly routes: readonly ServerRoute[]
}

/** Every request goes through the guards in this order, and then to its route. */
export function createServerApp(deps: ServerAppDeps): ServerApp {
  const streams: StreamDeps = { heartbeats: createHeartbeats(deps.clock) }
  const routes = serverRoutes(deps, streams)
  const budget = createBodyBudget(BODIES_MAX_BYTES)
  const app = new Hono<ServerEnv>()

  app.use(accessLog(() => deps.clock.now()))
  app.use(responseHeaders())
  app.use(knownHost(deps.addresses))
  app.use('/api/*', sameOrigin(deps.addresses))
  app.use('/api/*', sameSite())
  app.use('/api/*', bearerToken(deps.token))
  app.use(plainPath())
  for (const route of routes) app.on(route.method, route.path, serveRoute(route, budget))
  app.notFound(() => refuse('not-found', 'there is nothing here'))
  app.onError((error) => {
    // A bug of ours: its text and its place go to the log and to nobody else.
    log.error('internal error: {message}', { message: error.message, stack: error.stack })
    return jsonResponse(500, { code: 'fault', reason: 'internal error; the log says more' })
  })
  return { fetch: (request, env = {}) => app.fetch(request, env), routes }
}
