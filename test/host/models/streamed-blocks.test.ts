import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grownText, streamArguments } from '../../../src/host/models/streamed-blocks.js'

test('a text grows by its pieces, whatever else is put in its place on the way', () => {
  const block = { text: '' }
  let expected = ''
  for (let n = 0; n < 2000; n++) {
    if (n === 700) block.text = expected = block.text.toUpperCase()
    const piece = n % 300 === 0 ? '' : `piece ${n}; `
    block.text = grownText(block, block.text, piece)
    expected += piece
    if (n % 97 === 0) assert.equal(block.text, expected)
  }
  assert.equal(block.text, expected)
})

test('two texts that grow at once do not meet', () => {
  const [one, other] = [{ text: '' }, { text: 'b' }]
  for (let n = 0; n < 600; n++) {
    one.text = grownText(one, one.text, 'a')
    other.text = grownText(other, other.text, 'b')
  }
  assert.deepEqual([one.text, other.text], ['a'.repeat(600), 'b'.repeat(601)])
})

test('the arguments of a call are parsed when somebody looks, once for what they say then', () => {
  const parsed: string[] = []
  const parse = (text: string): unknown => {
    parsed.push(text)
    return { said: text }
  }
  const call: { name: string; arguments: unknown } = { name: 'write', arguments: {} }
  for (const text of ['a', 'ab', 'abc']) streamArguments(call, text, parse)
  assert.deepEqual(parsed, [])
  assert.deepEqual([call.arguments, { ...call }.arguments], [{ said: 'abc' }, { said: 'abc' }])
  assert.equal(call.arguments, call.arguments)
  assert.deepEqual(parsed, ['abc'])
  streamArguments(call, 'abcd', parse)
  assert.equal(JSON.stringify(call), '{"name":"write","arguments":{"said":"abcd"}}')
  assert.deepEqual(parsed, ['abc', 'abcd'])
})

test('arguments that are set are a plain property again', () => {
  const call: { arguments: unknown } = { arguments: {} }
  streamArguments(call, 'half', () => assert.fail('nobody looked'))
  call.arguments = { whole: true }
  assert.deepEqual(Object.getOwnPropertyDescriptor(call, 'arguments'), {
    value: { whole: true },
    writable: true,
    enumerable: true,
    configurable: true,
  })
})
