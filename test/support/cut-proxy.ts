import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Connections through a middle that a test can cut. */
export interface CutProxy {
  readonly port: number
  /** Breaks every connection there is now. */
  cut(): void
  /** While false, new connections are broken as they come. */
  open: boolean
  /** Connections taken so far. */
  count(): number
}

/** A plain TCP proxy to a port of this machine. */
export async function startCutProxy(t: TestContext, target: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let count = 0
  const proxy: CutProxy = {
    port: 0,
    open: true,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
    count: () => count,
  }
  const server = createServer((client) => {
    if (!proxy.open) return void client.destroy()
    count++
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    proxy.cut()
    server.close()
  })
  return Object.assign(proxy, { port: (server.address() as AddressInfo).port })
}
