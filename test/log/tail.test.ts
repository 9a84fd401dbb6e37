import assert from 'node:assert/strict'
import { appendFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { Value } from '@sinclair/typebox/value'
import { EnsoLogTailFrame, LOG_TAIL_MAX_RECORDS } from '../../src/core/log-tail.js'
import { EVERYTHING } from '../../src/log/line-filter.js'
import { createLogTail, LOG_TAIL_POLL_MS, type LogTail, type LogTailOptions } from '../../src/log/tail.js'
import { testFolder } from '../support/fake-cli.js'
import { createManualClock } from '../support/manual-clock.js'

const record = (n: number, more: Record<string, unknown> = {}): string =>
  `${JSON.stringify({ '@timestamp': new Date(2030, 0, 1, 12).toISOString(), level: 'INFO', message: 'x', logger: 'enso', properties: { n, ...more } })}\n`

interface Tailing {
  readonly tail: LogTail
  readonly frames: EnsoLogTailFrame[]
  readonly clock: ReturnType<typeof createManualClock>
  readonly day: (day: string) => string
}

async function tailing(t: TestContext, given: Partial<LogTailOptions> = {}): Promise<Tailing> {
  const logsDir = given.logsDir ?? (await testFolder(t))
  const clock = createManualClock(new Date(2030, 0, 1, 12).getTime())
  const frames: EnsoLogTailFrame[] = []
  const tail = createLogTail({
    logsDir,
    question: EVERYTHING,
    clock,
    emit: (frame) => void frames.push(frame),
    ...given,
  })
  return { tail, frames, clock, day: (day) => join(logsDir, `enso-${day}.jsonl`) }
}

const numbers = (frame: EnsoLogTailFrame | undefined): unknown[] =>
  (frame?.lines ?? []).map(({ properties }) => properties?.['n'])

test('the backlog first, then what has come, and the offset is after the last whole line', async (t) => {
  const { tail, frames, day } = await tailing(t)
  writeFileSync(day('2030-01-01'), record(1) + record(2))
  await tail.step()
  await tail.step()
  appendFileSync(day('2030-01-01'), record(3) + record(4).slice(0, 20))
  await tail.step()
  appendFileSync(day('2030-01-01'), record(4).slice(20))
  await tail.step()
  assert.deepEqual(
    frames.map((frame) => [frame.type, ...numbers(frame)]),
    [
      ['backlog', 1, 2],
      ['records', 3],
      ['records', 4],
    ],
  )
  assert.deepEqual(
    frames.map(({ offset }) => offset),
    [2, 3, 4].map((n) => n * record(1).length),
  )
  for (const frame of frames) assert.ok(Value.Check(EnsoLogTailFrame, frame))
})

test('a day without a file is an empty backlog, and its first records follow', async (t) => {
  const { tail, frames, day } = await tailing(t)
  await tail.step()
  writeFileSync(day('2030-01-01'), record(1))
  await tail.step()
  assert.deepEqual(
    frames.map((frame) => [frame.type, frame.day, frame.offset, ...numbers(frame)]),
    [
      ['backlog', '2030-01-01', 0],
      ['records', '2030-01-01', record(1).length, 1],
    ],
  )
})

test('a reader who comes back is not sent the day again; from another day it is', async (t) => {
  const logsDir = await testFolder(t)
  writeFileSync(join(logsDir, 'enso-2030-01-01.jsonl'), record(1) + record(2))
  const from = (day: string) => ({ logsDir, from: { day, offset: record(1).length } })
  const same = await tailing(t, from('2030-01-01'))
  await same.tail.step()
  assert.deepEqual(
    same.frames.map((frame) => [frame.type, ...numbers(frame)]),
    [['records', 2]],
  )
  const other = await tailing(t, from('2029-12-31'))
  await other.tail.step()
  assert.deepEqual(
    other.frames.map((frame) => [frame.type, ...numbers(frame)]),
    [['backlog', 1, 2]],
  )
})

test('midnight: the old file is read to its end, the new one is a backlog', async (t) => {
  const { tail, frames, clock, day } = await tailing(t)
  writeFileSync(day('2030-01-01'), record(1))
  await tail.step()
  appendFileSync(day('2030-01-01'), record(2))
  writeFileSync(day('2030-01-02'), record(3))
  clock.advance(12 * 3_600_000)
  await tail.step()
  assert.deepEqual(
    frames.map((frame) => [frame.type, frame.day, ...numbers(frame)]),
    [
      ['backlog', '2030-01-01', 1],
      ['records', '2030-01-01', 2],
      ['backlog', '2030-01-02', 3],
    ],
  )
})

test('a file that has shrunk is begun anew', async (t) => {
  const { tail, frames, day } = await tailing(t)
  writeFileSync(day('2030-01-01'), record(1) + record(2))
  await tail.step()
  truncateSync(day('2030-01-01'))
  appendFileSync(day('2030-01-01'), record(9))
  await tail.step()
  assert.deepEqual(numbers(frames[1]), [9])
  assert.equal(frames[1]?.type, 'backlog')
})

test('a frame holds the newest records up to its cap and says how many there were; others are counted', async (t) => {
  const { tail, frames, day } = await tailing(t)
  const many = Array.from({ length: LOG_TAIL_MAX_RECORDS + 5 }, (_, n) => record(n)).join('')
  writeFileSync(day('2030-01-01'), `${many}torn\n\0\0\0\n`)
  await tail.step()
  assert.equal(frames[0]?.lines.length, LOG_TAIL_MAX_RECORDS)
  assert.equal(numbers(frames[0]).at(-1), LOG_TAIL_MAX_RECORDS + 4)
  assert.equal(frames[0]?.matched, LOG_TAIL_MAX_RECORDS + 5)
  assert.equal(frames[0]?.malformed, 2)
})

test('a running tail looks again and again until it is closed', async (t) => {
  const { tail, frames, clock, day } = await tailing(t)
  writeFileSync(day('2030-01-01'), record(1))
  const running = tail.run()
  while (clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  appendFileSync(day('2030-01-01'), record(2))
  clock.advance(LOG_TAIL_POLL_MS)
  while (clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve))
  tail.close()
  await running
  assert.deepEqual(frames.map(numbers), [[1], [2]])
  assert.equal(clock.waiting(), 0)
})
