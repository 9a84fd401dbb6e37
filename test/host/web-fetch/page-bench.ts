import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { fetchPage, type FetchedPage, type FetchPageDeps } from '../../../src/host/tools/web-fetch/fetch-page.js'
import type { WebFetchRefusal } from '../../../src/host/tools/web-fetch/refusal.js'
import type { WebTransport } from '../../../src/host/tools/web-fetch/transport.js'

/** A public address of the documentation range. */
export const PUBLIC = '203.0.113.10'

/** A server on loopback; the returned transport reaches it whatever address it was given. */
export async function startWeb(t: TestContext, listener: RequestListener): Promise<WebTransport> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return ({ url, signal }) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const path = url.pathname + url.search
      request({ host: '127.0.0.1', port, path, headers: { host: url.host }, agent: false, signal }, resolve)
        .on('error', reject)
        .end()
    })
}

/** Fetches with listed hosts that resolve to a public address; time stands still. */
export function fetchListed(
  url: string,
  deps: Partial<FetchPageDeps> & Pick<FetchPageDeps, 'transport'>,
  signal?: AbortSignal,
): Promise<FetchedPage | WebFetchRefusal> {
  return fetchPage(
    url,
    {
      config: { kind: 'ok', config: { webFetch: { allowedHosts: ['docs.example.com', 'api.example.org'] } } },
      resolve: () => Promise.resolve([PUBLIC]),
      after: () => () => {},
      ...deps,
    },
    signal,
  )
}

/** The code of a refusal, or `page`. */
export function codeOf(result: FetchedPage | WebFetchRefusal): string {
  return result.kind === 'refused' ? result.code : result.kind
}

/** The page; fails on a refusal. */
export function pageOf(result: FetchedPage | WebFetchRefusal): FetchedPage {
  if (result.kind === 'refused') throw new Error(`refused: ${result.code}: ${result.reason}`)
  return result
}
