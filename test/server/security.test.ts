import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { RESPONSE_HEADERS } from '../../src/server/guards/response-headers.js'
import { SOCKET_LIMITS } from '../../src/server/guards/socket-limits.js'
import { listen } from '../../src/server/listen.js'
import type { ServerRoute } from '../../src/server/route.js'
import { type Asked, readEvents, servedApp, TEST_HOST, TEST_TOKEN } from '../support/served-app.js'

/** What is tried on a route, and how a request is made of it. The plain request comes first: it has to be let in. */
const ATTACKS = {
  plain: (path, body) => [path, body],
  'no token': (path, body) => [path, { ...body, headers: { authorization: null } }],
  'wrong token': (path, body) => [path, { ...body, headers: { authorization: `Bearer ${TEST_TOKEN.slice(0, -1)}0` } }],
  'token as another scheme': (path, body) => [path, { ...body, headers: { authorization: `Basic ${TEST_TOKEN}` } }],
  'token in the query': (path, body) => [`${path}?token=${TEST_TOKEN}`, { ...body, headers: { authorization: null } }],
  'token as a cookie': (path, body) => [
    path,
    { ...body, headers: { authorization: null, cookie: `token=${TEST_TOKEN}` } },
  ],
  'a query nobody asked for': (path, body) => [`${path}?x=1`, body],
  'foreign Host': (path, body) => [path, { ...body, headers: { host: 'evil.example' } }],
  'Host without the port': (path, body) => [path, { ...body, headers: { host: '127.0.0.1' } }],
  'no Host': (path, body) => [path, { ...body, headers: { host: null } }],
  'rebound name': (path, body) => [
    path,
    {
      ...body,
      headers: { host: 'evil.example:4321', origin: 'http://evil.example:4321', 'sec-fetch-site': 'same-origin' },
    },
  ],
  'foreign Origin': (path, body) => [path, { ...body, headers: { origin: 'http://evil.example' } }],
  'Origin of another port': (path, body) => [path, { ...body, headers: { origin: 'http://127.0.0.1:4322' } }],
  'null Origin': (path, body) => [path, { ...body, headers: { origin: 'null' } }],
  'our Origin': (path, body) => [path, { ...body, headers: { origin: `http://${TEST_HOST}` } }],
  'no Origin': (path, body) => [path, body],
  'another site': (path, body) => [path, { ...body, headers: { 'sec-fetch-site': 'cross-site' } }],
  'text/plain': (path, body) => [path, withType(body, 'text/plain')],
  'a form': (path, body) => [path, withType(body, 'application/x-www-form-urlencoded')],
  '..%2f': (path, body) => [path.replace(/\/[^/]*$/, '/..%2f..%2fetc'), body],
  '%00': (path, body) => [`${path.replace(/\/$/, '')}/%00`, body],
  'doubly escaped': (path, body) => [path.replace(/\/[^/]*$/, '/%252e%252e'), body],
  'large body': (path, body) => [
    path,
    body.method === 'POST' ? { ...body, body: `{"x":"${'a'.repeat(150_000_000)}"}` } : body,
  ],
  'deep body': (path, body) => [
    path,
    body.method === 'POST' ? { ...body, body: `${'['.repeat(200)}${']'.repeat(200)}` } : body,
  ],
  'other method': (path, body) => [path, { ...body, method: 'PUT' }],
  'method override': (path, body) => [
    path,
    { ...body, method: 'GET', body: undefined, headers: { 'x-http-method-override': 'POST' } },
  ],
} as const satisfies Record<string, (path: string, body: Asked) => readonly [path: string, asked: Asked]>

type Attack = keyof typeof ATTACKS
type Row = Readonly<Record<Attack, number>>

function withType(body: Asked, type: string): Asked {
  return body.method === 'POST' ? { ...body, body: 'x=1', headers: { 'content-type': type } } : body
}

/** What every route of the API that reads answers. */
const READS: Row = {
  plain: 200,
  'no token': 401,
  'wrong token': 401,
  'token as another scheme': 401,
  'token in the query': 401,
  'token as a cookie': 401,
  'a query nobody asked for': 400,
  'foreign Host': 403,
  'Host without the port': 403,
  'no Host': 403,
  'rebound name': 403,
  'foreign Origin': 403,
  'Origin of another port': 403,
  'null Origin': 403,
  'our Origin': 200,
  'no Origin': 200,
  'another site': 403,
  'text/plain': 200,
  'a form': 200,
  '..%2f': 400,
  '%00': 400,
  'doubly escaped': 400,
  'large body': 200,
  'deep body': 200,
  'other method': 404,
  'method override': 200,
}

/** What every one that changes something answers, where the plain request is answered with `status`. */
const changes = (status: number, overridden: number): Row => ({
  ...READS,
  plain: status,
  'our Origin': status,
  'no Origin': status,
  'text/plain': 415,
  'a form': 415,
  'large body': 413,
  'deep body': 400,
  'method override': overridden,
})

/** Reading what isn't there. */
const ABSENT: Row = {
  ...READS,
  plain: 404,
  'our Origin': 404,
  'no Origin': 404,
  'text/plain': 404,
  'a form': 404,
  'large body': 404,
  'deep body': 404,
  'method override': 404,
}

/** The page's files: no data, so no token and no origin is asked for. */
const OPEN: Row = {
  ...READS,
  'no token': 200,
  'wrong token': 200,
  'token as another scheme': 200,
  'token in the query': 400,
  'token as a cookie': 200,
  'foreign Origin': 200,
  'Origin of another port': 200,
  'null Origin': 200,
  'another site': 200,
}

interface Expected {
  readonly row: Row
  readonly body?: unknown
  /** In place of the parameters' own test values. */
  readonly path?: string
}

/** A row for each route there is. A new route needs a new row. */
const TABLE: Readonly<Record<string, Expected>> = {
  'GET /api/threads': { row: READS },
  'GET /api/threads/:threadId': { row: ABSENT },
  'GET /api/threads/:threadId/follow': { row: READS },
  'GET /api/threads/:threadId/history': { row: READS },
  'GET /api/threads/:threadId/commands': { row: READS },
  'GET /api/threads/:threadId/events': { row: ABSENT },
  'GET /api/threads/:threadId/timeline': { row: ABSENT },
  'GET /api/threads/:threadId/stats': { row: ABSENT },
  'GET /api/threads/:threadId/context': { row: ABSENT },
  'GET /api/threads/:threadId/context/:request': { row: ABSENT },
  'GET /api/threads/:threadId/usage': { row: READS },
  'GET /api/threads/:threadId/bundle': { row: READS },
  'POST /api/threads/:threadId/prompt': { row: changes(202, 404), body: { message: 'hello' } },
  'POST /api/threads/:threadId/dialog': { row: changes(404, 404), body: { id: 'x', cancelled: true } },
  'POST /api/threads/:threadId/abort': { row: changes(404, 404), body: {} },
  'POST /api/threads/:threadId/command': { row: changes(204, 404), body: { name: 'thinking', value: 'off' } },
  'POST /api/threads/:threadId/configure': { row: changes(204, 404), body: {} },
  'POST /api/threads/:threadId/mode': { row: changes(202, 404), body: { mode: 'plan' } },
  'GET /api/projects': { row: READS },
  'POST /api/projects': { row: changes(422, 200), body: { path: '/nowhere' } },
  'GET /api/projects/browse': { row: READS },
  'POST /api/logs': { row: changes(204, 200), body: { page: 'p', records: [] } },
  'GET /api/logs': { row: READS },
  'GET /api/logs/tail': { row: READS },
  'GET /api/logs/stats': { row: READS },
  'GET /api/openapi.json': { row: READS },
  'GET /': { row: OPEN },
  'GET /page/:file': { row: OPEN, path: '/page/index.html' },
}

const keyOf = ({ method, path }: ServerRoute): string => `${method} ${path}`

test('every route has a row of what it answers to each attack', (t) => {
  const { app } = servedApp(t)
  assert.deepEqual(app.routes.map(keyOf).sort(), Object.keys(TABLE).sort())
})

for (const [key, { row, body, path: own }] of Object.entries(TABLE)) {
  test(`${key} answers each attack with its status`, async (t) => {
    const [method = '', template = ''] = key.split(' ')
    const asked: Asked = { method: method as 'GET' | 'POST', ...(body === undefined ? {} : { body }) }
    const wrong: string[] = []
    for (const [attack, make] of Object.entries(ATTACKS)) {
      const { ask } = servedApp(t)
      const [path, request] = make(own ?? template.replace(':threadId', 't1').replace(':request', '1'), asked)
      const response = await ask(path, request)
      const said = response.status === 200 ? await response.body?.cancel() : await response.text()
      const expected = row[attack as Attack]
      if (response.status !== expected) wrong.push(`${attack}: ${response.status} instead of ${expected} ${said ?? ''}`)
    }
    assert.deepEqual(wrong, [])
  })
}

test('whatever is wrong with a token, the answer is the same', async (t) => {
  const { ask } = servedApp(t)
  const answers = await Promise.all(
    [
      null,
      'Bearer x',
      `Bearer ${TEST_TOKEN}x`,
      `Basic ${TEST_TOKEN}`,
      'Bearer',
      `Bearer ${TEST_TOKEN} ${TEST_TOKEN}`,
    ].map(async (authorization) => {
      const response = await ask('/api/threads', { headers: { authorization } })
      return [response.status, await response.text(), response.headers.get('www-authenticate')]
    }),
  )
  for (const answer of answers)
    assert.deepEqual(answer, [401, '{"code":"unauthorized","reason":"this needs the token"}', 'Bearer'])
})

test('no response lets another origin read anything, and each forbids what the page does not need', async (t) => {
  const { ask } = servedApp(t)
  const paths = ['/', '/page/nothing.js', '/api/threads', '/api/threads/t1/follow', '/nothing', '/api/threads/..%2f']
  for (const path of paths) {
    const { headers, body } = await ask(path, { headers: { origin: `http://${TEST_HOST}` } })
    await body?.cancel()
    const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    assert.deepEqual(cors, [], path)
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
      assert.ok(policy.includes(part), `${path}: ${part}`)
    }
    assert.doesNotMatch(policy, /unsafe|\*/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin')
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('an OPTIONS is answered with nothing a browser could take as leave', async (t) => {
  const { ask } = servedApp(t)
  const response = await ask('/api/threads', {
    method: 'OPTIONS',
    headers: { origin: `http://${TEST_HOST}`, 'access-control-request-method': 'POST' },
  })
  assert.equal(response.status, 404)
})

test('the page holds no script of its own, takes the token out of the address and makes nothing of markup', async (t) => {
  const { ask } = servedApp(t)
  const html = await (await ask('/')).text()
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|\son\w+=|style=/i)
  const name = /<script[^>]*\bsrc="([^"]+)"/.exec(html)?.[1] ?? ''
  const response = await ask(name)
  assert.match(response.headers.get('cache-control') ?? '', /immutable/)
  const script = await response.text()
  const parts = [...script.matchAll(/["'](\.\/[\w-]+\.js)["']/g)].map(([, part = '']) => `/page/${part.slice(2)}`)
  const all = [script, ...(await Promise.all(parts.map(async (part) => (await ask(part)).text())))].join('\n')
  assert.match(all, /location\.hash/)
  assert.match(all, /sessionStorage/)
  assert.match(all, /history\.replaceState/)
  assert.doesNotMatch(all, /document\.cookie|localStorage|document\.write|insertAdjacentHTML|\beval\(|new Function\b/)
})

test('a public address extends the names the server is known by and replaces none', async (t) => {
  const { ask } = servedApp(t, { publicUrl: new URL('https://enso.example.com') })
  const asked = async (host: string, origin: string) =>
    (await ask('/api/threads', { headers: { host, origin } })).status
  assert.equal(await asked('enso.example.com', 'https://enso.example.com'), 200)
  assert.equal(await asked(TEST_HOST, `http://${TEST_HOST}`), 200)
  assert.equal(await asked('localhost:4321', 'http://localhost:4321'), 200)
  assert.equal(await asked('[::1]:4321', 'http://[::1]:4321'), 200)
  assert.equal(await asked('enso.example.com', 'http://enso.example.com'), 403)
  assert.equal(await asked('enso.example.com.evil.example', 'https://enso.example.com'), 403)
})

/** The app behind a real socket. */
async function listening(t: TestContext, limits: Partial<typeof SOCKET_LIMITS> = {}) {
  const served = servedApp(t)
  const server = await listen('127.0.0.1', 0, () => served.app, { ...SOCKET_LIMITS, ...limits })
  t.after(async () => {
    server.stop()
    await server.drain(0)
  })
  const raw = async (head: string, ...pieces: string[]) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.setEncoding('utf8')
    await once(socket, 'connect')
    let text = ''
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('error', () => undefined)
    const closed = once(socket, 'close')
    socket.write(head)
    for (const piece of pieces) socket.write(piece)
    return { socket, closed, text: () => text }
  }
  return { ...served, server, raw }
}

const HEAD = `Host: ${TEST_HOST}\r\nAuthorization: Bearer ${TEST_TOKEN}\r\n`
const statusOf = (text: string): string => text.split(' ', 2)[1] ?? ''

test('headers have ten seconds to arrive, a whole request thirty, and neither may be large', () => {
  const { headersTimeout, requestTimeout, maxHeaderSize, connectionsCheckingInterval } = SOCKET_LIMITS
  assert.deepEqual(
    { headersTimeout, requestTimeout, maxHeaderSize, connectionsCheckingInterval },
    { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384, connectionsCheckingInterval: 1000 },
  )
})

test('headers that drip are cut off', async (t) => {
  const { raw } = await listening(t, { headersTimeout: 300, connectionsCheckingInterval: 50 })
  const { socket, closed, text } = await raw(`GET /api/threads HTTP/1.1\r\n${HEAD}`)
  const drip = setInterval(() => socket.write('x-a: b\r\n'), 20)
  await closed
  clearInterval(drip)
  assert.equal(statusOf(text()), '408')
})

test('a body that drips is cut off', async (t) => {
  const { raw, host } = await listening(t, {
    requestTimeout: 400,
    headersTimeout: 300,
    connectionsCheckingInterval: 50,
  })
  const { socket, closed } = await raw(
    `POST /api/threads/t1/prompt HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"message":"`,
  )
  const drip = setInterval(() => socket.write('a'), 20)
  await closed
  clearInterval(drip)
  assert.equal(host.opened.length, 0)
})

test('headers that are too large are refused', async (t) => {
  const { raw } = await listening(t)
  const { closed, text } = await raw(`GET / HTTP/1.1\r\n${HEAD}x-large: ${'a'.repeat(20_000)}\r\n\r\n`)
  await closed
  assert.equal(statusOf(text()), '431')
})

test('a body is not read beyond its bound, whether its length is said or not', async (t) => {
  const { raw } = await listening(t)
  const post = `POST /api/threads/t1/mode HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`
  const said = await raw(`${post}Content-Length: 10000000\r\n\r\n`, 'a'.repeat(100_000))
  await said.closed
  assert.equal(statusOf(said.text()), '413')
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  const chunked = await raw(`${post}Transfer-Encoding: chunked\r\n\r\n`, chunk, chunk, chunk)
  await chunked.closed
  assert.equal(statusOf(chunked.text()), '413')
})

test('an answer to what never reaches a route forbids the same as every other', async (t) => {
  const { raw } = await listening(t)
  const { closed, text } = await raw(`GET / HTTP/1.1\r\nHost: a@${TEST_HOST}\r\nConnection: close\r\n\r\n`)
  await closed
  assert.equal(statusOf(text()), '400')
  for (const name of Object.keys(RESPONSE_HEADERS)) assert.match(text(), new RegExp(`^${name}: `, 'im'))
})

test('what is no request at all is refused, and the server goes on', async (t) => {
  const { raw, server } = await listening(t)
  const lines = [
    'nonsense\r\n\r\n',
    `GET /api/threads HTTP/1.1\r\n${HEAD}Host: evil.example\r\n\r\n`,
    `GET http://evil.example/api/threads HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /api\\threads HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /api/threads/../projects HTTP/1.1\r\n${HEAD}Connection: close\r\n\r\n`,
    `CONNECT evil.example:443 HTTP/1.1\r\n${HEAD}\r\n`,
    `GET * HTTP/1.1\r\n${HEAD}\r\n`,
    `GET /api/threads HTTP/1.1\r\nHost: ${TEST_HOST}\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET /api/threads HTTP/1.1\r\n${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  ]
  for (const line of lines) {
    const { socket, text, closed } = await raw(line)
    await Promise.race([closed, once(socket, 'data')])
    socket.destroy()
    assert.doesNotMatch(text(), /^HTTP\/1.1 5/, line)
  }
  const response = await fetch(`http://127.0.0.1:${server.port}/`)
  assert.equal(response.status, 403)
})

test('a follower that closes its half of the connection is let go', async (t) => {
  const { raw, ask } = await listening(t)
  const { socket, closed } = await raw(`GET /api/threads/t1/follow HTTP/1.1\r\n${HEAD}\r\n`)
  await once(socket, 'data')
  socket.end()
  await closed
  const events = readEvents(await ask('/api/threads/t1/follow'))
  await events.next()
  await events.cancel()
})

test('an event stream ends with the server, and its connection with it', async (t) => {
  const { raw, threads, server } = await listening(t)
  const { socket, closed, text } = await raw(`GET /api/threads/t1/follow HTTP/1.1\r\n${HEAD}\r\n`)
  await once(socket, 'data')
  server.stop()
  await threads.close()
  await server.drain(1000)
  await closed
  assert.match(text(), /^HTTP\/1.1 200 OK\r\n/)
  assert.match(text(), /"type":"snapshot"/)
})
