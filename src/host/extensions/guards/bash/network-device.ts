import { type Finding, shown } from '../finding.js'
import { isLoopbackHost } from './loopback.js'
import { unmarked } from './marks.js'

/** The shell's own sockets, `/dev/tcp/HOST/PORT`, to any host but this one. */
export function networkDevice(word: string): Finding | undefined {
  const match = /\/dev\/(?:tcp|udp)\/([^/]*)/.exec(word)
  if (match === null || isLoopbackHost(match[1] ?? '')) return undefined
  return {
    rule: 'network-egress',
    reason: `${shown(unmarked(word))} opens a connection to another host. Use web_fetch for a listed host; the person sends anything else.`,
  }
}
