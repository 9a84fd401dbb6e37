import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { ModelDoor, SearchBackend } from '../../../src/host/tools/web-search/backend.js'
import { canSearch, chooseBackends } from '../../../src/host/tools/web-search/choose-backends.js'
import { search } from '../../../src/host/tools/web-search/search.js'
import { searchText } from '../../../src/host/tools/web-search/tool.js'

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

async function withService(
  answer: (asked: Asked) => { status?: number; body: unknown },
  use: (url: string, asked: Asked[]) => Promise<void>,
): Promise<void> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const sent = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      const one = { path: request.url ?? '', headers: request.headers, body: sent }
      asked.push(one)
      const { status, body } = answer(one)
      response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const door = (api: string, baseUrl: string): ModelDoor => ({
  provider: 'local',
  api,
  id: 'm',
  baseUrl,
  apiKey: 'key-1',
  headers: { 'x-own': 'yes' },
})
const never = (): (() => void) => () => {}
const backendsFor = (model: ModelDoor | undefined, more: Partial<Parameters<typeof chooseBackends>[0]> = {}) =>
  chooseBackends({
    config: undefined,
    env: {},
    endpoints: { deepseek: 'http://127.0.0.1:1', tavily: 'http://127.0.0.1:1' },
    model: () => Promise.resolve(model),
    apiKey: () => Promise.resolve(undefined),
    ...more,
  })

const WIRES: readonly {
  api: string
  path: string
  auth: readonly [string, string]
  reply: unknown
  tool: RegExp
}[] = [
  {
    api: 'anthropic-messages',
    path: '/v1/messages',
    auth: ['x-api-key', 'key-1'],
    tool: /web_search_20250305/,
    reply: {
      content: [
        {
          type: 'web_search_tool_result',
          content: [
            { type: 'web_search_result', title: 'A', url: 'https://a.example/' },
            { type: 'web_search_result', title: 'B', url: 'https://b.example/' },
          ],
        },
        { type: 'text', text: 'Found ', citations: [{ title: 'B', url: 'https://b.example/' }] },
        { type: 'text', text: 'it.' },
      ],
    },
  },
  {
    api: 'openai-responses',
    path: '/responses',
    auth: ['authorization', 'Bearer key-1'],
    tool: /"web_search"/,
    reply: {
      output: [
        { type: 'web_search_call' },
        {
          type: 'message',
          content: [
            {
              type: 'output_text',
              text: 'Found it.',
              annotations: [
                { type: 'url_citation', title: 'B', url: 'https://b.example/' },
                { type: 'url_citation', title: 'B again', url: 'https://b.example/' },
                { type: 'url_citation', title: 'A', url: 'https://a.example/' },
                { type: 'url_citation', title: 'bad', url: 'javascript:alert(1)' },
              ],
            },
          ],
        },
      ],
    },
  },
  {
    api: 'google-generative-ai',
    path: '/models/m:generateContent',
    auth: ['x-goog-api-key', 'key-1'],
    tool: /google_search/,
    reply: {
      candidates: [
        {
          content: { parts: [{ text: 'Found it.' }] },
          groundingMetadata: {
            groundingChunks: [
              { web: { title: 'B', uri: 'https://b.example/' } },
              { web: { title: 'A', uri: 'https://a.example/' } },
            ],
          },
        },
      ],
    },
  },
]

for (const wire of WIRES) {
  test(`a model on the ${wire.api} wire searches with its own provider`, async () => {
    await withService(
      () => ({ body: wire.reply }),
      async (url, asked) => {
        const backends = await backendsFor(door(wire.api, url))
        const result = await search('what is new', backends, never)
        assert.equal(result.backend, 'local/m')
        assert.equal(result.answer.text, 'Found it.')
        assert.deepEqual(result.answer.sources, [
          { title: 'B', url: 'https://b.example/' },
          { title: 'A', url: 'https://a.example/' },
        ])
        assert.equal(asked[0]?.path, wire.path)
        assert.equal(asked[0]?.headers[wire.auth[0]], wire.auth[1])
        assert.equal(asked[0]?.headers['x-own'], 'yes')
        assert.match(JSON.stringify(asked[0]?.body), wire.tool)
        assert.match(JSON.stringify(asked[0]?.body), /what is new/)
      },
    )
  })
}

test('a model whose wire has no search leaves no way to search', async () => {
  assert.deepEqual(await backendsFor(door('openai-completions', 'http://127.0.0.1:1')), [])
  assert.deepEqual(await backendsFor(undefined), [])
  assert.deepEqual(await backendsFor(door('constructor', 'http://127.0.0.1:1')), [])
})

test('deepseek is asked only when the configuration pins it, and then instead of the model', async () => {
  const apiKey = (provider: string): Promise<string | undefined> =>
    Promise.resolve(provider === 'deepseek' ? 'd' : undefined)
  const model = door('anthropic-messages', 'http://127.0.0.1:1')
  const names = async (config: { backend?: 'deepseek' } | undefined): Promise<string[]> =>
    (await backendsFor(model, { config, apiKey })).map((backend) => backend.name)
  assert.deepEqual(await names(undefined), ['local/m'])
  assert.deepEqual(await names({ backend: 'deepseek' }), ['deepseek/deepseek-chat'])
  assert.deepEqual(await backendsFor(model, { config: { backend: 'deepseek' } }), [])
})

test('whether there is a way to search is known without fetching a key, and is what the choice then comes to', async () => {
  const endpoints = { deepseek: 'http://127.0.0.1:1', tavily: 'http://127.0.0.1:1' }
  const choices = [
    { config: undefined, env: {} },
    { config: { backend: 'deepseek' as const }, env: {} },
    { config: undefined, env: { TAVILY_API_KEY: 't' } },
    { config: undefined, env: { TAVILY_API_KEY: '' } },
  ]
  const models = ['anthropic-messages', 'openai-responses', 'google-generative-ai', 'openai-completions', undefined]
  const seen: boolean[] = []
  for (const choice of choices) {
    for (const api of models) {
      for (const hasKeys of [true, false]) {
        const backends = await chooseBackends({
          ...choice,
          endpoints,
          model: () => Promise.resolve(api && hasKeys ? door(api, 'http://127.0.0.1:1') : undefined),
          apiKey: () => Promise.resolve(hasKeys ? 'd' : undefined),
        })
        const known = api === undefined ? undefined : { api, hasCredentials: hasKeys }
        const can = canSearch({ ...choice, endpoints }, known, () => hasKeys)
        assert.equal(can, backends.length > 0, JSON.stringify({ ...choice, api, hasKeys }))
        seen.push(can)
      }
    }
  }
  assert.ok(seen.includes(true) && seen.includes(false))
})

test('the fallback is asked only with its key, after the first has failed, with the domain lists passed on', async () => {
  await withService(
    ({ path }) =>
      path === '/tavily'
        ? { body: { answer: 'From afar.', results: [{ title: 'T', url: 'https://t.example/', content: 'text' }] } }
        : { status: 529, body: { error: 'overloaded' } },
    async (url, asked) => {
      const backends = await backendsFor(door('anthropic-messages', url), {
        env: { TAVILY_API_KEY: 't-key' },
        endpoints: { deepseek: `${url}/deepseek`, tavily: `${url}/tavily` },
        config: { tavily: { includeDomains: ['t.example'], excludeDomains: ['x.example'] } },
      })
      const result = await search('q', backends, never)
      assert.equal(result.backend, 'tavily')
      assert.match(result.failed[0] ?? '', /local\/m: HTTP 529/)
      assert.deepEqual(asked[1]?.body['include_domains'], ['t.example'])
      assert.deepEqual(asked[1]?.body['exclude_domains'], ['x.example'])
      assert.equal(asked[1]?.headers.authorization, 'Bearer t-key')
      const text = searchText(result)
      assert.match(text, /^External web content follows\./)
      assert.match(text, /From afar\.[^]*\[1\] T\n {4}https:\/\/t\.example\//)
    },
  )
})

test('primary and fallback share one deadline', async () => {
  let lapse = (): void => {}
  const asked: string[] = []
  const slow: SearchBackend = {
    name: 'slow',
    search: (_query, signal) =>
      new Promise((_, reject) => {
        asked.push('slow')
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        queueMicrotask(() => lapse())
      }),
  }
  const second: SearchBackend = {
    name: 'second',
    search: () => Promise.reject(new Error(String(asked.push('second')))),
  }
  const after = (ms: number, callback: () => void): (() => void) => {
    assert.equal(ms, 60_000)
    lapse = callback
    return () => {}
  }
  await assert.rejects(search('q', [slow, second], after), /slow: no answer within 60 seconds/)
  assert.deepEqual(asked, ['slow'])
})

test('a stop ends a search as a stop', async () => {
  const controller = new AbortController()
  const hanging: SearchBackend = {
    name: 'hanging',
    search: (_query, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped by a person')))
        controller.abort()
      }),
  }
  await assert.rejects(search('q', [hanging], never, controller.signal), /stopped by a person/)
})

test('an answer that is no answer is a failure that names who gave it', async () => {
  await withService(
    () => ({ body: { content: 'nonsense' } }),
    async (url) => {
      await assert.rejects(
        search('q', await backendsFor(door('anthropic-messages', url)), never),
        /local\/m: it found nothing/,
      )
    },
  )
})

test('a service that repeats what was sent to it does not get the key into a message', async () => {
  await withService(
    ({ headers }) => ({ status: 401, body: { error: `wrong key ${String(headers['x-api-key'])}` } }),
    async (url) => {
      const secret = {
        ...door('anthropic-messages', url),
        apiKey: 'very-secret-key',
        headers: { 'x-own': 'own-secret' },
      }
      await assert.rejects(search('q', await backendsFor(secret), never), (error: Error) => {
        assert.match(error.message, /local\/m: HTTP 401: .*wrong key \[key\]/)
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    },
  )
})

test('a service that is not there, talks no JSON or leads elsewhere fails by its name', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/away/v1/messages') response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end()
    else response.end('<html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const of = async (base: string) => search('q', await backendsFor(door('anthropic-messages', base)), never)
    await assert.rejects(of(url), /local\/m: its answer is not JSON/)
    await assert.rejects(of(`${url}/away`), /local\/m: it can't be reached/)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const gone = search('q', await backendsFor(door('anthropic-messages', url)), never)
  await assert.rejects(gone, /local\/m: it can't be reached \(\w+\)/)
})

test('a search that the provider refused is a failure, and the fallback is asked', async () => {
  const refused = { type: 'web_search_tool_result', content: { type: 'error', error_code: 'max_uses_exceeded' } }
  await withService(
    ({ path }) =>
      path === '/tavily'
        ? { body: { results: [{ title: 'T', url: 'https://t.example/', content: 'text' }] } }
        : { body: { content: [refused, { type: 'text', text: 'I could not search.' }] } },
    async (url) => {
      const endpoints = { deepseek: url, tavily: `${url}/tavily` }
      const env = { TAVILY_API_KEY: 't-key' }
      const result = await search('q', await backendsFor(door('anthropic-messages', url), { env, endpoints }), never)
      assert.equal(result.backend, 'tavily')
      assert.deepEqual(result.failed, ['local/m: its search answered max_uses_exceeded'])
    },
  )
})

test("a subscription's token is sent as the library sends it", async () => {
  await withService(
    () => ({ body: WIRES[0]!.reply }),
    async (url, asked) => {
      const token = { ...door('anthropic-messages', url), apiKey: 'sk-ant-oat01-x', headers: {} }
      await search('q', await backendsFor(token), never)
      assert.equal(asked[0]?.headers.authorization, 'Bearer sk-ant-oat01-x')
      assert.equal(asked[0]?.headers['x-api-key'], undefined)
      assert.match(String(asked[0]?.headers['anthropic-beta']), /oauth-2025-04-20/)
      assert.match(String(asked[0]?.body['system']), /^You are Claude Code/)
    },
  )
})
