import type { Server, ServerOptions } from 'node:http'

/** How many connections there may be at once: followers, and some room beside them. */
export const MAX_CONNECTIONS = 4096

/**
 * Bounds on a connection that sends too slowly, too much or too often. Events are not cut by them: the times are those
 * of a request's arrival.
 */
export const SOCKET_LIMITS: ServerOptions = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5000,
  maxHeaderSize: 16 * 1024,
  connectionsCheckingInterval: 1000,
  keepAlive: true,
  keepAliveInitialDelay: 30_000,
  noDelay: true,
  insecureHTTPParser: false,
}

/** Sets what is no option. */
export function limitSockets(server: Server): void {
  server.maxConnections = MAX_CONNECTIONS
  server.maxRequestsPerSocket = 10_000
}
