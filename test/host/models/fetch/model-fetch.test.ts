import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { createModelFetch, type ModelFetchDeps } from '../../../../src/host/models/fetch/model-fetch.js'
import { inRoot } from '../../../support/root.js'
import { runCode, sourceUrl } from '../../../support/run-code.js'
import { createPlainHeaders } from '../../../../src/host/models/fetch/plain-headers.js'

async function serve(t: TestContext, listener: (...args: Parameters<RequestListener>) => unknown): Promise<string> {
  const server = createServer((request, response) => void listener(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += String(chunk)
  return text
}

const refuse = (): never => {
  throw new Error('the process’s own fetch was not expected here')
}

function fetchWith(deps: Partial<ModelFetchDeps> = {}): typeof fetch {
  return createModelFetch({ fetch: refuse, isProxied: () => false, ...deps })
}

const modelFetch = fetchWith()

/** An answer as a caller sees it, from either fetch. */
async function seen(response: Response): Promise<unknown> {
  const { status, statusText, ok, url, redirected, headers } = response
  const kept = [...headers.entries()].filter(([name]) => name !== 'date')
  return { status, statusText, ok, url, redirected, kept, text: await response.text() }
}

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a plain one': (response) => response.end('plain'),
  'nothing at all': (response) => response.writeHead(204).end(),
  'a refusal': (response) => response.writeHead(429, 'Slow Down', { 'retry-after': '3' }).end('{"error":"slow"}'),
  'bytes of several alphabets': (response) => response.end('\uFEFFäöü 漢字 🎉'),
  'the same header twice': (response) => response.writeHead(200, [['x-a', '1'], ['X-A', '2'], ['set-cookie', 'a=b, c'], ['set-cookie', 'd']].flat()).end(), // prettier-ignore
  gzip: (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed '.repeat(1000))),
  deflate: (response) => response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync('packed')),
  brotli: (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync('packed')),
  'packed twice': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('packed'))),
}

for (const [name, answer] of Object.entries(ANSWERS)) {
  test(`an answer reads as fetch reads it: ${name}`, async (t) => {
    const url = await serve(t, (_request, response) => answer(response))
    assert.deepEqual(await seen(await modelFetch(`${url}/a?b=c`)), await seen(await fetch(`${url}/a?b=c`)))
  })
}

test('a request arrives as fetch sends it', async (t) => {
  const url = await serve(t, async ({ method, url: path, headers }, response) => {
    response.end(JSON.stringify({ method, path, headers, body: '' }))
  })
  const inits: RequestInit[] = [
    {},
    {
      method: 'post',
      body: '{"a":"ä"}',
      headers: { 'Content-Type': 'application/json', Authorization: ' Bearer k\n' },
    },
    { method: 'POST', body: new Uint8Array([1, 2, 3]) },
    { method: 'POST', body: 'text' },
    { method: 'POST' },
    { headers: [['x-a', '1'], ['x-a', '2'], ['user-agent', 'me']] }, // prettier-ignore
    { headers: new Headers({ 'x-b': 'c' }) },
  ]
  for (const init of inits) {
    const [ours, theirs] = await Promise.all([modelFetch(url, init), fetch(url, init)])
    const [one, other] = (await Promise.all([ours.json(), theirs.json()])) as { headers: Record<string, string> }[]
    // Over http the process's own asks for one compression less.
    for (const request of [one, other]) delete request?.headers['accept-encoding']
    assert.deepEqual(one, other)
  }
})

test('headers made here are taken, and a body arrives whole', async (t) => {
  const url = await serve(t, async (request, response) => {
    response.end(`${String(request.headers['x-key'])} ${(await bodyOf(request)).length}`)
  })
  const headers = createPlainHeaders([['X-Key', 'value']]) as unknown as Headers
  const response = await modelFetch(new URL(url), { method: 'POST', body: 'x'.repeat(3_000_000), headers })
  assert.equal(await response.text(), 'value 3000000')
})

test('what it does not do is done by the process’s own fetch', async (t) => {
  const url = await serve(t, (request, response) => {
    if (request.url === '/from') response.writeHead(307, { location: '/to' }).end()
    else void bodyOf(request).then((body) => response.end(`${request.method} ${body}`))
  })
  const asked: string[] = []
  const own: typeof fetch = (input, init) => {
    asked.push(String(input instanceof Request ? input.url : input))
    return fetch(input, init)
  }
  const withOwn = fetchWith({ fetch: own })
  const moved = await withOwn(`${url}/from`, { method: 'POST', body: 'again' })
  assert.equal(await moved.text(), 'POST again')
  const stream = new Blob(['streamed']).stream()
  const streamed = await withOwn(url, { method: 'POST', body: stream, duplex: 'half' })
  assert.equal(await streamed.text(), 'POST streamed')
  assert.equal(await (await withOwn(new Request(url))).text(), 'GET ')
  assert.equal(await (await withOwn('data:,inline')).text(), 'inline')
  await assert.rejects(withOwn(url, { redirect: 'error', method: 'PUT' }).then((response) => response.json()))
  assert.equal(await (await fetchWith({ fetch: own, isProxied: () => true })(`${url}/proxied`)).text(), 'GET ')
  assert.deepEqual(asked, [`${url}/from`, url, `${url}/`, 'data:,inline', url, `${url}/proxied`])
})

test('nobody there is a failed fetch with its cause', async (t) => {
  const url = await serve(t, (_request, response) => response.end())
  const gone = createServer()
  gone.listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  const error = await modelFetch(`http://127.0.0.1:${port}`).catch((reason: unknown) => reason)
  assert.ok(error instanceof TypeError)
  assert.equal(error.message, 'fetch failed')
  assert.equal((error.cause as NodeJS.ErrnoException).code, 'ECONNREFUSED')
  await assert.rejects(modelFetch(url, { headers: { 'x-a': 'a\nb' } }), TypeError)
  await assert.rejects(modelFetch(url, { headers: { 'a b': 'c' } }), TypeError)
})

test('an address that is encrypted is: a certificate is trusted where the process trusts it, and nowhere else', async (t) => {
  const [key, certificate] = [inRoot('test/fixtures/tls/local/key.pem'), inRoot('test/fixtures/tls/local/cert.pem')]
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) => {
    response.end('secret')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const error = await modelFetch(url).catch((reason: unknown) => reason)
  assert.ok(error instanceof TypeError)
  assert.equal((error.cause as NodeJS.ErrnoException).code, 'DEPTH_ZERO_SELF_SIGNED_CERT')
  const trusting = await runCode(
    `import { createModelFetch } from '${sourceUrl('host/models/fetch/model-fetch.js')}'
     const response = await createModelFetch({ fetch, isProxied: () => false })('${url}')
     console.log(response.status, await response.text())`,
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: certificate } },
  )
  assert.equal(trusting.stdout, '200 secret\n', trusting.stderr)
})

test('a connection that breaks in the middle of a body is told to its reader', async (t) => {
  const url = await serve(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('some of it', () => response.destroy())
  })
  const response = await modelFetch(url)
  const error = await response.text().catch((reason: unknown) => reason)
  assert.ok(error instanceof TypeError)
  assert.equal(error.message, 'terminated')
})

test('a signal ends a request before, while it waits, and while its body is read', async (t) => {
  const closed: Promise<unknown>[] = []
  const url = await serve(t, (request, response) => {
    closed.push(once(response, 'close'))
    if (request.url === '/body') response.write('first')
  })
  const reason = new Error('enough')
  await assert.rejects(modelFetch(url, { signal: AbortSignal.abort(reason) }), reason)
  assert.equal(closed.length, 0)

  const waiting = new AbortController()
  const asked = modelFetch(url, { signal: waiting.signal })
  while (closed.length === 0) await new Promise((resolve) => setImmediate(resolve))
  waiting.abort()
  await assert.rejects(asked, { name: 'AbortError' })
  await closed[0]

  const reading = new AbortController()
  const { body } = await modelFetch(`${url}/body`, { signal: reading.signal })
  const reader = body!.getReader()
  assert.equal(String(Buffer.from((await reader.read()).value ?? [])), 'first')
  const next = reader.read()
  reading.abort(reason)
  await assert.rejects(next, reason)
  await closed[1]
})

test('whoever stops reading ends the connection; whoever reads to the end leaves it for the next request', async (t) => {
  const sockets = new Set<unknown>()
  const url = await serve(t, (request, response) => {
    sockets.add(request.socket)
    if (request.url === '/endless') response.write('one')
    else response.end('all')
  })
  const endless = await modelFetch(`${url}/endless`)
  for await (const chunk of endless.body as unknown as AsyncIterable<Uint8Array>) {
    assert.equal(chunk.length, 3)
    break
  }
  assert.equal(sockets.size, 1)
  const [first] = sockets as Set<NodeJS.Socket & { destroyed: boolean }>
  if (!first!.destroyed) await once(first as unknown as IncomingMessage, 'close')
  for (let n = 0; n < 3; n++) assert.equal(await (await modelFetch(url)).text(), 'all')
  assert.equal(sockets.size, 2)
})

test('a body is taken from the network as it is read, not before', async (t) => {
  const chunk = Buffer.alloc(64 * 1024)
  let sent = 0
  const url = await serve(t, (_request, response) => {
    const more = (): void => {
      for (;;) {
        sent += chunk.length
        if (!response.write(chunk)) break
      }
      response.once('drain', more)
    }
    more()
  })
  const response = await modelFetch(url)
  // Both ends live in this process: each turn could carry more.
  for (let turn = 0; turn < 5000; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes left the server`)
  await response.body!.cancel()
})

test('packed events come out as they come in', async (t) => {
  const url = await serve(t, (_request, response) => {
    const gzip = createGzip()
    response.writeHead(200, { 'content-encoding': 'gzip' })
    gzip.pipe(response)
    gzip.write('data: one\n\n')
    gzip.flush()
  })
  const reader = (await modelFetch(url)).body!.getReader()
  assert.equal(String(Buffer.from((await reader.read()).value ?? [])), 'data: one\n\n')
  await reader.cancel()
})

test('who wants to see a body sees what is read of it', async (t) => {
  const url = await serve(t, (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('the end')),
  )
  const watched: Uint8Array[] = []
  const response = await fetchWith({ watch: () => (chunk) => watched.push(chunk) })(url)
  await response.text()
  assert.equal(String(Buffer.concat(watched)), 'the end')
})

test('a body is read once, by one reader at a time', async (t) => {
  const url = await serve(t, (_request, response) => response.end('{"a":1}'))
  const response = await modelFetch(url)
  assert.equal(response.bodyUsed, false)
  const reader = response.body!.getReader()
  assert.equal(response.body!.locked, true)
  assert.throws(() => response.body!.getReader(), TypeError)
  reader.releaseLock()
  assert.deepEqual(await response.json(), { a: 1 })
  await assert.rejects(response.text(), TypeError)
  assert.equal(await (await (await modelFetch(url)).blob()).text(), '{"a":1}')
  assert.deepEqual(await (await modelFetch(url)).arrayBuffer(), new TextEncoder().encode('{"a":1}').buffer)
})
