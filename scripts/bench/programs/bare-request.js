// The least a Node program can do for one reply: node:http, one streamed request, the text to standard output.
import { request } from 'node:http'

const body = JSON.stringify({ model: 'x', stream: true, tools: [], messages: [{ role: 'user', content: 'hello' }] })
const json = process.argv.includes('--json')
const outgoing = request(`${process.env['BENCH_URL']}/v1/chat/completions`, { method: 'POST' }, (response) => {
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (/** @type {string} */ chunk) => {
    const events = (rest + chunk).split('\n\n')
    rest = events.pop() ?? ''
    let out = ''
    for (const event of events) {
      if (event === 'data: [DONE]') continue
      const delta = JSON.parse(event.slice(6)).choices[0]?.delta.content
      if (delta) out += json ? `${JSON.stringify({ type: 'text-delta', delta })}\n` : delta
    }
    if (!process.stdout.write(out)) {
      response.pause()
      process.stdout.once('drain', () => response.resume())
    }
  })
})
outgoing.end(body)
