import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { backoffMs } from '../../src/page/model/backoff.js'
import { clip, lastLines } from '../../src/page/model/clip.js'
import { codeSpans } from '../../src/page/model/code-spans.js'
import { diffCounts, diffLines } from '../../src/page/model/diff-lines.js'
import { withoutEntities } from '../../src/page/model/entities.js'
import { languageOfFile } from '../../src/page/model/file-language.js'
import { plain, terminalText } from '../../src/page/model/plain.js'
import { searchHits } from '../../src/page/model/search-hits.js'
import { ago, bytes, dollars, duration, shortCount, truncationText } from '../../src/page/model/words.js'

test('nothing in a plain text turns its direction or acts on a screen', () => {
  assert.equal(plain('a\u202eb\u0007c\td\n'), 'a\\u202eb\\u0007c\td\n')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      assert.doesNotMatch(plain(text), /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b\u007f-\u009f]/)
    }),
  )
})

test('a terminal’s text loses its colours and titles, and keeps the last state of a line', () => {
  assert.equal(terminalText('\u001b[31mred\u001b[0m \u001b]0;title\u0007x'), 'red x')
  assert.equal(terminalText('10%\r20%\rdone\r\nnext\n'), 'done\nnext\n')
  assert.equal(terminalText('a\u001bq'), 'a\\u001bq')
})

test('a clipped text is a beginning within its bounds, and says what is hidden', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 100 }),
      (text, lines, characters) => {
        const { text: shown, hidden } = clip(text, lines, characters)
        assert.equal(shown, text.slice(0, shown.length))
        assert.equal(shown.length + hidden, text.length)
        assert.ok(shown.length <= characters && shown.split('\n').length <= lines)
        assert.doesNotMatch(shown.slice(-1), /[\ud800-\udbff]/)
      },
    ),
  )
  assert.deepEqual(clip('a\nb\nc', 2, 99), { text: 'a\nb', hidden: 2 })
  assert.equal(lastLines('a\nb\nc\n', 2, 99), 'b\nc\n')
  assert.equal(lastLines('abc', 2, 99), 'abc')
})

test('a change is read line by line, numbered or plain', () => {
  const lines = diffLines('-1 old\n+1 new\n 2 same\n   ...\n+bare')
  assert.deepEqual(
    lines.map(({ kind, number, text }) => `${kind} ${number} ${text}`),
    ['removed 1 old', 'added 1 new', 'same 2 same', 'gap  ⋯', 'added  bare'],
  )
  assert.deepEqual(diffCounts(lines), { added: 2, removed: 1 })
})

test('a search’s hits are grouped by file, and what is no hit is said', () => {
  const { files, notes } = searchHits('src/a.ts:3: let a\nsrc/a.ts-4- around\nb.md:1: x\n[2 more matches]')
  assert.deepEqual(
    files.map(({ path, hits }) => [path, hits.length, hits.map(({ isMatch }) => isMatch)]),
    [
      ['src/a.ts', 2, [true, false]],
      ['b.md', 1, [true]],
    ],
  )
  assert.deepEqual(notes, ['[2 more matches]'])
})

test('a highlighter’s markup comes apart into its own pieces and nothing else', () => {
  assert.deepEqual(codeSpans('<span class="hljs-keyword">let</span> a &lt; <i>b</i>'), [
    { kind: 'hljs-keyword', text: 'let' },
    { kind: '', text: ' a < <i>b</i>' },
  ])
  const nested = codeSpans('<span class="a">x<span class="b">y</span>z</span>')
  assert.deepEqual(
    nested.map(({ kind, text }) => kind + text),
    ['ax', 'by', 'az'],
  )
})

test('entities are the characters they stand for', () => {
  assert.equal(
    withoutEntities('&lt;b&gt; &amp;amp; &#65;&#x42; &nope; &#0; &constructor;'),
    '<b> &amp; AB &nope; \ufffd &constructor;',
  )
})

test('amounts are said in few words', () => {
  assert.deepEqual([999, 1234, 34_567, 1_500_000].map(shortCount), ['999', '1.2k', '35k', '1.5M'])
  assert.deepEqual([0, 0.00001, 0.0123, 1.5].map(dollars), ['$0', '<$0.0001', '$0.0123', '$1.50'])
  assert.deepEqual([340, 2400, 185_000, 7_260_000].map(duration), ['340 ms', '2.4 s', '3 min 5 s', '2 h 1 min'])
  assert.deepEqual([12, 1500, 3_400_000].map(bytes), ['12 B', '1.5 kB', '3.4 MB'])
  assert.equal(truncationText({ shown: 2000, total: 8123, unit: 'lines' }), '2,000 of 8,123 lines')
  const now = Date.parse('2026-03-02T12:00:00Z')
  const times = [
    '2026-03-02T11:59:40Z',
    '2026-03-02T11:50:00Z',
    '2026-03-02T09:00:00Z',
    '2026-01-01T00:00:00Z',
    'never',
  ]
  assert.deepEqual(
    times.map((time) => ago(time, now)),
    ['now', '10 min', '3 h', '2026-01-01', ''],
  )
})

test('a file’s language is told by its ending, and no name is taken from a table’s own', () => {
  assert.deepEqual(['a/b.tsx', 'Dockerfile', 'x.constructor', 'none'].map(languageOfFile), [
    'typescript',
    'dockerfile',
    '',
    '',
  ])
})

test('a page comes back sooner at first, later and later, and never later than 19 s', () => {
  assert.deepEqual(
    [1, 2, 3].map((attempt) => backoffMs(attempt, 0)),
    [400, 800, 1600],
  )
  assert.equal(backoffMs(50, 1), 18_750)
})
