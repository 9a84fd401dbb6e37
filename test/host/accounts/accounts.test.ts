import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EnsoDialogSpec, LoginInteraction } from '../../../src/core/index.js'
import { oauthCallbacks } from '../../../src/host/accounts/oauth-callbacks.js'
import { ACCESS_TOKEN, DEVICE_TOKEN, rerouteAccounts, startOAuthStub, USER_CODE } from '../../support/oauth-stub.js'
import { bench } from '../host-bench.js'

/** The port on which the library waits for the callback of this account. */
const CALLBACK_PORT = 53692

/** A person at a login: what was asked and said, and answers that come when the test says so. */
function person() {
  const said: string[] = []
  const questions: EnsoDialogSpec[] = []
  let arrived = (): void => undefined
  let answer = (_text: string | undefined): void => undefined
  const input: LoginInteraction['input'] = (spec, signal) => {
    questions.push(spec)
    arrived()
    return new Promise((resolve) => {
      answer = resolve
      signal?.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  }
  return {
    said,
    questions,
    interaction: {
      input,
      select: async () => undefined,
      progress: (message) => void said.push(message),
    } satisfies LoginInteraction,
    async asked(count: number): Promise<EnsoDialogSpec> {
      while (questions.length < count) await new Promise<void>((resolve) => void (arrived = resolve))
      return questions[count - 1]!
    },
    answer: (text: string | undefined) => answer(text),
  }
}

/** Does anything listen there? */
function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

const stored = (agentDir: string): Record<string, Record<string, unknown>> =>
  JSON.parse(readFileSync(join(agentDir, 'auth.json'), 'utf8')) as Record<string, Record<string, unknown>>

test('a device-code account: the code is shown, the service is polled until the person has typed it', async (t) => {
  const stub = await startOAuthStub(t)
  const { host, agentDir } = await bench(t)
  rerouteAccounts(t, stub.url)
  const someone = person()
  const login = host.credentials.login('github-copilot/oauth', someone.interaction)
  const domain = await someone.asked(1)
  assert.ok(domain.method === 'input' && domain.secret !== true)
  someone.answer('')
  await stub.polled(1)
  assert.ok(someone.said.some((line) => line.includes('https://github.com/login/device') && line.includes(USER_CODE)))
  stub.approve()
  assert.equal(await login, 'logged in to GitHub Copilot')
  const kept = stored(agentDir)['github-copilot']
  assert.deepEqual([kept?.['type'], kept?.['access'], kept?.['refresh']], ['oauth', ACCESS_TOKEN, DEVICE_TOKEN])
  assert.equal(statSync(join(agentDir, 'auth.json')).mode & 0o777, 0o600)
})

test('a device code that the person refuses, and one that is cancelled, store nothing', async (t) => {
  const stub = await startOAuthStub(t)
  const { host, agentDir } = await bench(t)
  rerouteAccounts(t, stub.url)
  const first = person()
  const refused = host.credentials.login('github-copilot/oauth', first.interaction)
  await first.asked(1)
  first.answer('')
  stub.deny()
  await assert.rejects(refused, /the login failed: .*access_denied/)

  const polls = stub.asked.filter((path) => path === '/login/oauth/access_token').length
  const second = person()
  const stop = new AbortController()
  const cancelled = host.credentials.login('github-copilot/oauth', second.interaction, stop.signal)
  await second.asked(1)
  second.answer('')
  await stub.polled(polls)
  stop.abort()
  await assert.rejects(cancelled, /the login was cancelled/)
  assert.deepEqual(stored(agentDir), {})
})

test('an account that calls back: the question goes away when the browser comes first', async (t) => {
  const stub = await startOAuthStub(t)
  const { host, agentDir } = await bench(t)
  rerouteAccounts(t, stub.url)
  const someone = person()
  const login = host.credentials.login('anthropic/oauth', someone.interaction)
  const question = await someone.asked(1)
  assert.ok(question.method === 'input' && question.link !== undefined)
  const page = new URL(question.link.url)
  assert.equal(page.protocol, 'https:')
  const back = new URL(page.searchParams.get('redirect_uri')!)
  back.hostname = '127.0.0.1'
  back.searchParams.set('code', 'code-from-browser')
  back.searchParams.set('state', page.searchParams.get('state')!)
  const [response] = (await once(get(back), 'response')) as [{ statusCode: number; resume(): void }]
  response.resume()
  assert.equal(response.statusCode, 200)
  assert.match(await login, /^logged in to Anthropic/)
  assert.equal(stub.tokenRequests.at(-1)?.['code'], 'code-from-browser')
  assert.equal(stored(agentDir)['anthropic']?.['access'], ACCESS_TOKEN)
  assert.equal(await listens(CALLBACK_PORT), false)
})

test('an account that calls back takes the address pasted by hand', async (t) => {
  const stub = await startOAuthStub(t)
  const { host, agentDir } = await bench(t)
  rerouteAccounts(t, stub.url)
  const someone = person()
  const login = host.credentials.login('anthropic/oauth', someone.interaction)
  const question = await someone.asked(1)
  assert.ok(question.method === 'input' && question.link !== undefined)
  const state = new URL(question.link.url).searchParams.get('state')!
  someone.answer(`http://localhost:${CALLBACK_PORT}/callback?code=pasted&state=${state}`)
  await login
  assert.equal(stub.tokenRequests.at(-1)?.['code'], 'pasted')
  assert.equal(stored(agentDir)['anthropic']?.['access'], ACCESS_TOKEN)
})

test('a cancelled login closes the server that waited for the callback, however it is cancelled', async (t) => {
  const stub = await startOAuthStub(t)
  const { host, agentDir } = await bench(t)
  rerouteAccounts(t, stub.url)
  const first = person()
  const declined = host.credentials.login('anthropic/oauth', first.interaction)
  await first.asked(1)
  assert.equal(await listens(CALLBACK_PORT), true)
  first.answer(undefined)
  await assert.rejects(declined, /the login was cancelled/)
  assert.equal(await listens(CALLBACK_PORT), false)

  const second = person()
  const stop = new AbortController()
  const stopped = host.credentials.login('anthropic/oauth', second.interaction, stop.signal)
  await second.asked(1)
  stop.abort()
  await assert.rejects(stopped, /the login was cancelled/)
  assert.equal(await listens(CALLBACK_PORT), false)
  assert.deepEqual(stored(agentDir), {})
})

test('only the address of a web page becomes a link', async () => {
  for (const [url, link] of [
    ['https://example.com/login', 'https://example.com/login'],
    ['http://127.0.0.1:8080/login', 'http://127.0.0.1:8080/login'],
    ['javascript:alert(1)', undefined],
    ['file:///etc/passwd', undefined],
  ] as const) {
    const someone = person()
    const callbacks = oauthCallbacks({ name: 'Someone', usesCallbackServer: true }, someone.interaction, undefined)
    callbacks.onAuth({ url })
    const question = await someone.asked(1)
    assert.equal(question.method === 'input' ? question.link?.url : 'none', link)
    callbacks.finished()
  }
})
