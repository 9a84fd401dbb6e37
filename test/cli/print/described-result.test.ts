// Each descriptor of the wire as the text surface draws it.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createPrintSurface } from '../../../src/cli/print/print-surface.js'
import type { EnsoObservation, EnsoToolResultDescriptor } from '../../../src/core/index.js'
import { fakeIo } from '../../support/cli-io.js'
import { inRoot } from '../../support/root.js'

const FOLDER = 'test/fixtures/wire/EnsoToolResultDescriptor'

const fixture = (name: string): EnsoToolResultDescriptor =>
  JSON.parse(readFileSync(inRoot(FOLDER, `${name}.json`), 'utf8')) as EnsoToolResultDescriptor

interface Drawn {
  readonly text: string
  readonly isError?: boolean
  readonly args?: unknown
  readonly lines: readonly string[]
}

const LONG = Array.from({ length: 9 }, (_, index) => `${index + 1}`).join('\n')

const DRAWN: Readonly<Record<string, Drawn>> = {
  read: { text: 'a\nb', lines: ['40 lines from line 3', 'a', 'b'] },
  'read-cut': { text: LONG, lines: ['1', '2', '3', '4', '5', '… of 5000 lines in all'] },
  'read-image': { text: 'Read image file [image/png]', lines: ['an image'] },
  bash: { text: 'ok 1\nok 2', lines: ['ok 1', 'ok 2'] },
  'bash-failed': {
    text: `${LONG}\n\nCommand exited with code 2`,
    isError: true,
    lines: ['exit code 2', '1', '2', '3', '… 3 more lines', '7', '8', '9', '… of 9000 lines in all'],
  },
  'bash-timeout': {
    text: 'Command timed out after 9 seconds',
    isError: true,
    lines: ['ended: timeout', 'Command timed out after 9 seconds'],
  },
  edit: {
    text: 'Successfully replaced 1 block(s) in src/sum.js.',
    lines: ['  1 export const sum =', '- 2 (a, b) => a - b', '+ 2 (a, b) => a + b'],
  },
  write: {
    text: 'Successfully wrote 12 bytes to notes.md',
    args: { path: 'notes.md', content: 'one\ntwo two\n' },
    lines: ['+ one', '+ two two'],
  },
  grep: { text: 'a.js:1: sum\nb.js:2: sum', lines: ['2 matches', 'a.js:1: sum', 'b.js:2: sum'] },
  find: {
    text: LONG,
    lines: ['1000 paths, and more: the limit was reached', '1', '2', '3', '4', '5', '… 4 more lines'],
  },
  ls: { text: 'a\nb\nc/', lines: ['3 entries', 'a', 'b', 'c/'] },
  web_fetch: {
    text: 'External web content follows. …',
    lines: [
      'HTTP 200, text/html; charset=utf-8, 524.3k bytes, cut',
      'from https://docs.example.com/guide/',
      '… of 2000000 bytes in all',
    ],
  },
  'web_fetch-refused': {
    text: 'web_fetch refused (host-not-allowed): evil.example is not listed.',
    isError: true,
    lines: ['web_fetch refused (host-not-allowed): evil.example is not listed.'],
  },
  web_search: {
    text: 'External web content follows. …',
    lines: [
      '2 sources by anthropic/claude-sonnet',
      'Guide — https://docs.example.com/guide',
      'https://api.example.org/',
    ],
  },
  ask_user: { text: '[Colour] …', lines: ['Colour: blue', 'Days: Mon, Tue, "not too early"'] },
  'ask_user-declined': { text: 'The person declined to answer.', lines: ['The person declined to answer.'] },
  unknown: { text: 'deployed', lines: ['deployed'] },
  cut: { text: 'said', lines: ['said', '… of 40 lines in all'] },
  whole: { text: 'said', lines: ['said'] },
}

function draw(
  descriptor: EnsoToolResultDescriptor,
  { text, isError = false, args = {} }: Omit<Drawn, 'lines'>,
): string {
  const { io, err } = fakeIo({})
  const surface = createPrintSurface(io, { quiet: false, color: 'never' })
  const toolName = descriptor.kind
  const observations: EnsoObservation[] = [
    { kind: 'tool-call', toolCallId: '1', toolName, args },
    { kind: 'tool-result', toolCallId: '1', toolName, text, isError, complete: true, descriptor },
  ]
  for (const [seq, observation] of observations.entries()) {
    surface.frame({ type: 'observation', seq, observation }, () => '')
  }
  return err.text()
}

test('every descriptor of the wire has its expected text here', () => {
  const names = readdirSync(inRoot(FOLDER))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''))
  assert.deepEqual(names.toSorted(), Object.keys(DRAWN).toSorted())
})

for (const [name, drawn] of Object.entries(DRAWN)) {
  test(`drawn as text: ${name}`, () => {
    const lines = draw(fixture(name), drawn)
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(4))
    assert.deepEqual(lines, drawn.lines)
  })
}

test('a descriptor whose data is not what its kind has is no worse than none', () => {
  for (const kind of ['read', 'bash', 'edit', 'write', 'grep', 'find', 'ls', 'web_fetch', 'web_search', 'ask_user']) {
    for (const props of [
      {},
      { lines: 'x', matches: null, sources: 1, questions: {}, outcome: 'answered', exitCode: 'no' },
    ]) {
      assert.match(draw({ kind, props }, { text: 'what it said' }), /⎿ what it said\n$/, kind)
    }
  }
  const odd = {
    outcome: 'answered',
    questions: [null, 1],
    answers: [{ selected: [3] }],
    sources: [null, 'x'],
    backend: 4,
  }
  for (const kind of ['ask_user', 'web_search']) assert.match(draw({ kind, props: odd }, { text: 'said' }), /⎿ \S/)
})

test('what a page or a source is called can not draw on the terminal', () => {
  const evil = 'a\u001b]0;x\u0007b\u202e\nc'
  const sources = [{ title: evil, url: `https://x.example/${evil}` }]
  const texts = [
    draw({ kind: 'web_search', props: { backend: evil, sources } }, { text: 'said' }),
    draw(
      { kind: 'web_fetch', props: { status: 200, bytes: 1, contentType: evil, asked: 'x', url: evil } },
      { text: '' },
    ),
    draw(
      {
        kind: 'ask_user',
        props: { outcome: 'answered', questions: [{ header: evil }], answers: [{ selected: [evil], other: evil }] },
      },
      { text: '' },
    ),
    draw(
      { kind: 'bash', props: { ended: evil, fullOutputPath: evil }, truncated: { shown: 1, total: 2, unit: 'lines' } },
      { text: 'said' },
    ),
  ]
  // oxlint-disable-next-line no-control-regex
  for (const text of texts) assert.doesNotMatch(text, /[\u001b\u0007\u202e]|\nc/)
})
