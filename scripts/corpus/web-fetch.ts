import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { parseEnsoConfig } from '../../src/core/config.js'
import { EXTERNAL_WEB_CONTENT_NOTICE, WEB_FETCH_MAX_RESPONSE_BYTES } from '../../src/core/web-fetch.js'
import { fetchPage } from '../../src/host/tools/web-fetch/fetch-page.js'
import { toolText } from '../../src/host/tools/web-fetch/tool-text.js'

/** One scripted answer of the web in a case. */
interface CaseResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly bodyBytes?: number
  readonly gzipExpandsTo?: number
  readonly drip?: boolean
}

/** A `web_fetch` line of a case file. */
export interface WebFetchCase {
  readonly id: string
  readonly input: { readonly url: string }
  readonly expect: 'allow' | 'deny'
  readonly reasonCode?: string
  readonly config: { readonly allowedHosts: readonly string[] }
  readonly configText?: string
  readonly resultMustStartWith?: string
  readonly net?: {
    readonly dns?: Readonly<Record<string, readonly string[]>>
    readonly dnsSequence?: Readonly<Record<string, readonly (readonly string[])[]>>
    readonly responses?: readonly CaseResponse[]
    readonly responsesRepeat?: CaseResponse
  }
}

/** What came of a case: refused or not, by which check, and what of its further demands was not met. */
export interface WebFetchCaseResult {
  readonly denied: boolean
  readonly code: string | undefined
  readonly problems: readonly string[]
}

/**
 * Runs one case against a real HTTP server on loopback: names resolve as the case says, and a connection to any public
 * address of the case reaches that server. Which address was asked for is checked, and time is the case's own.
 */
export async function runWebFetchCase(line: WebFetchCase): Promise<WebFetchCaseResult> {
  const problems: string[] = []
  const responses = [...(line.net?.responses ?? [])]
  let lapse: (() => void) | undefined
  const server = createServer((_request, response) => {
    const answer = responses.shift() ?? line.net?.responsesRepeat ?? { status: 200, body: 'ok' }
    send(response, answer, () => lapse?.())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const asked = new Map<string, number>()
  const firstAnswers = new Set(Object.values(line.net?.dnsSequence ?? {}).flatMap((answers) => answers[0] ?? []))
  try {
    const result = await fetchPage(line.input.url, {
      config: parseEnsoConfig(line.configText ?? JSON.stringify({ webFetch: line.config })),
      resolve: (hostname) => {
        const count = asked.get(hostname) ?? 0
        asked.set(hostname, count + 1)
        const sequence = line.net?.dnsSequence?.[hostname]
        return Promise.resolve(sequence?.[Math.min(count, sequence.length - 1)] ?? line.net?.dns?.[hostname] ?? [])
      },
      transport: ({ url, addresses, signal }) => {
        const other = addresses.find((address) => firstAnswers.size > 0 && !firstAnswers.has(address))
        if (other !== undefined) problems.push(`connected to ${other}`)
        return get(url, port, signal)
      },
      after: (_ms, callback) => {
        lapse = callback
        return () => (lapse = undefined)
      },
    })
    if (result.kind === 'refused') return { denied: true, code: result.code, problems }
    const text = toolText(result)
    if (!text.startsWith(line.resultMustStartWith ?? EXTERNAL_WEB_CONTENT_NOTICE))
      problems.push('no notice at its head')
    if (result.bytes > WEB_FETCH_MAX_RESPONSE_BYTES) problems.push(`${result.bytes} bytes were kept`)
    if (result.cut !== /\[cut: /.test(text)) problems.push('cut without a mark')
    return { denied: false, code: undefined, problems }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

function get(url: URL, port: number, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: url.pathname, headers: { host: url.host }, agent: false, signal }, resolve)
      .once('error', reject)
      .end()
  })
}

function send(response: ServerResponse, answer: CaseResponse, lapse: () => void): void {
  response.on('error', () => {})
  response.writeHead(answer.status, answer.headers)
  if (answer.drip) {
    response.write('a', lapse)
    return
  }
  if (answer.gzipExpandsTo !== undefined) response.end(gzipSync(Buffer.alloc(answer.gzipExpandsTo, 'a')))
  else if (answer.bodyBytes !== undefined) response.end(Buffer.alloc(answer.bodyBytes, 'a'))
  else response.end(answer.body ?? '')
}
