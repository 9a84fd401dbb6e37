import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { count, duration, fit } from '../../../src/cli/print/layout.js'
import { isColoured } from '../../../src/cli/print/palette.js'
import { recordedOutput } from '../../support/cli-io.js'

test('a fitted line is never wider than asked, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (text, width) => {
      const line = fit(text, width)
      assert.ok(stringWidth(line) <= width, `${JSON.stringify(line)} is ${stringWidth(line)} wide`)
      if (stringWidth(text) <= width) assert.equal(line, text)
    }),
  )
})

test('wide characters count as the two columns they take', () => {
  assert.equal(fit('日本語テキスト', 7), '日本語…')
  assert.equal(fit('👩‍👩‍👧 family', 5), '👩‍👩‍👧 f…')
})

test('times and counts read at a glance', () => {
  assert.deepEqual([340, 4200, 65_000, 3_780_000].map(duration), ['340 ms', '4.2 s', '1 m 05 s', '1 h 03 m'])
  assert.deepEqual([0, 980, 12_345, 999_949, 1_200_000].map(count), ['0', '980', '12.3k', '999.9k', '1.2M'])
})

test('colour is decided for each stream: flag, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM, terminal', () => {
  const terminal = recordedOutput({ columns: 80 }).stream
  const file = recordedOutput().stream
  assert.equal(isColoured(terminal, {}, 'auto'), true)
  assert.equal(isColoured(file, {}, 'auto'), false)
  assert.equal(isColoured(terminal, { TERM: 'dumb' }, 'auto'), false)
  assert.equal(isColoured(terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, 'auto'), false)
  assert.equal(isColoured(terminal, { NO_COLOR: '' }, 'auto'), true)
  assert.equal(isColoured(file, { FORCE_COLOR: '1' }, 'auto'), true)
  assert.equal(isColoured(terminal, { FORCE_COLOR: '0' }, 'auto'), false)
  assert.equal(isColoured(file, { CLICOLOR_FORCE: '1', TERM: 'dumb' }, 'auto'), true)
  assert.equal(isColoured(file, { NO_COLOR: '1' }, 'always'), true)
  assert.equal(isColoured(terminal, { FORCE_COLOR: '1' }, 'never'), false)
})
