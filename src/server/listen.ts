import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { EnsoError, ensoLogger } from '../core/index.js'
import { limitSockets, SOCKET_LIMITS } from './guards/socket-limits.js'
import { withResponseHeaders } from './guards/response-headers.js'
import { refuse } from './refuse.js'
import type { ServerApp } from './app.js'

const log = ensoLogger('server', 'listen')

/** A server that listens. */
export interface Listening {
  readonly port: number
  /** Takes no further connection. */
  stop(): void
  /** Resolves when every connection is gone; cuts what is left after `graceMs`. */
  drain(graceMs: number): Promise<void>
}

/**
 * Listens on one address; port 0 takes a free one. `makeApp` is given the port before the first request can come.
 * @throws EnsoError `bad-input` when the address can't be listened on
 */
export async function listen(
  host: string,
  port: number,
  makeApp: (port: number) => ServerApp,
  limits: ServerOptions = SOCKET_LIMITS,
): Promise<Listening> {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createServer(limits, (request, response) => answer(request, response))
  limitSockets(server)
  const bound = await bind(server, host, port)
  const app = makeApp(bound)
  const listener = getRequestListener((request, env) => app.fetch(request, env as never), {
    // The agent library shares this process, and the web's own classes with it.
    overrideGlobalObjects: false,
    // Answers for what never reaches the app, and so says itself what every answer says.
    errorHandler: () => withResponseHeaders(refuse('malformed', 'the request can’t be understood')),
  })
  answer = (request, response) => void listener(request, response)

  return {
    port: bound,
    stop: () => {
      server.close()
      server.closeIdleConnections()
    },
    drain: (graceMs) => drain(server, graceMs),
  }
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const what = error.code === 'EADDRINUSE' ? 'is in use' : `can't be listened on (${error.code ?? error.message})`
      reject(
        new EnsoError('bad-input', `${host} port ${port} ${what}`, { cause: error, hint: '--port 0 takes a free one' }),
      )
    }
    server.once('error', onError)
    server.listen({ host, port }, () => {
      server.off('error', onError)
      // Such as no descriptor left for a further connection: those there are go on.
      server.on('error', (error) => log.error('a connection could not be taken: {error}', { error: error.message }))
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** How often connections that have become idle are let go, in milliseconds. */
const IDLE_LOOK_MS = 50

function drain(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS)
    const cut = setTimeout(() => server.closeAllConnections(), graceMs)
    const check = (): void => {
      server.getConnections((error, count) => {
        if (error === null && count > 0) setTimeout(check, IDLE_LOOK_MS)
        else done()
      })
    }
    const done = (): void => {
      clearInterval(idle)
      clearTimeout(cut)
      resolve()
    }
    check()
  })
}
