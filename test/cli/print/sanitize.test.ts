import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSanitizer, sanitize, sanitizeLine } from '../../../src/cli/print/sanitize.js'

const ESC = '\x1b'
const BEL = '\x07'
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const pieces = fc.array(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      ESC,
      `${ESC}[31m`,
      `${ESC}]52;c;aGk=`,
      BEL,
      `${ESC}\\`,
      '\x9b',
      '\x9d',
      '\r',
      '\n',
      '\u202e',
      '\ud83d',
      '\udc4d',
      'word ',
    ),
  ),
  { maxLength: 20 },
)

function through(parts: readonly string[]): string {
  const sanitizer = createSanitizer()
  return parts.map((part) => sanitizer.push(part)).join('') + sanitizer.end()
}

/** A text as it comes out of a stream, where a lone surrogate can't be. */
function asWritten(text: string): string {
  return Buffer.from(text).toString()
}

test('nothing a terminal obeys gets through, wherever the text is cut', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      assert.doesNotMatch(through(parts), FORBIDDEN)
    }),
  )
})

test('the text is the same however it is cut into pieces', () => {
  fc.assert(
    fc.property(pieces, fc.nat(), (parts, seed) => {
      const whole = parts.join('')
      const cut = whole.length === 0 ? 0 : seed % (whole.length + 1)
      assert.equal(asWritten(through([whole.slice(0, cut), whole.slice(cut)])), asWritten(sanitize(whole)))
    }),
  )
})

test('text without control characters passes unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!FORBIDDEN.test(text))
      assert.equal(through([text]), text)
    }),
  )
})

test('colours, links, titles and clipboard writes are taken out and their words stay', () => {
  assert.equal(sanitize(`${ESC}[1;31mred${ESC}[0m`), 'red')
  assert.equal(sanitize(`${ESC}]8;;http://evil.example${BEL}a link${ESC}]8;;${ESC}\\!`), 'a link!')
  assert.equal(sanitize(`a${ESC}]52;c;c2VjcmV0${BEL}b`), 'ab')
  assert.equal(sanitize(`a${ESC}Pq#0;2;0;0;0${ESC}\\b\x9b2Jc`), 'abc')
  assert.equal(sanitize(`a${ESC}(Bb${ESC}cc`), 'abc')
})

test('a sequence that never ends is shown and swallows nothing', () => {
  assert.equal(sanitize(`${ESC}]0;title\nnext line`), '␛]0;title\nnext line')
  assert.equal(sanitize(`${ESC}]0;${'x'.repeat(9000)}end`).endsWith('xend'), true)
  assert.equal(sanitize(`${ESC}[${'1;'.repeat(90)}rest`).endsWith('rest'), true)
  assert.equal(sanitize(`${ESC}]0;a${ESC}[31mred`), '␛]0;ared')
})

test('other control characters become signs, returns become line feeds', () => {
  assert.equal(sanitize('a\bb\x00c\x7f'), 'a␈b␀c␡')
  assert.equal(sanitize('one\r\ntwo\rthree\r'), 'one\ntwo\nthree\n')
  assert.equal(sanitize('user\u202etxt.exe'), 'usertxt.exe')
})

test('a surrogate pair split between two pieces stays one character', () => {
  const sanitizer = createSanitizer()
  assert.equal(sanitizer.push('ok \ud83d'), 'ok ')
  assert.equal(sanitizer.push('\udc4d!'), '👍!')
})

test('a line is one line', () => {
  assert.equal(sanitizeLine(`rm -rf /tmp/x\n${ESC}[2K  echo safe\t`), 'rm -rf /tmp/x echo safe')
})
