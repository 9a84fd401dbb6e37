import { ENSO_CONFIG_EXAMPLE, ENSO_CONFIG_FILENAME } from '../../../core/config.js'
import { WEB_FETCH_MAX_URL_LENGTH } from '../../../core/web-fetch.js'
import { refused, type WebFetchRefusal } from './refusal.js'

/**
 * Is this URL one the configuration grants? Decided on the parsed host name only, compared whole: no suffix, no prefix,
 * no wildcard. Numbers in odd notations, escapes and look-alikes are what the parser makes of them, and so other hosts.
 */
export function checkUrl(text: string, allowedHosts: readonly string[]): { kind: 'ok'; url: URL } | WebFetchRefusal {
  if (text.length > WEB_FETCH_MAX_URL_LENGTH) {
    return refused(
      'url-too-long',
      `the URL has ${text.length} characters; at most ${WEB_FETCH_MAX_URL_LENGTH} are taken`,
    )
  }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return refused('invalid-url', 'this is not a URL')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused('scheme', `only http and https are fetched, not ${url.protocol.slice(0, -1)}`)
  }
  if (url.username !== '' || url.password !== '') return refused('credentials', 'a URL with credentials is not fetched')
  if (url.port !== '') return refused('port', `only the default port is fetched, not ${url.port}`)
  const host = url.hostname
  if (host.endsWith('.') || !allowedHosts.some((allowed) => allowed.toLowerCase() === host)) {
    return refused(
      'host-not-allowed',
      `${host} is not listed. The person can list it in ${ENSO_CONFIG_FILENAME}: ${ENSO_CONFIG_EXAMPLE}`,
    )
  }
  return { kind: 'ok', url }
}
