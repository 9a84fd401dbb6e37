import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import { test } from 'node:test'
import { createJsonResultSurface, createJsonSurface } from '../../../src/cli/json/json-surface.js'
import type { EnsoFollowFrame, EnsoResultLine } from '../../../src/core/index.js'

const status: EnsoFollowFrame = { type: 'status', busy: true, generation: 1, live: true }
const result: EnsoResultLine = {
  type: 'result',
  outcome: 'done',
  exitCode: 0,
  threadId: 't',
  text: 'a\u2028b\ud800',
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  cost: 0,
  turns: 1,
  durationMs: 1,
  dialogs: { answered: 0, byRule: 0, cancelled: 0, timedOut: 0, aborted: 0 },
  denials: {},
  restored: [],
}
const frameLine = (): string => JSON.stringify(status)

function surfaceOn(stdout: Writable, make = createJsonSurface) {
  const stderr = new PassThrough()
  return { surface: make({ stdout, stderr, quiet: false }), stderr }
}

test('every line is one JSON object ended by LF, separators and lone surrogates escaped', async () => {
  const stdout = new PassThrough()
  const { surface } = surfaceOn(stdout)
  surface.hello({ type: 'hello', protocol: 1, enso: '1', threadId: 't', cwd: '/w\u2029' })
  surface.frame(status, frameLine)
  await surface.result(result)
  const text = String(stdout.read())
  assert.equal(text.split('\n').length, 4)
  assert.equal(/[\u2028\u2029\ud800-\udfff\r]/.test(text), false)
  assert.equal((JSON.parse(text.split('\n')[2]!) as EnsoResultLine).text, result.text)
})

test('a reader that is behind is said to be, and told about when it has caught up', async () => {
  const stdout = new PassThrough({ highWaterMark: 10 })
  const { surface } = surfaceOn(stdout)
  assert.equal(surface.frame(status, frameLine), false)
  assert.equal(surface.isBehind(), true)
  let ready = 0
  surface.onReady(() => ready++)
  assert.equal(ready, 0)
  stdout.read()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(ready, 1)
  surface.onReady(() => ready++)
  assert.equal(ready, 2)
})

test('the result resolves only when everything has been taken', async () => {
  const taken: string[] = []
  let take: (() => void) | undefined
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      take = () => {
        taken.push(String(chunk))
        done()
      }
    },
  })
  const { surface } = surfaceOn(stdout)
  surface.frame(status, frameLine)
  let over = false
  const said = surface.result(result).then(() => {
    over = true
  })
  for (let turn = 0; turn < 3; turn++) {
    assert.equal(over, false)
    take?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await said
  assert.equal(taken.join('').trimEnd().split('\n').length, 2)
})

test('a reader that left is said once, nothing more is written, and the result doesn’t wait for it', async () => {
  const stdout = new PassThrough({ highWaterMark: 10 })
  const { surface } = surfaceOn(stdout)
  let closed = 0
  let ready = 0
  surface.onClosed(() => closed++)
  surface.frame(status, frameLine)
  surface.onReady(() => ready++)
  stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([closed, ready], [1, 1])
  assert.equal(surface.frame(status, frameLine), true)
  await surface.result(result)
  assert.equal(closed, 1)
})

test('a note is one harmless line on standard error', () => {
  const { surface, stderr } = surfaceOn(new PassThrough())
  surface.note('title \u001b]0;owned\u0007 over')
  const text = String(stderr.read())
  assert.equal(text.includes('\u001b'), false)
  assert.match(text, /^enso: title .* over\n$/)
})

test('the result surface says nothing but the result', async () => {
  const stdout = new PassThrough()
  const { surface } = surfaceOn(stdout, createJsonResultSurface as typeof createJsonSurface)
  surface.hello({ type: 'hello', protocol: 1, enso: '1', threadId: 't', cwd: '/w' })
  assert.equal(surface.frame(status, frameLine), true)
  surface.reply({ type: 'reply', requestId: 'a', ok: true, result: null })
  await surface.result(result)
  assert.equal(String(stdout.read()).trimEnd().split('\n').length, 1)
})
