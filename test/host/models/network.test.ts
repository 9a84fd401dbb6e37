import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { bench } from '../host-bench.js'

/** A forward proxy that counts what goes through it. */
async function startProxy(): Promise<{ url: string; seen: string[]; close(): Promise<void> }> {
  const seen: string[] = []
  const server = createServer((incoming, response) => {
    seen.push(incoming.url ?? '')
    const onward = request(incoming.url ?? '', { method: incoming.method, headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket, head) => {
    seen.push(incoming.url ?? '')
    const [host, port] = (incoming.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

test('model requests go through the proxy of the environment, and round it where NO_PROXY says so', async (t) => {
  const proxy = await startProxy()
  t.after(proxy.close)
  const through = await bench(t, { env: { HTTP_PROXY: proxy.url } })
  through.server.enqueue({ text: 'ok' })
  const one = await through.open()
  await one.run('hello')
  assert.equal(proxy.seen.length, 1)
  assert.ok(proxy.seen[0]?.includes(through.server.url.replace('http://', '')))

  const round = await bench(t, { env: { http_proxy: proxy.url, NO_PROXY: '127.0.0.1' } })
  round.server.enqueue({ text: 'ok' })
  const two = await round.open()
  await two.run('hello')
  assert.equal(proxy.seen.length, 1)
})
