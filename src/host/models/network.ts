import { createModelFetch } from './fetch/model-fetch.js'
import type { Proxies } from './proxy-route.js'
import { currentTail } from './response-tail.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The process's own. */
const nodeFetch = globalThis.fetch
let proxies: Proxies = proxiesOf({})
let routed: Promise<void> | undefined

/** Either spelling of a variable counts; the lower-case one first, as curl has it. */
function proxiesOf(env: Environment): Proxies {
  const named = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined
  return { httpProxy: named('HTTP_PROXY'), httpsProxy: named('HTTPS_PROXY'), noProxy: named('NO_PROXY') }
}

const isProxied = ({ httpProxy, httpsProxy }: Proxies): boolean => (httpProxy ?? httpsProxy) !== undefined

async function route(): Promise<void> {
  const { routeRequests } = await import('./proxy-route.js')
  routeRequests(proxies)
}

// What routes requests takes longer to load than all else that a first request needs: it is loaded with that request.
const routedFetch: typeof globalThis.fetch = async (...request) => {
  await (routed ??= route())
  return nodeFetch(...request)
}

/**
 * Makes every `fetch` of the process go through the proxies of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY),
 * and lets a model think: no limit on the time until the first byte or between two.
 */
export function useProxyFromEnvironment(env: Environment): void {
  proxies = proxiesOf(env)
  // With a proxy, other ways to connect than `fetch` take the same route, and find it from the start.
  routed = isProxied(proxies) ? route() : undefined
  globalThis.fetch = routedFetch
}

/**
 * The `fetch` that the libraries of the model providers get: the bundle puts it where they take theirs from.
 * @public
 */
export const modelFetch = createModelFetch({
  fetch: (...request) => globalThis.fetch(...request),
  isProxied: () => isProxied(proxies),
  watch: currentTail,
})
