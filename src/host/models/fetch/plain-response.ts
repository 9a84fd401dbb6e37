import type { IncomingMessage } from 'node:http'
import { type BodySource, createPlainBody, type PlainBody } from './plain-body.js'
import { createPlainHeaders, type PlainHeaders } from './plain-headers.js'

/** What the model providers' own libraries use of a `Response`; the rest of it is made of a real one when asked for. */
export interface PlainResponse {
  readonly status: number
  readonly statusText: string
  readonly ok: boolean
  readonly url: string
  readonly redirected: false
  readonly type: 'basic'
  readonly headers: PlainHeaders
  readonly body: PlainBody
  readonly bodyUsed: boolean
  text(): Promise<string>
  json(): Promise<unknown>
  arrayBuffer(): Promise<ArrayBuffer>
  bytes(): Promise<Uint8Array>
  blob(): Promise<Blob>
  formData(): Promise<FormData>
}

function* pairs(raw: readonly string[]): Iterable<[string, string]> {
  for (let at = 0; at + 1 < raw.length; at += 2) yield [raw[at]!, raw[at + 1]!]
}

/** Where a response comes from. */
export interface ResponseSource extends BodySource {
  readonly url: string
  readonly incoming: IncomingMessage
}

export function createPlainResponse({ url, incoming, ...source }: ResponseSource): PlainResponse {
  const status = incoming.statusCode ?? 0
  const statusText = incoming.statusMessage ?? ''
  const headers = createPlainHeaders(pairs(incoming.rawHeaders))
  const body = createPlainBody(source)

  async function bytes(): Promise<Buffer> {
    if (body.isUsed()) throw new TypeError('the body of the response was read before')
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  async function real(): Promise<Response> {
    return new Response(new Uint8Array(await bytes()), { status, statusText, headers: [...headers] })
  }
  const text = async (): Promise<string> => new TextDecoder().decode(await bytes())
  return {
    status,
    statusText,
    ok: status >= 200 && status <= 299,
    url,
    redirected: false,
    type: 'basic',
    headers,
    body,
    get bodyUsed() {
      return body.isUsed()
    },
    text,
    json: async () => JSON.parse(await text()) as unknown,
    arrayBuffer: async () => new Uint8Array(await bytes()).buffer,
    bytes: async () => new Uint8Array(await bytes()),
    blob: async () => (await real()).blob(),
    formData: async () => (await real()).formData(),
  }
}
