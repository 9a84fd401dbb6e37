import { EnvHttpProxyAgent, setGlobalDispatcher } from 'undici'
import { keepResponseTails } from './response-tail.js'

/** The proxies of an environment, each as its variable has it. */
export interface Proxies {
  readonly httpProxy: string | undefined
  readonly httpsProxy: string | undefined
  readonly noProxy: string | undefined
}

/** Sends whatever the process asks by `fetch` through these proxies, without limits on the time that answers take. */
export function routeRequests({ httpProxy, httpsProxy = httpProxy, noProxy }: Proxies): void {
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
