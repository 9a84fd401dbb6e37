import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer, type Server } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { test, type TestContext } from 'node:test'
import { fetchFromAddress } from '../../../src/host/tools/web-fetch/transport.js'
import { inRoot } from '../../support/root.js'
import { runCode, sourceUrl } from '../../support/run-code.js'

async function portOf(t: TestContext, server: NetServer & Pick<Server, 'closeAllConnections'>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const get = (url: string, addresses: readonly string[]) =>
  fetchFromAddress({ url: new URL(url), addresses, signal: new AbortController().signal })

test('a request says no more than it must, whatever proxy the environment names', async (t) => {
  const seen: unknown[] = []
  const port = await portOf(
    t,
    createServer((request, response) => {
      seen.push(request.method, request.url, request.headers)
      response.writeHead(200, { 'set-cookie': 'a=b' }).end('ok')
    }),
  )
  const proxy = process.env['http_proxy']
  process.env['http_proxy'] = 'http://127.0.0.1:1/'
  t.after(() => {
    if (proxy === undefined) delete process.env['http_proxy']
    else process.env['http_proxy'] = proxy
  })
  for (let call = 0; call < 2; call++) {
    const response = await get(`http://name.invalid:${port}/path?q=1#part`, ['127.0.0.1'])
    assert.equal((await response.toArray()).join(''), 'ok')
  }
  const headers = {
    accept: 'text/html, text/*, application/json, application/xml, application/xhtml+xml',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': 'enso-web-fetch/1',
    host: `name.invalid:${port}`,
    connection: 'close',
  }
  assert.deepEqual(seen, ['GET', '/path?q=1', headers, 'GET', '/path?q=1', headers])
})

test('of several checked addresses the first that can be connected to is used', async (t) => {
  const port = await portOf(
    t,
    createServer((_request, response) => response.end('ok')),
  )
  const response = await get(`http://name.invalid:${port}/`, ['::1', '127.0.0.1'])
  assert.equal((await response.toArray()).join(''), 'ok')
})

test('a stop ends the connection', async (t) => {
  const server = createServer(() => undefined)
  const port = await portOf(t, server)
  const controller = new AbortController()
  server.once('request', () => controller.abort())
  const asked = fetchFromAddress({
    url: new URL(`http://name.invalid:${port}/`),
    addresses: ['127.0.0.1'],
    signal: controller.signal,
  })
  await assert.rejects(asked, { name: 'AbortError' })
})

test('a certificate is checked for the name, not the address, and whatever the environment says', async (t) => {
  // A certificate of docs.example.com that nobody has signed.
  const [key, cert] = [inRoot('test/fixtures/tls/key.pem'), inRoot('test/fixtures/tls/cert.pem')]
  const asked: unknown[] = []
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    asked.push([(request.socket as { servername?: unknown }).servername, request.headers.host])
    response.end('ok')
  })
  const port = await portOf(t, server)
  const fetched = async (host: string, env: Record<string, string>): Promise<string> => {
    const code = `
      const { fetchFromAddress } = await import(${JSON.stringify(sourceUrl('host/tools/web-fetch/transport.js'))})
      const url = new URL('https://${host}:${port}/')
      const signal = new AbortController().signal
      try {
        const response = await fetchFromAddress({ url, addresses: ['127.0.0.1'], signal })
        console.log((await response.toArray()).join(''))
      } catch (error) {
        console.log(error.code)
      }`
    const { stdout } = await runCode(code, { env: { PATH: process.env['PATH'], ...env } })
    return stdout.trim()
  }
  assert.equal(await fetched('docs.example.com', { NODE_EXTRA_CA_CERTS: cert }), 'ok')
  assert.deepEqual(asked, [['docs.example.com', `docs.example.com:${port}`]])
  assert.equal(await fetched('api.example.com', { NODE_EXTRA_CA_CERTS: cert }), 'ERR_TLS_CERT_ALTNAME_INVALID')
  const untrusted = await fetched('docs.example.com', { NODE_TLS_REJECT_UNAUTHORIZED: '0' })
  assert.equal(untrusted, 'DEPTH_ZERO_SELF_SIGNED_CERT')
})
