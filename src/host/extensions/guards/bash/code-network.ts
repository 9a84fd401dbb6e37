import type { Finding } from '../finding.js'
import type { Language } from './code.js'
import { isLoopbackHost, isLoopbackUrl } from './loopback.js'

/** Names by which each language opens a connection. */
const CONNECTIONS: Readonly<Record<Language, RegExp>> = {
  python:
    /\burllib\d?\b|\brequests\.\w+\(|\bimport\s+requests\b|\bhttpx?\b\.\w+|\bimport\s+httpx\b|\bhttp\.client\b|\baiohttp\b|\bsocket\.(?:socket|create_connection|getaddrinfo|gethostby\w+)|\bfrom\s+socket\b|\bsmtplib\b|\bftplib\b|\btelnetlib\b|\bparamiko\b|\bwebsockets?\.|\bxmlrpc\b|\basyncio\.open_connection\b|\burlopen\b|\bpycurl\b|\bdns\.resolver\b|\bwebbrowser\b/,
  javascript:
    /\bfetch\s*\(|\baxios\b|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bgot\s*[.(]|\bundici\b|['"`](?:node:)?(?:https?2?|net|tls|dgram|dns(?:\/promises)?)['"`]|\bDeno\.(?:connect|resolveDns)|\bBun\.connect|\bsendBeacon\b|\b(?:https?|net|tls|dns)\.(?:get|request|connect|createConnection|lookup|resolve\w*)\s*\(/,
  perl: /\bIO::Socket\b|\bLWP\b|\bHTTP::Tiny\b|\bNet::\w+|\bMojo::UserAgent\b|\bWWW::Mechanize\b|\bsocket\s*\(|\bgethostbyname\b|\bFurl\b/,
  ruby: /\bNet::\w+|\bnet\/\w+|\bopen-uri\b|\bURI\.open\b|\bTCPSocket\b|\bUDPSocket\b|\bSocket\.|\bHTTParty\b|\bFaraday\b|\bRestClient\b|\bResolv\b|\bopen\s*\(?\s*['"]https?:/,
  php: /\bcurl_\w+|\bfsockopen\b|\bstream_socket_client\b|\bsocket_connect\b|(?:file_get_contents|fopen|file|readfile|copy|include|require)\s*\(?\s*['"](?:https?|ftp|php):|\bgethostbyname\b|\bdns_get_record\b|\bmail\s*\(|\bSoapClient\b/,
  awk: /\/inet[46]?\/(?:tcp|udp)\//,
  other:
    /\bsocket\b|\bhttps?:\/\/|\burl-retrieve\b|\bdownload\.file\b|\burl\s*\(|\bHTTP\.\w+\(|\bHttpClient\b|\bmake-network-process\b/,
}

/** Why a one-liner may not run: it opens a connection, and not one that stays on this machine. */
export function usesNetwork(text: string, literals: readonly string[], language: Language): Finding | undefined {
  if (!CONNECTIONS[language].test(text)) return undefined
  const urls = literals.filter((literal) => /^[a-z][a-z0-9+.-]*:\/\//i.test(literal))
  const hosts = literals.filter((literal) => isLoopbackHost(literal))
  const local = urls.length > 0 ? urls.every(isLoopbackUrl) : hosts.length > 0
  if (local && !/https?:\/\/(?!localhost|127\.|\[::1\])/i.test(text)) return undefined
  // Reading a module's constants or parsing a URL connects to nothing.
  if (
    language === 'python' &&
    /\burllib\.parse\b/.test(text) &&
    !/urlopen|urlretrieve|urllib\.request|requests\./.test(text)
  )
    return undefined
  return {
    rule: 'network-egress',
    reason:
      'this code opens a connection to another host. Use web_fetch for a listed host; the person sends anything else.',
  }
}
