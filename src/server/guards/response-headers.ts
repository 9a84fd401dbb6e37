import type { ServerMiddleware } from '../server-env.js'

/**
 * What every response says. There is no header that lets another origin read anything: the page and the API share one.
 * Scripts come from files of ours only.
 */
export const RESPONSE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

/** Says them, where the answer says nothing else. */
export function withResponseHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(RESPONSE_HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value)
  }
  return response
}

/** Says them with every answer of the app. */
export function responseHeaders(): ServerMiddleware {
  return async (c, next) => {
    await next()
    withResponseHeaders(c.res)
  }
}
