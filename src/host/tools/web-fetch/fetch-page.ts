import type { IncomingMessage } from 'node:http'
import type { EnsoConfigParseResult } from '../../../core/config.js'
import { ENSO_CONFIG_EXAMPLE, ENSO_CONFIG_FILENAME } from '../../../core/config.js'
import { WEB_FETCH_MAX_RESPONSE_BYTES, WEB_FETCH_TIMEOUT_MS } from '../../../core/web-fetch.js'
import { isForbiddenAddress } from './addresses.js'
import { isPlainHostname } from '../../../core/web-fetch.js'
import { checkUrl } from './check-url.js'
import { isTextType, pageText } from './page-text.js'
import { contentEncoding, isKnownEncoding, readBody } from './read-body.js'
import { refused, type WebFetchRefusal } from './refusal.js'
import type { ResolveHost, WebTransport } from './transport.js'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface FetchPageDeps {
  /** The workspace's configuration as it was read, or `undefined` where there is none. */
  readonly config: EnsoConfigParseResult | undefined
  readonly resolve: ResolveHost
  readonly transport: WebTransport
  /** Calls back after so many milliseconds; the returned function cancels. */
  readonly after: (ms: number, callback: () => void) => () => void
  /** Told of each address before it is asked for, redirects included. */
  readonly asking?: (url: URL) => void
}

/** A page that was fetched. `bytes` are decoded ones. */
export interface FetchedPage {
  readonly kind: 'page'
  readonly url: string
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly bytes: number
  readonly cut: boolean
  /** All its bytes, where it was cut and the server had said how many there are. */
  readonly total?: number
}

/**
 * Fetches one page by the rules: listed host, checked address, redirects by hand and each by the same rules, text only,
 * bounded in bytes and time. The whole call has one deadline.
 */
export async function fetchPage(
  address: string,
  deps: FetchPageDeps,
  signal?: AbortSignal,
): Promise<FetchedPage | WebFetchRefusal> {
  const hosts = allowedHostsOf(deps.config)
  if (!Array.isArray(hosts)) return hosts
  const deadline = new AbortController()
  const cancel = deps.after(WEB_FETCH_TIMEOUT_MS, () => deadline.abort())
  const stopped = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
  try {
    return await Promise.race([followRedirects(address, hosts, deps, stopped), aborted(stopped)])
  } catch (error) {
    if (deadline.signal.aborted) {
      return refused('timeout', `the page did not arrive within ${WEB_FETCH_TIMEOUT_MS / 1000} seconds`)
    }
    if (signal?.aborted) throw error
    return refused('network', `the page could not be fetched: ${faultOf(error)}`)
  } finally {
    cancel()
    deadline.abort()
  }
}

/** A fault by its code, else its words: never with what was sent or received. */
function faultOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code ?? (message || 'unknown').split('\n')[0]!.slice(0, 200)
}

function allowedHostsOf(config: EnsoConfigParseResult | undefined): string[] | WebFetchRefusal {
  const example = `It needs for example ${ENSO_CONFIG_EXAMPLE}`
  if (config === undefined) {
    return refused('config-unreadable', `there is no ${ENSO_CONFIG_FILENAME}, so no host is listed. ${example}`)
  }
  if (config.kind === 'unreadable') {
    return refused('config-unreadable', `${ENSO_CONFIG_FILENAME} is unreadable (${config.reason}). ${example}`)
  }
  const hosts = config.config.webFetch.allowedHosts
  const odd = hosts.find((host) => !isPlainHostname(host))
  if (odd === undefined) return hosts
  return refused('config-unreadable', `'${odd}' in ${ENSO_CONFIG_FILENAME} is not a plain host name. ${example}`)
}

async function followRedirects(
  address: string,
  hosts: readonly string[],
  deps: FetchPageDeps,
  signal: AbortSignal,
): Promise<FetchedPage | WebFetchRefusal> {
  let target = address
  let previous: URL | undefined
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const checked = checkUrl(target, hosts)
    if (checked.kind === 'refused') return previous === undefined ? checked : asRedirect(checked, target)
    const { url } = checked
    if (previous?.protocol === 'https:' && url.protocol === 'http:') {
      return refused('redirect-downgrade', `the page leads from https to http (${url.hostname})`)
    }
    const addresses = await checkedAddresses(url, deps)
    if ('kind' in addresses) return addresses
    deps.asking?.(url)
    const response = await deps.transport({ url, addresses, signal })
    const location = response.headers.location
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return pageOf(url, response, signal)
    response.destroy()
    previous = url
    try {
      target = new URL(location, url).href
    } catch {
      return refused('invalid-url', 'the page leads to something that is not a URL')
    }
  }
  return refused('redirect-limit', `the page leads on more than ${MAX_REDIRECTS} times`)
}

function asRedirect(refusal: WebFetchRefusal, target: string): WebFetchRefusal {
  if (refusal.code !== 'host-not-allowed') return refusal
  return refused('redirect-host', `the page leads to ${new URL(target).hostname}, which is not listed`)
}

/** The name's addresses, all of them public. Looked up once: what was checked is what is connected to. */
async function checkedAddresses({ hostname }: URL, deps: FetchPageDeps): Promise<readonly string[] | WebFetchRefusal> {
  let addresses: readonly string[]
  try {
    addresses = await deps.resolve(hostname)
  } catch (error) {
    return refused('unresolved', `${hostname} could not be looked up: ${faultOf(error)}`)
  }
  const bad = addresses.find(isForbiddenAddress)
  if (bad !== undefined) return refused('private-address', `${hostname} has the address ${bad}, which is not public`)
  return addresses.length > 0 ? addresses : refused('unresolved', `${hostname} has no address`)
}

async function pageOf(
  url: URL,
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<FetchedPage | WebFetchRefusal> {
  const refuse = (refusal: WebFetchRefusal): WebFetchRefusal => {
    response.destroy()
    return refusal
  }
  const stated = response.headers['content-type']
  const contentType = stated ?? 'text/plain'
  if (!isTextType(contentType)) {
    return refuse(refused('content-type', `${url.href} is ${namedType(contentType)}; only text is fetched`))
  }
  const encoding = contentEncoding(response)
  if (!isKnownEncoding(encoding)) {
    return refuse(refused('content-encoding', `${url.href} is packed in a way that is not read`))
  }
  const { bytes, cut } = await readBody(response, signal)
  if (stated === undefined && bytes.includes(0)) {
    return refused('content-type', `${url.href} says no type and is no text; only text is fetched`)
  }
  const text = pageText({ bytes, cut, contentType, url })
  if (text === undefined) return refused('too-deep', `the HTML of ${url.href} is nested too deep to be read`)
  const length = encoding === '' ? Number(response.headers['content-length']) : Number.NaN
  const mark = cut ? `\n\n[cut: only the first ${WEB_FETCH_MAX_RESPONSE_BYTES} bytes were read]` : ''
  return {
    kind: 'page',
    url: url.href,
    status: response.statusCode ?? 0,
    contentType,
    text: text + mark,
    bytes: bytes.length,
    cut,
    ...(cut && length > bytes.length ? { total: length } : {}),
  }
}

/** A type by its name alone: a refusal is read without the notice, so nothing that a page could put there is in it. */
function namedType(contentType: string): string {
  return /^[\w.+-]{1,40}\/[\w.+-]{1,60}(?=\s*(?:;|$))/.exec(contentType)?.[0] ?? 'of an unknown type'
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(new Error('stopped'))
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
