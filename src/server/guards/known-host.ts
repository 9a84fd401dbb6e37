import type { Addresses } from '../addresses.js'
import { refuse } from '../refuse.js'
import type { ServerMiddleware } from '../server-env.js'

/**
 * Takes only requests that name this server by one of its own names, port included, in the Host header and in the
 * target alike: a page of elsewhere whose name was pointed here (DNS rebinding) says its own name. Comes before
 * everything else.
 */
export function knownHost(addresses: () => Addresses): ServerMiddleware {
  return async (c, next) => {
    const { hosts } = addresses()
    const header = c.req.header('host')?.toLowerCase()
    // A target may be a whole address of its own. A URL leaves port 80 out; a name of ours need not.
    const target = new URL(c.req.url).host
    if (header === undefined || !hosts.has(header) || !(hosts.has(target) || hosts.has(`${target}:80`))) {
      return refuse('forbidden-origin', 'this server is not known by that name')
    }
    return next()
  }
}
