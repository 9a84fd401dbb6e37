import { refuse } from '../refuse.js'
import type { ServerMiddleware } from '../server-env.js'

/**
 * Takes only paths that mean what they say: no route here has a name that needs an escape, so one can only hide
 * something (`%2f`, `%00`, a second decoding). Dot segments and backslashes are refused for the same reason.
 */
export function plainPath(): ServerMiddleware {
  return async (c, next) => {
    const reason = pathRefusal(pathOf(c.req.url))
    return reason === undefined ? next() : refuse('malformed', reason)
  }
}

function pathRefusal(path: string): string | undefined {
  if (!/^[\w\-.~/]*$/.test(path)) return 'the path holds a character that no path here has'
  return path.split('/').some((segment) => segment === '.' || segment === '..')
    ? 'the path leaves its place'
    : undefined
}

/** The path as it was sent. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const end = url.slice(start).search(/[?#]/)
  return start === -1 ? '/' : end === -1 ? url.slice(start) : url.slice(start, start + end)
}
