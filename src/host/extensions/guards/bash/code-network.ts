import type { Finding } from '../finding.js'
import type { Language } from './code-language.js'
import { isLoopbackHost, isLoopbackUrl } from './loopback.js'

/** What opens a connection by itself, by language. */
const CONNECTS: Readonly<Record<Language, RegExp>> = {
  python: /\burlopen\s*\(|\burlretrieve\s*\(|\bcreate_connection\s*\(|\bopen_connection\s*\(|\bwebbrowser\.open/,
  javascript:
    /\bfetch\s*\(|\bXMLHttpRequest\b|\bWebSocket\b|\bEventSource\b|\bDeno\.(?:connect|resolveDns)|\bBun\.connect|\bsendBeacon\b/,
  perl: /\bIO::Socket\b|\bLWP\b|\bHTTP::Tiny\b|\bNet::\w+|\bMojo::UserAgent\b|\bWWW::Mechanize\b|\bsocket\s*\(|\bgethostbyname\b|\bFurl\b/,
  ruby: /\bNet::\w+|\bURI\.open\b|\bTCPSocket\b|\bUDPSocket\b|\bSocket\.(?:tcp|udp|new)|\bHTTParty\b|\bFaraday\b|\bRestClient\b|\bResolv\b|\bopen\s*\(?\s*['"]https?:/,
  php: /\bcurl_\w+|\bfsockopen\b|\bstream_socket_client\b|\bsocket_connect\b|(?:file_get_contents|fopen|file|readfile|copy|include|require)\s*\(?\s*['"](?:https?|ftp|php):|\bgethostbyname\b|\bdns_get_record\b|\bmail\s*\(|\bSoapClient\b/,
  awk: /\/inet[46]?\/(?:tcp|udp)\//,
  other:
    /\bsocket\b|\bhttps?:\/\/|\burl-retrieve\b|\bdownload\.file\b|\burl\s*\(|\bHTTP\.\w+\(|\bHttpClient\b|\bmake-network-process\b/,
}

/** Modules that can open one, and the calls of theirs that do: a look at a module's version connects to nothing. */
const MODULES: Readonly<Partial<Record<Language, readonly [RegExp, RegExp]>>> = {
  python: [
    /\b(?:urllib\d?|requests|httpx|http|aiohttp|socket|smtplib|ftplib|telnetlib|poplib|imaplib|paramiko|websockets?|xmlrpc|pycurl|boto3|dns|ssl)\b/,
    /[.\s](?:get|post|put|patch|delete|head|options|request|urlopen|urlretrieve|connect\w*|create_connection|HTTPS?Connection|send\w*|SMTP(?:_SSL)?|FTP(?:_TLS)?|Telnet|gethostby\w+|getaddrinfo|Session|Client|ClientSession|stream|resolve|query|client|resource|ServerProxy)\s*\(/,
  ],
  javascript: [
    /['"`](?:node:)?(?:https?2?|net|tls|dgram|dns(?:\/promises)?|axios|got|undici|node-fetch|ws|superagent|needle)['"`]|\b(?:axios|got|undici|superagent)\b|\b(?:https?|net|tls|dns)\./,
    /(?<!require\.)\b(?:get|request|post|put|patch|head|delete|connect|createConnection|lookup|resolve\w*|send|stream|default)\s*\(|\b(?:axios|got|superagent)\s*\(/,
  ],
  ruby: [/net\/\w+|open-uri|socket/, /\.(?:get|post|start|open|new|request|getaddress)\b|\bopen\b/],
}

/** Why a one-liner may not run: it opens a connection, and not one that stays on this machine. */
export function usesNetwork(text: string, literals: readonly string[], language: Language): Finding | undefined {
  if (!connects(text, literals, language)) return undefined
  const urls = literals.filter((literal) => /^[a-z][a-z0-9+.-]*:\/\//i.test(literal))
  const hosts = literals.filter((literal) => isLoopbackHost(literal))
  const local = urls.length > 0 ? urls.every(isLoopbackUrl) : hosts.length > 0
  if (local && !/https?:\/\/(?!localhost|127\.|\[::1\])/i.test(text)) return undefined
  return {
    rule: 'network-egress',
    reason:
      'this code opens a connection to another host. Use web_fetch for a listed host; the person sends anything else.',
  }
}

function connects(text: string, literals: readonly string[], language: Language): boolean {
  if (CONNECTS[language].test(text)) return true
  const modules = MODULES[language]
  if (modules === undefined || !modules[0].test(text)) return false
  return modules[1].test(text) || literals.some((literal) => /^https?:\/\//i.test(literal))
}
