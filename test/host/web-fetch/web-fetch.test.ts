import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { runWebFetchCase, type WebFetchCase } from '../../../scripts/corpus/web-fetch.js'
import { isForbiddenAddress } from '../../../src/host/tools/web-fetch/addresses.js'
import { checkUrl, isPlainHostname } from '../../../src/host/tools/web-fetch/check-url.js'
import { fetchPage } from '../../../src/host/tools/web-fetch/fetch-page.js'
import { pageText, isTextType } from '../../../src/host/tools/web-fetch/page-text.js'
import { fetchFromAddress } from '../../../src/host/tools/web-fetch/transport.js'
import { inRoot } from '../../support/root.js'

const cases = readFileSync(inRoot('test/fixtures/web-fetch-cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as WebFetchCase)

test('every web_fetch case of the corpus is decided as it says, by the check it names', async () => {
  assert.ok(cases.length > 20, `found only ${cases.length} cases`)
  for (const line of cases) {
    const result = await runWebFetchCase(line)
    assert.deepEqual(result.problems, [], line.id)
    const checkedByAddress = line.net?.dnsSequence !== undefined
    if (!checkedByAddress) assert.equal(result.denied, line.expect === 'deny', line.id)
    if (line.reasonCode && result.denied) assert.equal(result.code, line.reasonCode, line.id)
  }
})

test('an address is forbidden in every notation that carries a private one', () => {
  const bad =
    '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 168.63.129.16 0.0.0.0 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::ffff:100.64.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 2002:7f00:1:: 2002:a00:1:: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 ff02::1'
  for (const address of bad.split(' ')) assert.equal(isForbiddenAddress(address), true, address)
  const good =
    '203.0.113.10 8.8.8.8 1.1.1.1 172.32.0.1 100.128.0.1 2606:4700:4700::1111 64:ff9b::808:808 ::ffff:8.8.8.8'
  for (const address of good.split(' ')) assert.equal(isForbiddenAddress(address), false, address)
})

test('an entry that is no plain host name makes the list unusable', async () => {
  for (const entry of [
    '*.example.com',
    'example.com:8080',
    'https://example.com',
    'example.com/x',
    '',
    'a b',
    '[::1]',
  ]) {
    assert.equal(isPlainHostname(entry), false, entry)
  }
  assert.equal(isPlainHostname('docs.Example.com'), true)
  const result = await fetchPage('https://docs.example.com/', {
    config: { kind: 'ok', config: { webFetch: { allowedHosts: ['docs.example.com', '*.example.com'] } } },
    resolve: () => assert.fail('looked up'),
    transport: () => assert.fail('connected'),
    after: () => () => {},
  })
  assert.equal(result.kind === 'refused' && result.code, 'config-unreadable')
})

test('a trailing dot is another host', () => {
  const result = checkUrl('https://docs.example.com./', ['docs.example.com'])
  assert.equal(result.kind === 'refused' && result.code, 'host-not-allowed')
})

test('a page from https to http is refused', async () => {
  const result = await runWebFetchCase({
    id: 'downgrade',
    input: { url: 'https://docs.example.com/' },
    expect: 'deny',
    config: { allowedHosts: ['docs.example.com'] },
    net: {
      dns: { 'docs.example.com': ['203.0.113.10'] },
      responses: [{ status: 301, headers: { location: 'http://docs.example.com/' } }],
    },
  })
  assert.equal(result.code, 'redirect-downgrade')
})

test('a type that is not text is refused by name', async () => {
  const result = await runWebFetchCase({
    id: 'pdf',
    input: { url: 'https://docs.example.com/' },
    expect: 'deny',
    config: { allowedHosts: ['docs.example.com'] },
    net: {
      dns: { 'docs.example.com': ['203.0.113.10'] },
      responses: [{ status: 200, headers: { 'content-type': 'application/pdf' }, body: '%PDF' }],
    },
  })
  assert.equal(result.code, 'content-type')
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'application/ld+json',
    'application/xhtml+xml',
  ]) {
    assert.equal(isTextType(type), true, type)
  }
})

test('HTML is reduced to words and links; scripts, styles and invisible characters are gone', () => {
  const html = `<html><head><style>x{}</style><script>steal()</script></head><body><!-- hidden --><h1>Ti\u200btle</h1>
    <p>See <a href="https://docs.example.com/a">the guide</a>.</p><noscript>no</noscript></body></html>`
  const text = pageText(Buffer.from(html), 'text/html; charset=utf-8')
  assert.match(text, /Title/)
  assert.match(text, /the guide \[https:\/\/docs\.example\.com\/a\]/)
  assert.doesNotMatch(text, /steal|x\{\}|hidden|no$/)
})

test('text in another character set is read as that set', () => {
  assert.equal(pageText(Buffer.from([0x67, 0xfc]), 'text/plain; charset=iso-8859-1'), 'gü')
  assert.equal(pageText(Buffer.from('ok'), 'text/plain; charset=nonsense'), 'ok')
})

test('the connection goes to the checked address, says no more than it must, and uses no proxy', async () => {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy = process.env['http_proxy']
  process.env['http_proxy'] = 'http://127.0.0.1:1/'
  try {
    const response = await fetchFromAddress({
      url: new URL(`http://name.invalid:${port}/path`),
      address: '127.0.0.1',
      signal: new AbortController().signal,
    })
    const headers = JSON.parse((await response.toArray()).join('')) as Record<string, string>
    assert.equal(headers['host'], `name.invalid:${port}`)
    assert.deepEqual(Object.keys(headers).sort(), ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  } finally {
    if (proxy === undefined) delete process.env['http_proxy']
    else process.env['http_proxy'] = proxy
    server.close()
  }
})

test('a stop ends a fetch that hangs', async () => {
  const controller = new AbortController()
  const result = fetchPage(
    'https://docs.example.com/',
    {
      config: { kind: 'ok', config: { webFetch: { allowedHosts: ['docs.example.com'] } } },
      resolve: () => Promise.resolve(['203.0.113.10']),
      transport: () => {
        queueMicrotask(() => controller.abort())
        return new Promise(() => {})
      },
      after: () => () => {},
    },
    controller.signal,
  )
  await assert.rejects(result, /stopped/)
})
