// Reads events on many connections at once; says when each has had the last one or was cut off, and how many observations
// they had. A reader that takes nothing never sees that it was cut off: only the others are waited for.
//   node sse-readers.js PORT PATH TOKEN READERS STALLED LAST        LAST is text that only the last event has
import { connect } from 'node:net'

const [port = '', path = '/', token = '', ...more] = process.argv.slice(2)
const [readers = 0, stalled = 0] = more.map(Number)
const LAST = Buffer.from(more[2] ?? '')
const EVENT = Buffer.from('"type":"observation"')
let connected = 0
let done = 0
let delivered = 0
let cut = 0

/** @param {Buffer} text @param {Buffer} what */
function countOf(text, what) {
  let count = 0
  for (let at = text.indexOf(what); at !== -1; at = text.indexOf(what, at + what.length)) count++
  return count
}

/** @param {boolean} reads */
function open(reads) {
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  let isDone = false
  /** @type {Buffer} */
  let rest = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.once('data', () => {
    connected++
    if (connected === readers + stalled) process.stdout.write('connected\n')
    if (!reads) socket.pause()
  })
  if (!reads) return
  socket.on('data', (chunk) => {
    // An event may be cut anywhere: a piece of its beginning is kept for the next chunk.
    const text = Buffer.concat([rest, chunk])
    const end = text.lastIndexOf(0x0a) + 1
    rest = text.subarray(end)
    const whole = text.subarray(0, end)
    delivered += countOf(whole, EVENT)
    if (whole.includes(LAST)) finish()
  })
  socket.on('close', () => {
    if (!isDone) cut++
    finish()
  })

  function finish() {
    if (isDone) return
    isDone = true
    done++
    if (done === readers) process.stdout.write(`${JSON.stringify({ delivered, cut })}\n`)
  }
}

for (let index = 0; index < readers; index++) open(true)
for (let index = 0; index < stalled; index++) open(false)
