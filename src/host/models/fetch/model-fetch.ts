import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { decoded } from './decoded.js'
import { createPlainHeaders, isPlainHeaders, type PlainHeaders } from './plain-headers.js'
import { createPlainResponse } from './plain-response.js'

/** How long a connection may take to be made, and how long an unused one is kept, in milliseconds: as `fetch` has it. */
const CONNECT_MS = 10_000
const KEEP_MS = 4000
const SIMPLE_METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** What `fetch` says of itself where nobody says otherwise. */
const ALWAYS: Readonly<Record<string, string>> = {
  accept: '*/*',
  'accept-language': '*',
  'accept-encoding': 'br, gzip, deflate',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
}

/** What `createModelFetch` is made of. */
export interface ModelFetchDeps {
  /** The process's own: it knows proxies, redirects, and bodies of every kind. */
  readonly fetch: typeof globalThis.fetch
  /** Do requests go through a proxy? */
  readonly isProxied: () => boolean
  /** Asked once for each request, with its response's headers: who sees the bytes of the response as they are read. */
  readonly watch?: (headers: IncomingMessage['headers']) => ((chunk: Uint8Array) => void) | undefined
}

interface Plan {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  readonly signal: AbortSignal | undefined
}

const agents: { http?: HttpAgent; https?: HttpAgent } = {}

/**
 * A `fetch` for requests to models: the same answers at a third of the cost of the process's own, whose first use
 * alone takes longer than everything else before a request leaves. Encrypted where the address is, with the
 * certificates the process trusts; the body is decompressed, taken from the network as it is read, and given up when
 * the signal says so. What it doesn't do (proxies, redirects, bodies that are streams or forms) the process's own does.
 */
export function createModelFetch(deps: ModelFetchDeps): typeof globalThis.fetch {
  return async (input, init) => {
    const plan = deps.isProxied() ? undefined : planOf(input, init)
    if (plan === undefined) return deps.fetch(input, init)
    const { url, signal } = plan
    const abort = createAbort(signal)
    abort.check()
    const request = await open(plan)
    abort.ends(request)
    const incoming = await answer(request, plan.body).catch((error: unknown) => {
      throw abort.reason() ?? new TypeError('fetch failed', { cause: error })
    })
    if (REDIRECTS.has(incoming.statusCode ?? 0) && incoming.headers.location !== undefined) {
      request.destroy()
      return deps.fetch(input, init)
    }
    const response = createPlainResponse({
      url: url.href,
      incoming,
      content: await decoded(incoming),
      told: (error) => abort.reason() ?? new TypeError('terminated', { cause: error }),
      watch: deps.watch?.(incoming.headers),
    })
    return response as unknown as Response
  }
}

function planOf(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Plan | undefined {
  const { body, method = 'GET', signal, redirect = 'follow' } = init
  if (typeof input !== 'string' && !(input instanceof URL)) return undefined
  if (redirect !== 'follow' || 'dispatcher' in init) return undefined
  if (body !== undefined && body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined
  if (!SIMPLE_METHODS.has(method.toUpperCase())) return undefined
  const url = URL.canParse(String(input)) ? new URL(input) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined
  const headers: Record<string, string> = { ...ALWAYS, ...Object.fromEntries(givenHeaders(init.headers)) }
  if (body !== undefined && body !== null) headers['content-length'] = String(Buffer.byteLength(body))
  if (typeof body === 'string') headers['content-type'] ??= 'text/plain;charset=UTF-8'
  return { url, method: method.toUpperCase(), headers, body: body ?? undefined, signal: signal ?? undefined }
}

function givenHeaders(headers: RequestInit['headers']): PlainHeaders {
  if (headers === undefined) return createPlainHeaders()
  if (isPlainHeaders(headers)) return headers
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers)
  return createPlainHeaders(pairs as Iterable<[string, string]>)
}

/** A request that has not been sent. */
async function open({ url, method, headers }: Plan): Promise<ClientRequest> {
  if (url.protocol === 'http:') {
    const agent = (agents.http ??= new HttpAgent({ keepAlive: true, timeout: KEEP_MS }))
    return httpRequest(url, { method, headers, agent })
  }
  const https = await import('node:https')
  const agent = (agents.https ??= new https.Agent({ keepAlive: true, timeout: KEEP_MS }))
  return https.request(url, { method, headers, agent })
}

function answer(request: ClientRequest, body: Plan['body']): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const late = (): void => void request.destroy(new Error(`connect timeout after ${CONNECT_MS} ms`))
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(late, CONNECT_MS)
      const event = request.protocol === 'https:' ? 'secureConnect' : 'connect'
      for (const end of [event, 'close']) socket.once(end, () => clearTimeout(timer))
    })
    request.once('response', resolve)
    // A fault after the response began is the body's.
    request.on('error', reject)
    request.end(body)
  })
}

interface Abort {
  /** @throws the signal's reason when it has said so already */
  check(): void
  /** What the signal said, once it has. */
  reason(): unknown
  /** Ends a request when the signal says so. */
  ends(request: ClientRequest): void
}

function createAbort(signal: AbortSignal | undefined): Abort {
  return {
    check: () => signal?.throwIfAborted(),
    reason: () => (signal?.aborted === true ? signal.reason : undefined),
    ends(request) {
      if (signal === undefined) return
      const end = (): void => void request.destroy()
      signal.addEventListener('abort', end, { once: true })
      request.once('close', () => signal.removeEventListener('abort', end))
      if (signal.aborted) end()
    },
  }
}
