import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6 } from 'node:net'

/** Every address a name has now. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>

/** One GET to an address that was already checked; the name is for the request line and the certificate only. */
export type WebTransport = (request: {
  readonly url: URL
  readonly address: string
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
 * Connects to the checked address and to nothing else: the name isn't looked up again, no proxy is used, and no
 * connection is shared with another call.
 */
export const fetchFromAddress: WebTransport = ({ url, address, signal }) =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const family = isIPv6(address) ? 6 : 4
    const request = send(
      url,
      {
        method: 'GET',
        agent: false,
        headers: REQUEST_HEADERS,
        signal,
        lookup: (_hostname, options, callback) => {
          if (options.all) callback(null, [{ address, family }])
          else callback(null, address, family)
        },
      },
      resolve,
    )
    request.once('error', reject)
    request.end()
  })
