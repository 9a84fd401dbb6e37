import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { readStdinText, STDIN_GRACE_MS, withStdinContext } from '../../../src/cli/run/stdin-context.js'
import { createManualClock } from '../../support/manual-clock.js'

function reading(graceMs: number | undefined, maxBytes = 1000) {
  const stdin = new PassThrough()
  const clock = createManualClock()
  const stop = new AbortController()
  const waits: string[] = []
  const text = readStdinText({
    stdin,
    clock,
    graceMs,
    maxBytes,
    signal: stop.signal,
    onWaiting: () => waits.push('waiting'),
  })
  return { stdin, clock, stop, text, waits }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a pipe that is open and silent is given up after the grace', async () => {
  const { clock, text, stdin } = reading(STDIN_GRACE_MS)
  clock.advance(STDIN_GRACE_MS)
  assert.deepEqual(await text, { kind: 'silent' })
  assert.equal(stdin.isPaused(), true)
  assert.equal(clock.waiting(), 0)
})

test('one byte within the grace is enough to read to the end, however long that takes', async () => {
  const { clock, text, stdin } = reading(STDIN_GRACE_MS)
  stdin.write('a')
  await turn()
  clock.advance(60 * 60 * 1000)
  stdin.end('b\n')
  assert.deepEqual(await text, { kind: 'text', text: 'ab\n' })
})

test('an end at once is an empty text', async () => {
  const { text, stdin } = reading(STDIN_GRACE_MS)
  stdin.end()
  assert.deepEqual(await text, { kind: 'text', text: '' })
})

test('without a grace it waits, and says so once', async () => {
  const { clock, text, stdin, waits } = reading(undefined)
  clock.advance(10 * STDIN_GRACE_MS)
  assert.deepEqual(waits, ['waiting'])
  stdin.end('late')
  assert.deepEqual(await text, { kind: 'text', text: 'late' })
})

test('a Stop ends the wait', async () => {
  const { stop, text } = reading(undefined)
  stop.abort()
  assert.deepEqual(await text, { kind: 'aborted' })
})

test('more than the limit is refused rather than kept; a failing input is said', async () => {
  const large = reading(undefined, 10)
  large.stdin.write('x'.repeat(11))
  assert.deepEqual(await large.text, { kind: 'too-large' })
  const failing = reading(undefined)
  failing.stdin.destroy(new Error('EISDIR'))
  assert.deepEqual(await failing.text, { kind: 'failed', reason: 'EISDIR' })
})

test('a character split between two chunks stays whole', async () => {
  const { stdin, text } = reading(undefined)
  const bytes = Buffer.from('grüße')
  stdin.write(bytes.subarray(0, 3))
  stdin.end(bytes.subarray(3))
  assert.deepEqual(await text, { kind: 'text', text: 'grüße' })
})

test('blank input adds nothing to a prompt', () => {
  assert.equal(withStdinContext('review', ' \n'), 'review')
  assert.equal(withStdinContext('review', 'diff\n'), 'review\n\n<stdin>\ndiff\n</stdin>')
})
