import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createJsonSurface } from '../../../src/cli/json/json-surface.js'
import { createRequestLines, type RequestLinesOptions } from '../../../src/cli/json/requests.js'
import { createDialogLedger } from '../../../src/cli/run/dialog-policy.js'
import type { RunDoor } from '../../../src/cli/run/run-door.js'
import type { OperationOutcome } from '../../../src/thread/operation.js'
import { settleTicks } from '../../support/fake-threads.js'

type Operate = RunDoor['operate']

function serve(operate: Operate, options: Partial<RequestLinesOptions> = {}) {
  const stdin = new PassThrough()
  const stdout = new PassThrough({ readableHighWaterMark: 1024 })
  const stderr = new PassThrough()
  const surface = createJsonSurface({ stdout, stderr, quiet: false })
  const ledger = createDialogLedger({
    channel: 'lines',
    channelOpen: () => true,
    neverAsk: false,
    rules: undefined,
    timeoutMs: undefined,
    note: () => undefined,
  })
  const calls: string[] = []
  const door: RunDoor = {
    threadId: 't',
    operate: (name, body) => {
      calls.push(`${name} ${JSON.stringify(body)}`)
      return operate(name, body)
    },
    linked: Promise.resolve(),
    isQuiet: () => true,
    stop: (cause) => calls.push(`stop ${cause}`),
    finish: () => calls.push('finish'),
  }
  const source = createRequestLines({
    stdin,
    surface,
    ledger,
    openDialogs: () => [],
    oneShot: false,
    stopOnEof: false,
    ...options,
  })
  source.open(door)
  const replies = (): Record<string, unknown>[] => {
    const text = String(stdout.read() ?? '')
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
  return { stdin, stdout, calls, replies, ledger, source }
}

const done: OperationOutcome = { ok: true, status: 200, result: { fine: true } }

test('a success is answered only where a requestId asks for it; 204 is null', async () => {
  const { stdin, replies, calls } = serve(async (name) =>
    name === 'dialog' ? { ok: true, status: 204, result: undefined } : done,
  )
  stdin.write(
    '{"type":"stats"}\n{"type":"stats","requestId":"a"}\n{"type":"dialog","requestId":"b","id":"q","value":"x"}\n',
  )
  await settleTicks()
  assert.deepEqual(calls, ['stats {}', 'stats {}', 'dialog {"id":"q","value":"x"}'])
  assert.deepEqual(replies(), [
    { type: 'reply', requestId: 'a', ok: true, result: { fine: true } },
    { type: 'reply', requestId: 'b', ok: true, result: null },
  ])
})

test('a refusal is always answered, with the number of its line; the id is the dialog’s and correlates nothing', async () => {
  const refusal = { code: 'unknown-dialog', reason: 'no such question' } as const
  const { stdin, replies } = serve(async () => ({ ok: false, refusal }))
  stdin.write('\n{"type":"dialog","id":"q","value":"x"}\n{"type":"dialog","id":"q","value":"x","requestId":"r"}\n')
  await settleTicks()
  assert.deepEqual(replies(), [
    { type: 'reply', ok: false, line: 2, refusal },
    { type: 'reply', requestId: 'r', ok: false, line: 3, refusal },
  ])
})

test('a line that is no request is refused as malformed, its requestId echoed where it can be read', async () => {
  const { stdin, replies, calls } = serve(async () => done)
  stdin.write('nonsense\n[1]\nnull\n{"requestId":"a"}\n{"type":"stats","requestId":7}\n{"type":"","requestId":"b"}\n')
  stdin.write(Buffer.concat([Buffer.from('{"type":"\xff"}', 'latin1'), Buffer.from('\n')]))
  await settleTicks()
  const said = replies()
  assert.deepEqual(
    said.map(({ line, requestId, refusal }) => [line, requestId, (refusal as { code: string }).code]),
    [
      [1, undefined, 'malformed'],
      [2, undefined, 'malformed'],
      [3, undefined, 'malformed'],
      [4, 'a', 'malformed'],
      [5, undefined, 'malformed'],
      [6, 'b', 'malformed'],
      [7, undefined, 'malformed'],
    ],
  )
  assert.deepEqual(calls, [])
})

test('a line over the limit is refused by its number and the next one is served', async () => {
  const { stdin, replies, calls } = serve(async () => done, { maxBytes: 100 })
  stdin.write(`{"type":"prompt","message":"${'x'.repeat(200)}"}\n{"type":"stats"}\n`)
  await settleTicks()
  assert.deepEqual(replies(), [
    { type: 'reply', ok: false, line: 1, refusal: { code: 'too-large', reason: 'the line is longer than 100 bytes' } },
  ])
  assert.deepEqual(calls, ['stats {}'])
})

test('requests begin in the order of their lines and a slow one holds up no other', async () => {
  let release: (outcome: OperationOutcome) => void = () => undefined
  const slow = new Promise<OperationOutcome>((resolve) => {
    release = resolve
  })
  const { stdin, replies } = serve((name) => (name === 'command' ? slow : Promise.resolve(done)))
  stdin.write('{"type":"command","requestId":"slow"}\n{"type":"dialog","requestId":"quick","id":"q"}\n')
  await settleTicks()
  assert.deepEqual(
    replies().map(({ requestId }) => requestId),
    ['quick'],
  )
  release(done)
  await settleTicks()
  assert.deepEqual(
    replies().map(({ requestId }) => requestId),
    ['slow'],
  )
})

test('a flood of requests whose replies nobody reads is not read on', async () => {
  const { stdin, stdout, calls, replies } = serve(async () => done)
  const line = `{"type":"stats","requestId":"${'r'.repeat(1000)}"}\n`
  for (let sent = 0; sent < 500; sent++) stdin.write(line)
  await settleTicks()
  const held = calls.length
  assert.ok(held < 200, `${held} of 500 were taken in`)
  for (let turn = 0; calls.length < 500 && turn < 5000; turn++) {
    replies()
    await settleTicks()
  }
  assert.equal(calls.length, 500)
  assert.ok(stdout.readableLength < 100_000)
})

test('the end of input cancels what waits, closes the channel, and finishes unless the run is one-shot', async () => {
  const many = serve(async () => done, { openDialogs: () => ['a', 'b'] })
  many.stdin.end('{"type":"stats"}')
  await settleTicks()
  assert.deepEqual(many.calls, [
    'stats {}',
    'dialog {"id":"a","cancelled":true}',
    'dialog {"id":"b","cancelled":true}',
    'finish',
  ])
  assert.equal(many.ledger.policy.canAsk(), false)

  const one = serve(async () => done, { oneShot: true })
  one.stdin.end()
  await settleTicks()
  assert.deepEqual(one.calls, [])

  const stopping = serve(async () => done, { oneShot: true, stopOnEof: true })
  stopping.stdin.end()
  await settleTicks()
  assert.deepEqual(stopping.calls, ['stop abort'])
})

test('a standard input that fails is one that says nothing more', async () => {
  const { stdin, calls } = serve(async () => done)
  stdin.destroy(new Error('EIO'))
  await settleTicks()
  assert.deepEqual(calls, ['finish'])
})

test('after close nothing more is read', async () => {
  const { stdin, calls, source } = serve(async () => done)
  source.close()
  stdin.write('{"type":"stats"}\n')
  stdin.end()
  await settleTicks()
  assert.deepEqual(calls, [])
})
