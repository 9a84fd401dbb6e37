import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { ENSO_LOG_EVENTS } from '../../src/core/index.js'
import { createThreadLogReader } from '../../src/log/thread-log.js'
import { testFolder } from '../support/fake-cli.js'

const NOON = new Date(2030, 0, 2, 12).getTime()
const DAY = 86_400_000

function line(at: number, message: string, properties: object): string {
  const stamp = new Date(at).toISOString()
  const all = { threadId: 'one', generation: 1, process: 'cli', pid: 1, ...properties }
  return `${JSON.stringify({ '@timestamp': stamp, level: 'INFO', message, logger: 'enso.server.run', properties: all })}\n`
}

const acquired = (at: number, more: object = {}): string => line(at, ENSO_LOG_EVENTS.runAcquired, more)

async function logs(t: TestContext, days: Readonly<Record<string, string>>): Promise<string> {
  const dir = join(await testFolder(t), 'logs')
  mkdirSync(dir)
  for (const [day, text] of Object.entries(days)) writeFileSync(join(dir, `enso-${day}.jsonl`), text)
  return dir
}

test('a thread’s account is of its own records only, over every day', async (t) => {
  const logsDir = await logs(t, {
    '2030-01-01': acquired(NOON - DAY, { threadId: 'one-more' }),
    '2030-01-02': [
      acquired(NOON),
      line(NOON, ENSO_LOG_EVENTS.promptAdmitted, { messageId: 'm', admission: 'opened' }),
      line(NOON + 250, ENSO_LOG_EVENTS.runFirstDelta, { firstDeltaMs: 250 }),
      line(NOON + 300, ENSO_LOG_EVENTS.observation, { kind: 'tool-call', toolCallId: 'c', toolName: 'bash' }),
      acquired(NOON, { threadId: 'two' }),
      'torn',
    ].join(''),
    '2030-01-03': [
      line(NOON + 400, ENSO_LOG_EVENTS.observation, {
        kind: 'tool-result',
        toolCallId: 'c',
        toolName: 'bash',
        complete: true,
      }),
      line(NOON + 1000, ENSO_LOG_EVENTS.observation, { kind: 'settled' }),
    ].join(''),
  })
  const { days, latency, callDurations } = await createThreadLogReader({ logsDir }).account('one', 0)
  assert.deepEqual(days, ['2030-01-02', '2030-01-03'])
  assert.equal(latency.firstDelta.meanMs, 250)
  assert.deepEqual([latency.prompts.count, latency.prompts.totalMs], [1, 1000])
  assert.deepEqual([...callDurations], [['c', 100]])
})

test('days that are over before the thread began are not read', async (t) => {
  const logsDir = await logs(t, {
    '2030-01-01': acquired(NOON - DAY),
    '2030-01-05': acquired(NOON + 3 * DAY),
  })
  const reader = createThreadLogReader({ logsDir })
  assert.deepEqual((await reader.account('one', NOON + 3 * DAY)).days, ['2030-01-05'])
  assert.deepEqual((await reader.account('one', NOON)).days, ['2030-01-01', '2030-01-05'])
})

test('the newest records are kept where there are too many, and all are counted', async (t) => {
  const many = Array.from({ length: 50 }, (_, n) => line(NOON + n, 'record {n}', { n })).join('')
  const logsDir = await logs(t, { '2030-01-02': many, '2030-01-03': line(NOON + DAY, 'record {n}', { n: 50 }) })
  const { lines, matched } = await createThreadLogReader({ logsDir }).lines('one', 0, 3)
  assert.equal(matched, 51)
  assert.deepEqual(
    lines.map(({ properties }) => properties?.['n']),
    [48, 49, 50],
  )
})

test('where nothing was logged nothing is known, and what waits is written before it is read', async (t) => {
  const folder = await testFolder(t)
  let flushed = 0
  const reader = createThreadLogReader({ logsDir: join(folder, 'none'), flush: () => void flushed++ })
  assert.deepEqual((await reader.account('one', 0)).days, [])
  assert.deepEqual(await reader.lines('one', 0, 9), { lines: [], matched: 0 })
  assert.equal(flushed, 2)
})
