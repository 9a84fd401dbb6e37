import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTooDeep } from '../../../src/host/tools/web-fetch/html-depth.js'
import { pageText } from '../../../src/host/tools/web-fetch/page-text.js'

const url = new URL('https://docs.example.com/guide/start?x=1')
const read = (body: string | Buffer, contentType = 'text/html; charset=utf-8', cut = false): string =>
  pageText({ bytes: Buffer.from(body), cut, contentType, url }) ?? 'too deep'

test('HTML is reduced to its words; scripts, styles, comments and what is hidden are gone', () => {
  const text = read(`<html><head><style>x{}</style><script>steal()</script></head><body><!-- hidden --><h1>Title</h1>
    <p>Words.</p><noscript>no</noscript><template>t</template><svg><text>s</text></svg><p hidden>h</p></body></html>`)
  assert.equal(text, 'Title\n\nWords.')
})

test('links are kept as whole addresses; those to no page are words only', () => {
  const text = read(
    `<p><a href="../api">the API</a> <a href="/x?y=1">x</a> <a href="https://o.example/">https://o.example/</a>
    <a href="#top">top</a> <a href="mailto:a@b.example">mail</a> <a href="javascript:x()">js</a> <a href="http://[">odd</a></p>`,
  )
  assert.equal(
    text,
    'the API [https://docs.example.com/api] x [https://docs.example.com/x?y=1] https://o.example/ top mail js odd',
  )
})

test('characters that are drawn as nothing are gone, as themselves and as entities, from every type', () => {
  const hidden = [0x200b, 0x202e, 0x2066, 0xfe01, 0xe0041, 0xe0101, 0x3164, 0xad, 0x1b, 0x7f]
  for (const code of hidden) {
    const char = String.fromCodePoint(code)
    assert.equal(read(`<p>a${char}b&#${code};c</p>`).replace(/[^abc]/g, ''), 'abc')
    assert.equal(read(`a${char}b`, 'text/plain'), 'ab', code.toString(16))
  }
  assert.equal(read('a\tb\r\nc', 'text/plain'), 'a\tb\r\nc')
})

test('text is read in its own character set, and a cut through a character leaves no half of it', () => {
  assert.equal(read(Buffer.from([0x67, 0xfc]), 'text/plain; charset=iso-8859-1'), 'gü')
  assert.equal(read('ok', 'text/plain; charset=nonsense'), 'ok')
  assert.equal(read(Buffer.from('gü').subarray(0, 2), 'text/plain', true), 'g')
})

test('HTML is known by its head where the type does not say so', () => {
  assert.equal(read('<!DOCTYPE html><p>words', 'text/plain'), 'words')
  assert.equal(read('{"a": "<b>"}', 'application/json'), '{"a": "<b>"}')
})

test('what is nested deeper than any page is not read, and costs no time', () => {
  for (const tag of ['b', 'div', 'ul', 'table', 'x-y', 'thead'])
    assert.equal(read(`<html>${`<${tag}>`.repeat(60_000)}`), 'too deep')
  for (const tag of ['p', 'li', 'td', 'br']) assert.ok(!isTooDeep(`<${tag}>`.repeat(10_000)), tag)
  assert.ok(!isTooDeep('<div>a</div>'.repeat(10_000)))
})
