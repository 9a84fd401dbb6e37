import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '../refuse.js'
import type { ServerMiddleware } from '../server-env.js'
import type { TokenSource } from '../token/token.js'

const BEARER = /^Bearer ([A-Za-z0-9_-]{1,512})$/i

/**
 * Every route that holds data asks for the token, reading ones and event streams included. It is asked of the source
 * for each request, because a kept one may be changed while the server runs; one answer for every kind of wrong.
 */
export function bearerToken(source: TokenSource): ServerMiddleware {
  return async (c, next) => {
    const given = BEARER.exec(c.req.header('authorization') ?? '')?.[1]
    const expected = source.current()
    if (given !== undefined && expected !== undefined && isSame(given, expected)) return next()
    const response = refuse('unauthorized', 'this needs the token')
    response.headers.set('www-authenticate', 'Bearer')
    return response
  }
}

/** Compares digests: the time it takes says nothing of either text, its length included. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
