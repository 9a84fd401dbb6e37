import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'

/** What the app's handlers know beside the request. The bindings are there only behind a real socket. */
export interface ServerEnv {
  Bindings: Partial<HttpBindings>
}

/** One defence, or one thing done to every response. */
export type ServerMiddleware = MiddlewareHandler<ServerEnv>
