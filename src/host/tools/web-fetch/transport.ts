import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { isIPv6 } from 'node:net'

/** Every address a name has now. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** One GET to addresses that were all checked; the name is for the request line and the certificate only. */
export type WebTransport = (request: {
  readonly url: URL
  /** At least one; the first that can be connected to is used. */
  readonly addresses: readonly string[]
  readonly signal: AbortSignal
}) => Promise<IncomingMessage>

export const resolveHost: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

/** What every request says, whatever the model asked for. No cookies, and nothing of the model's own. */
export const REQUEST_HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'enso-web-fetch/1',
  accept: 'text/html, text/*, application/json, application/xml, application/xhtml+xml',
  'accept-encoding': 'gzip, deflate, br',
}

/**
 * Connects to the checked addresses and to nothing else: the name isn't looked up again, no proxy is used, and no
 * connection is shared with another call. The certificate is checked whatever the environment says.
 */
export const fetchFromAddress: WebTransport = ({ url, addresses, signal }) =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const checked = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    const options: RequestOptions & { autoSelectFamily: boolean } = {
      method: 'GET',
      agent: false,
      headers: REQUEST_HEADERS,
      rejectUnauthorized: true,
      autoSelectFamily: true,
      signal,
      lookup: (_hostname, { all }, callback) => {
        if (all) callback(null, checked)
        else callback(null, checked[0]?.address ?? '', checked[0]?.family)
      },
    }
    const request = send(url, options, resolve)
    request.on('error', reject)
    request.end()
  })
