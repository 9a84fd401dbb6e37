// A bare server-sent events writer on node:http: one write a turn and follower. Told on standard input to begin.
//   node bare-sse.js EVENTS BYTES BURST PAUSE        BURST events come in one turn, the next ones PAUSE milliseconds later
import { createServer } from 'node:http'

const [events = 0, bytes = 0, burst = 1, pause = 0] = process.argv.slice(2).map(Number)
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
    if (seq >= events) return
    let piece = ''
    for (const last = seq + burst; seq < last;) {
      seq++
      const observation = { kind: 'text-delta', contentIndex: 0, delta: text }
      piece += `id: ${seq}\ndata: ${JSON.stringify({ type: 'observation', seq, observation })}\n\n`
    }
    for (const follower of followers) follower.write(piece)
    if (pause === 0) setImmediate(next)
    else setTimeout(next, pause)
  }
  next()
})
