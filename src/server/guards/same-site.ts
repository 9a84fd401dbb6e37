import { refuse } from '../refuse.js'
import type { ServerMiddleware } from '../server-env.js'

/** Where a browser says how a request came about, takes only those of our own page. */
export function sameSite(): ServerMiddleware {
  return async (c, next) => {
    const site = c.req.header('sec-fetch-site')
    if (site !== undefined && site !== 'same-origin') {
      return refuse('forbidden-origin', 'requests of another site are not taken')
    }
    return next()
  }
}
