// A bare server-sent events writer on node:http: one write an event and follower. Told on standard input to begin.
//   node bare-sse.js EVENTS BYTES
import { createServer } from 'node:http'

const [events = 0, bytes = 0] = process.argv.slice(2).map(Number)
/** @type {import('node:http').ServerResponse[]} */
const followers = []
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
  followers.push(response)
})
server.listen(0, '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  process.stdout.write(`${address.port}\n`)
})

process.stdin.once('data', () => {
  const text = 'x'.repeat(bytes)
  let seq = 0
  const next = () => {
    if (seq === events) return
    seq++
    const data = JSON.stringify({
      type: 'observation',
      seq,
      observation: { kind: 'text-delta', contentIndex: 0, delta: text },
    })
    for (const follower of followers) follower.write(`id: ${seq}\ndata: ${data}\n\n`)
    setImmediate(next)
  }
  next()
})
