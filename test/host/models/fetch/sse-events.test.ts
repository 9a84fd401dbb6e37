import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSseReader, type SseEvent } from '../../../../src/host/models/fetch/sse-events.js'

const WIRE = [
  ': a comment',
  'event: message',
  'data: {"text":"größer 漢字 😀"}',
  '',
  '',
  'data:no blank',
  'data:  two blanks',
  'id: 7',
  'data',
  '',
  'event: named',
  '',
  'retry: 5',
  '',
  'data: [DONE]',
  '',
  'data: never completed',
  '',
].join('\n')

const EVENTS = [
  { event: 'message', data: '{"text":"größer 漢字 😀"}' },
  { event: null, data: 'no blank\n two blanks\n' },
  { event: 'named', data: '' },
  { event: null, data: '[DONE]' },
]
const REST = { event: null, data: 'never completed' }

const bare = ({ event, data }: SseEvent): object => ({ event, data })

function read(chunks: Iterable<Uint8Array>): { events: object[]; rest: object | undefined } {
  const reader = createSseReader()
  const events = [...chunks].flatMap((chunk) => reader.push(chunk))
  const { complete, rest } = reader.end()
  return { events: [...events, ...complete].map(bare), rest: rest && bare(rest) }
}

function* cut(bytes: Uint8Array, sizes: (at: number) => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizes(at))
    yield bytes.subarray(at, at + size)
    at += size
  }
}

for (const [name, feed] of Object.entries({ LF: '\n', CR: '\r', 'CR LF': '\r\n' })) {
  test(`events are the same however their bytes are cut, lines ended by ${name}`, () => {
    const bytes = new TextEncoder().encode(WIRE.replaceAll('\n', feed))
    const expected = { events: EVENTS, rest: REST }
    assert.deepEqual(read([bytes]), expected)
    for (let size = 1; size < 40; size++) assert.deepEqual(read(cut(bytes, () => size)), expected, `${size} at a time`)
    for (let seed = 1; seed < 50; seed++) {
      assert.deepEqual(read(cut(bytes, (at) => ((at * 31 + seed * 17) % 23) - 3)), expected, `seed ${seed}`)
    }
  })
}

test('an event comes with what completes it, and keeps its lines', () => {
  const reader = createSseReader()
  assert.deepEqual(reader.push('event: a\ndata: 1\n'), [])
  assert.deepEqual(reader.push('\ndata: 2\n\nda'), [
    { event: 'a', data: '1', raw: ['event: a', 'data: 1'] },
    { event: null, data: '2', raw: ['data: 2'] },
  ])
  assert.deepEqual(reader.push('ta: 3'), [])
  assert.deepEqual(reader.end(), { complete: [], rest: { event: null, data: '3', raw: ['data: 3'] } })
})

test('a stream that ends between two events leaves nothing', () => {
  const reader = createSseReader()
  assert.equal(reader.push('data: 1\r\n\r').length, 1)
  assert.deepEqual(reader.push('\n'), [])
  assert.deepEqual(reader.end(), { complete: [], rest: undefined })
})

test('an event of many chunks is not read again with each of them', () => {
  const reader = createSseReader()
  const piece = 'x'.repeat(1000)
  reader.push('data: ')
  for (let n = 0; n < 20_000; n++) assert.equal(reader.push(piece).length, 0)
  assert.equal(reader.push('\n\n')[0]!.data.length, 20_000_000)
})
