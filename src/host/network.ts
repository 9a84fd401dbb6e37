import { keepResponseTails } from './response-tail.js'
import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'

type Environment = Readonly<Record<string, string | undefined>>

/** The variable in either spelling; the lower-case one first, as curl has it. */
function named(env: Environment, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined
}

/**
 * Makes every `fetch` of the process go through the proxies of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY),
 * and lets a model think: no limit on the time until the first byte or between two.
 */
export function useProxyFromEnvironment(env: Environment): void {
  const httpProxy = named(env, 'HTTP_PROXY')
  const httpsProxy = named(env, 'HTTPS_PROXY') ?? httpProxy
  const noProxy = named(env, 'NO_PROXY')
  setGlobalDispatcher(
    new EnvHttpProxyAgent({
      ...(httpProxy === undefined ? {} : { httpProxy }),
      ...(httpsProxy === undefined ? {} : { httpsProxy }),
      ...(noProxy === undefined ? {} : { noProxy }),
      bodyTimeout: 0,
      headersTimeout: 0,
    }).compose(keepResponseTails),
  )
}
