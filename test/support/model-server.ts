import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextLoopTurn } from 'node:timers/promises'
import type { ModelReply, WirePiece } from './model-replies.js'
import { type Wire, wireOf } from './wires.js'

export type { ModelReply, ScriptedToolCall, ScriptedUsage } from './model-replies.js'

/** A request the server has received whole. `body` is its JSON, or the raw text when it is none. */
export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read into the providers' own shapes
  readonly body: any
  /** Resolves when the client's connection is gone, whoever ended it. */
  readonly closed: Promise<void>
}

/** A reply, or what makes one from the request's body. */
export type QueuedReply = ModelReply | ((body: ModelRequest['body']) => ModelReply | Promise<ModelReply>)

/** Which wire the models of `modelsJson` speak. */
export type ModelApi = 'openai-completions' | 'anthropic-messages'

/** The key `modelsJson` gives; it is sent as a bearer token or as `x-api-key`. */
export const LOCAL_KEY = 'sk-local-0123456789'

/** Dollars per million tokens of `local/x` and `local/think`. */
export const LOCAL_COST = { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 1.25 } as const

export interface ModelServer {
  /** Without a trailing slash and without `/v1`. */
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** Replies for the next requests, in order. An empty queue answers 500. */
  enqueue(...replies: QueuedReply[]): void
  /** Answers every request the queue has nothing for. */
  otherwise(reply: QueuedReply): void
  /** Resolves when the nth request (from 1) has arrived. */
  waitForRequest(n: number): Promise<ModelRequest>
  /** What models.json holds to reach this server: provider `local`, models `x` and `think` (reasoning). */
  modelsJson(api?: ModelApi): object
  close(): Promise<void>
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** Resolves when there is room again or the client is gone, and leaves no listener behind. */
async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    over.abort()
  }
}

/** Writes one piece and lets it leave the process before the next one; false when the client is gone. */
async function flush(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed || response.closed) return false
  if (!response.write(text)) await drained(response)
  else await nextLoopTurn()
  return !response.closed
}

async function stream(
  response: ServerResponse,
  reply: ModelReply,
  { ending }: Wire,
  pieces: AsyncIterable<WirePiece>,
): Promise<void> {
  /** Says why the reply ended. */
  const isEnding = (piece: WirePiece): boolean => !piece.content && ending.test(piece.text)
  let content = 0
  let waited = reply.delayUntil === undefined
  for await (const piece of pieces) {
    if (!piece.content && content > 0 && reply.hang === 'mid' && isEnding(piece)) return
    if (reply.cut !== undefined && content >= reply.cut && (piece.content || isEnding(piece))) {
      response.socket?.destroy()
      return
    }
    if (!waited && (content > 0 || isEnding(piece))) {
      waited = true
      await reply.delayUntil
    }
    if (!(await flush(response, piece.text))) return
    if (piece.content) content++
  }
  response.end()
}

/** A real HTTP server on 127.0.0.1 that streams the providers' wires as its queue says. */
export async function startModelServer(): Promise<ModelServer> {
  const requests: ModelRequest[] = []
  const queue: QueuedReply[] = []
  const waiting = new Set<{ n: number; resolve: (request: ModelRequest) => void }>()
  const sockets = new Set<Socket>()
  let fallback: QueuedReply = { status: 500, body: { error: { message: 'the scripted queue is empty' } } }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.socket?.setNoDelay(true)
    const closed = once(response, 'close').then(() => undefined)
    const request: ModelRequest = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: await readBody(incoming),
      closed,
    }
    const wire = wireOf(request.path)
    if (wire === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such path"}}')
      return
    }
    requests.push(request)
    const queued = queue.shift() ?? fallback
    for (const waiter of waiting) {
      if (requests.length < waiter.n) continue
      waiting.delete(waiter)
      waiter.resolve(requests[waiter.n - 1]!)
    }
    const reply = typeof queued === 'function' ? await queued(request.body) : queued
    if (reply.hang === 'no-headers') return
    if (reply.status !== undefined && reply.status !== 200) {
      const body = reply.body ?? wire.error(reply.status, `scripted ${reply.status}`)
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...reply.headers })
    response.flushHeaders()
    if (reply.hang === true) return
    if (reply.garbage) {
      await flush(response, 'data: {"choices":[{"delta":{"content":"half\n\ndata: <html>not json</html>\n\n')
      response.end()
      return
    }
    await stream(response, reply, wire, wire.pieces(reply, request.body.model ?? 'x', requests.length))
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      // A client that leaves in the middle of its own request is not the server's fault; anything else must be seen.
      if (response.destroyed) return
      response.destroy(error instanceof Error ? error : new Error(String(error)))
      throw error
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    requests,
    enqueue: (...replies) => void queue.push(...replies),
    otherwise: (reply) => void (fallback = reply),
    waitForRequest: (n) =>
      new Promise((resolve) => {
        const there = requests[n - 1]
        if (there) resolve(there)
        else waiting.add({ n, resolve })
      }),
    modelsJson: (api = 'openai-completions') => modelsJson(url, api),
    close: async () => {
      const done = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await done
    },
  }
}

function modelsJson(url: string, api: ModelApi): object {
  const model = { input: ['text', 'image'], cost: LOCAL_COST, contextWindow: 32_000, maxTokens: 4096 }
  return {
    providers: {
      local: {
        baseUrl: api === 'openai-completions' ? `${url}/v1` : url,
        api,
        apiKey: LOCAL_KEY,
        models: [
          { id: 'x', name: 'Local x', reasoning: false, ...model },
          { id: 'think', name: 'Local think', reasoning: true, ...model },
        ],
      },
    },
  }
}
