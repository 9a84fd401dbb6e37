import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** What a stub account service was asked, and how it answers. */
export interface OAuthStub {
  /** Of this machine, without a trailing slash. */
  readonly url: string
  /** Paths that were asked, in order. */
  readonly asked: string[]
  /** The forms and JSON bodies that came for tokens. */
  readonly tokenRequests: Record<string, string>[]
  /** The person types the code: the next poll is answered with a token. */
  approve(): void
  /** The person refuses: the next poll is answered with an error. */
  deny(): void
  /** Resolves when the service has been polled this often. */
  polled(times: number): Promise<void>
}

export const DEVICE_TOKEN = 'gho_stub-device-token'
export const ACCESS_TOKEN = 'stub-access-token'
export const USER_CODE = 'WDJB-MJHT'

async function bodyOf(request: IncomingMessage): Promise<Record<string, string>> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += String(part)
  if (text === '') return {}
  return text.startsWith('{')
    ? (JSON.parse(text) as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(text))
}

/** A real HTTP server on 127.0.0.1 that speaks a device-code flow and an authorization-code token exchange. */
export async function startOAuthStub(t: TestContext): Promise<OAuthStub> {
  const asked: string[] = []
  const tokenRequests: Record<string, string>[] = []
  const waiting = new Set<() => void>()
  let state: 'pending' | 'approved' | 'denied' = 'pending'
  let polls = 0
  const answers: Record<string, () => object> = {
    '/login/device/code': () => ({
      device_code: 'device-1',
      user_code: USER_CODE,
      verification_uri: 'https://github.com/login/device',
      interval: 1,
      expires_in: 600,
    }),
    '/login/oauth/access_token': () => {
      polls++
      for (const look of waiting) look()
      if (state === 'approved') return { access_token: DEVICE_TOKEN }
      return state === 'denied' ? { error: 'access_denied' } : { error: 'authorization_pending' }
    },
    '/copilot_internal/v2/token': () => ({ token: ACCESS_TOKEN, expires_at: Math.floor(Date.now() / 1000) + 3600 }),
    '/v1/oauth/token': () => ({ access_token: ACCESS_TOKEN, refresh_token: 'stub-refresh-token', expires_in: 3600 }),
  }
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      asked.push(path)
      if (path.endsWith('token')) tokenRequests.push(body)
      const answer = answers[path]
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer?.() ?? {}))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    tokenRequests,
    approve: () => void (state = 'approved'),
    deny: () => void (state = 'denied'),
    polled: (times) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (polls < times) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** The services that the library's account logins ask. */
const SERVICES = /^https:\/\/(?:(?:api\.)?github\.com|(?:[\w.]+\.)?githubcopilot\.com|platform\.claude\.com)/

/** Code that sends what is meant for an account service to a stub, for a process of its own. */
export function rerouteCode(url: string): string {
  return `
    const real = globalThis.fetch
    globalThis.fetch = (target, init) =>
      real(typeof target === 'string' ? target.replace(${String(SERVICES)}, ${JSON.stringify(url)}) : target, init)
  `
}

/** The same for this process, until the test ends. Called once the host is made, which has a `fetch` of its own. */
export function rerouteAccounts(t: TestContext, url: string): void {
  const real = globalThis.fetch
  globalThis.fetch = (target, init) => real(typeof target === 'string' ? target.replace(SERVICES, url) : target, init)
  t.after(() => {
    globalThis.fetch = real
  })
}
