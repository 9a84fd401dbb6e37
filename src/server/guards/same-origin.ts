import type { Addresses } from '../addresses.js'
import { refuse } from '../refuse.js'
import type { ServerMiddleware } from '../server-env.js'

/**
 * Refuses what a page of another origin sends: an Origin header is one of our own constants, or absent (a program,
 * which then has to bring the token like everybody). It is never compared with the Host header: both are the
 * attacker's when a name was rebound.
 */
export function sameOrigin(addresses: () => Addresses): ServerMiddleware {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin !== undefined && !addresses().origins.has(origin)) {
      return refuse('forbidden-origin', 'requests of another origin are not taken')
    }
    return next()
  }
}
