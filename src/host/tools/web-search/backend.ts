/** One page a search found. */
export interface SearchSource {
  readonly title: string
  readonly url: string
}

/** What a search came to: an answer in words where the backend writes one, and where it is from. */
export interface SearchAnswer {
  readonly text: string
  readonly sources: readonly SearchSource[]
  /** Tokens that the search took, where who answers says so. */
  readonly usage?: { readonly input: number; readonly output: number }
}

/** A service that can search. `name` is who is billed. */
export interface SearchBackend {
  readonly name: string
  search(query: string, signal: AbortSignal): Promise<SearchAnswer>
}

/** Where and as whom a model is asked. */
export interface ModelDoor {
  readonly provider: string
  readonly api: string
  readonly id: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly headers: Readonly<Record<string, string>>
}

/** A response body is read no further than this (bytes): a search answer is a page, not a file. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

/**
 * Posts JSON and reads JSON.
 *
 * @throws Error with the service's status and the head of what it said; never with what was sent, also where the
 * service repeats it
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
      redirect: 'error',
    })
  } catch (error) {
    if (signal.aborted) throw error
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    throw new Error(`it can't be reached (${code ?? message})`, { cause: error })
  }
  const text = await boundedText(response)
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${withoutKeys(text, headers).slice(0, 300)}`)
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    throw new Error('its answer is not JSON', { cause: error })
  }
}

/** Shorter header values are words, not keys. */
const KEY_MIN_LENGTH = 8

/** What a service said, without the values that were sent to it in headers, of which one is the key. */
function withoutKeys(text: string, headers: Readonly<Record<string, string>>): string {
  const sent = Object.values(headers).flatMap((value) => [value, value.replace(/^Bearer /, '')])
  return sent
    .filter((value) => value.length >= KEY_MIN_LENGTH)
    .reduce((said, value) => said.replaceAll(value, '[key]'), text)
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`the answer is over ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A base URL and a path as one address. */
export function at(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}`
}

/** The sources with each address once, in order of first mention; only pages a browser would open. */
export function distinct(sources: readonly SearchSource[]): SearchSource[] {
  const seen = new Map<string, SearchSource>()
  for (const source of sources) {
    if (/^https?:\/\//.test(source.url) && !seen.has(source.url)) seen.set(source.url, source)
  }
  return [...seen.values()]
}

/** A field of something that came over the wire, whatever it is. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value
  for (const key of path) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined
  return at
}

/** The items of something that should be a list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A string, or nothing. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
