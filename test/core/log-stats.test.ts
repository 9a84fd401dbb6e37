import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Value } from '@sinclair/typebox/value'
import { dayStats, ENSO_LOG_EVENTS, EnsoDayStats, foldDay, mergeDurationSummaries } from '../../src/core/log-stats.js'
import type { EnsoLogLine } from '../../src/core/log.js'

const DAY = '2030-01-01'
const START = Date.UTC(2030, 0, 1, 10)

function record(
  ms: number,
  message: string,
  properties: Record<string, unknown>,
  level: EnsoLogLine['level'] = 'INFO',
): EnsoLogLine {
  return {
    '@timestamp': new Date(START + ms).toISOString(),
    level,
    message,
    logger: 'enso.server',
    properties: { process: 'server', pid: 10, ...properties },
  }
}

const observed = (ms: number, kind: string, properties: Record<string, unknown>): EnsoLogLine =>
  record(ms, ENSO_LOG_EVENTS.observation, { kind, ...properties }, 'DEBUG')

const usage = (ms: number, properties: Record<string, unknown>): EnsoLogLine =>
  record(ms, ENSO_LOG_EVENTS.messageUsage, {
    role: 'assistant',
    input: 100,
    output: 10,
    cacheRead: 5,
    cacheWrite: 1,
    totalCost: 0.1,
    model: 'm1',
    ...properties,
  })

const run = { threadId: 't1', generation: 1 }

function aDay(): EnsoLogLine[] {
  return [
    record(0, ENSO_LOG_EVENTS.loggingConfigured, {
      file: 'debug',
      console: 'off',
      overrides: ['enso.host=trace'],
      startedAt: 's',
    }),
    record(1000, ENSO_LOG_EVENTS.runAcquired, run),
    record(1010, ENSO_LOG_EVENTS.promptAdmitted, { ...run, messageId: 'm', admission: 'opened' }),
    record(1500, ENSO_LOG_EVENTS.runFirstDelta, { ...run, firstDeltaMs: 490 }),
    usage(2000, { ...run, seq: 7 }),
    observed(2100, 'tool-call', { ...run, toolCallId: 'c1', toolName: 'bash' }),
    record(2150, ENSO_LOG_EVENTS.toolDenied, {
      ...run,
      toolName: 'read',
      reason: 'no',
      rule: 'secret-path',
      toolCallId: 'c2',
    }),
    observed(2200, 'tool-result', { ...run, toolCallId: 'c1', toolName: 'bash', complete: false, isError: false }),
    observed(2600, 'tool-result', { ...run, toolCallId: 'c1', toolName: 'bash', complete: true, isError: true }),
    observed(2700, 'provider-refused', { ...run, provider: 'p', status: 429 }),
    observed(2710, 'provider-refused', { ...run }),
    usage(2800, { ...run, seq: 12, model: undefined, totalCost: 0.2 }),
    observed(3010, 'settled', run),
    record(3020, ENSO_LOG_EVENTS.runReleased, { ...run, idleTimeoutMs: 0 }),
  ]
}

test('a day is counted by models, threads, runs, tools, denials, refusals and processes', () => {
  const { stats, callDurations } = foldDay(DAY, aDay(), 3)
  assert.ok(Value.Check(EnsoDayStats, stats))
  const spent = { messages: 2, input: 200, output: 20, cacheRead: 10, cacheWrite: 2 }
  const none = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, meanMs: 0 }
  const one = (ms: number) => ({ count: 1, totalMs: ms, minMs: ms, maxMs: ms, meanMs: ms })
  assert.equal(stats.records, 14)
  assert.equal(stats.malformed, 3)
  assert.ok(Math.abs(stats.totals.cost - 0.3) < 1e-12)
  const { cost } = stats.totals
  assert.deepEqual(stats.totals, {
    ...spent,
    cost,
    runs: 1,
    toolCalls: 1,
    denials: 1,
    refusals: 2,
    firstDelta: one(490),
    prompts: one(2000),
  })
  assert.deepEqual(stats.threads, [{ threadId: 't1', runs: 1, ...spent, cost }])
  assert.deepEqual(stats.runs, [
    {
      threadId: 't1',
      generation: 1,
      acquiredAt: '2030-01-01T10:00:01.000Z',
      releasedAt: '2030-01-01T10:00:03.020Z',
      firstDeltaMs: 490,
      promptMs: 2000,
      runMs: 2020,
      ...spent,
      cost,
    },
  ])
  assert.deepEqual(
    stats.models.map(({ model, messages }) => [model, messages]),
    [
      ['(unattributed)', 1],
      ['m1', 1],
    ],
  )
  assert.deepEqual(stats.tools, [{ toolName: 'bash', calls: 1, results: 1, errors: 1, durations: one(500) }])
  assert.deepEqual(stats.denials, [{ rule: 'secret-path', count: 1 }])
  assert.deepEqual(stats.refusals, [
    { provider: '(unknown)', count: 1 },
    { provider: 'p', status: 429, count: 1 },
  ])
  assert.deepEqual(stats.processes, [
    {
      process: 'server',
      pid: 10,
      startedAt: 's',
      file: 'debug',
      console: 'off',
      overrides: ['enso.host=trace'],
      firstAt: '2030-01-01T10:00:00.000Z',
      lastAt: '2030-01-01T10:00:03.020Z',
      records: 14,
    },
  ])
  assert.deepEqual([...callDurations], [['c1', 500]])
  assert.deepEqual(dayStats(DAY, [], 0).totals.prompts, none)
})

test('the same message’s account met twice counts once, and one without a number each time', () => {
  const line = usage(1, { ...run, seq: 7 })
  assert.equal(dayStats(DAY, [line, { ...line }], 0).totals.messages, 1)
  const bare = usage(1, run)
  assert.equal(dayStats(DAY, [bare, { ...bare }], 0).totals.messages, 2)
})

test('one generation of two processes, and one taken twice, are two runs each', () => {
  const taken = (pid: number) => record(pid, ENSO_LOG_EVENTS.runAcquired, { ...run, pid })
  const { runs } = dayStats(
    DAY,
    [taken(1), usage(2, { ...run, pid: 1 }), taken(2), usage(3, { ...run, pid: 2 }), taken(2)],
    0,
  )
  assert.deepEqual(
    runs.map(({ messages }) => messages),
    [1, 1, 0],
  )
})

test('records of interleaved processes are joined by what they name', () => {
  const other = { threadId: 't2', generation: 1, process: 'cli', pid: 20 }
  const lines = [
    observed(0, 'tool-call', { ...run, toolCallId: 'c', toolName: 'bash' }),
    observed(10, 'tool-call', { ...other, toolCallId: 'c', toolName: 'bash' }),
    observed(30, 'tool-result', { ...other, toolCallId: 'c', toolName: 'bash', complete: true }),
    observed(100, 'tool-result', { ...run, toolCallId: 'c', toolName: 'bash', complete: true }),
  ]
  const { tools, processes } = dayStats(DAY, lines, 0)
  assert.deepEqual(tools[0]?.durations, { count: 2, totalMs: 120, minMs: 20, maxMs: 100, meanMs: 60 })
  assert.deepEqual(
    processes.map(({ process, pid, records }) => [process, pid, records]),
    [
      ['server', 10, 2],
      ['cli', 20, 2],
    ],
  )
})

test('a record without a pid belongs to the process of its name that started last', () => {
  const boot = (ms: number, pid: number) => record(ms, ENSO_LOG_EVENTS.loggingConfigured, { pid, file: 'info' })
  const bare: EnsoLogLine = { ...record(5, 'x', {}), properties: { process: 'server' } }
  const { processes } = dayStats(DAY, [boot(0, 1), boot(1, 2), bare], 0)
  assert.deepEqual(
    processes.map(({ pid, records }) => [pid, records]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('a clock that was set back gives no negative durations', () => {
  const { runs, tools } = dayStats(
    DAY,
    [
      record(1000, ENSO_LOG_EVENTS.runAcquired, run),
      observed(900, 'tool-call', { ...run, toolCallId: 'c', toolName: 'bash' }),
      observed(100, 'tool-result', { ...run, toolCallId: 'c', toolName: 'bash', complete: true }),
      record(0, ENSO_LOG_EVENTS.runReleased, run),
    ],
    0,
  )
  assert.equal(runs[0]?.runMs, undefined)
  assert.equal(tools[0]?.durations.count, 0)
})

test('records with nonsense in them are counted and believed nothing', () => {
  const nonsense = [undefined, null, 'x', -1, 1.5, Number.NaN, {}, [], '__proto__', 'constructor']
  const lines = nonsense.flatMap((value) =>
    Object.values(ENSO_LOG_EVENTS).map((message) =>
      record(0, message, {
        kind: 'tool-call',
        threadId: value,
        generation: value,
        toolCallId: value,
        toolName: value,
        input: value,
        totalCost: value,
        rule: value,
        process: value,
        overrides: value,
      }),
    ),
  )
  const stats = dayStats(DAY, [...lines, {}, { message: ENSO_LOG_EVENTS.messageUsage }, { properties: null }], 0)
  assert.ok(Value.Check(EnsoDayStats, stats))
  assert.equal(stats.records, lines.length + 3)
})

test('sums over threads, over runs and over models are the totals, exactly', () => {
  const message = fc.record({
    threadId: fc.constantFrom('a', 'b', 'c'),
    generation: fc.integer({ min: 1, max: 3 }),
    model: fc.constantFrom('m1', 'm2', undefined),
    input: fc.nat(100_000),
    output: fc.nat(10_000),
    cacheRead: fc.nat(1000),
    cacheWrite: fc.nat(1000),
    totalCost: fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 1024),
  })
  fc.assert(
    fc.property(fc.array(message, { maxLength: 200 }), (messages) => {
      const { totals, threads, runs, models } = dayStats(
        DAY,
        messages.map((one, index) => usage(index, one)),
        0,
      )
      for (const rows of [threads, runs, models]) {
        for (const name of ['messages', 'input', 'output', 'cacheRead', 'cacheWrite', 'cost'] as const) {
          assert.equal(
            rows.reduce((sum, row) => sum + row[name], 0),
            totals[name],
            name,
          )
        }
      }
      assert.equal(
        threads.reduce((sum, row) => sum + row.runs, 0),
        totals.runs,
      )
    }),
  )
})

test('many small costs sum without the error of adding them one by one', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => usage(index, { ...run, totalCost: 0.1 }))
  assert.equal(dayStats(DAY, lines, 0).totals.cost, 1000)
})

test('summaries merge, and empty ones are nothing', () => {
  const empty = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, meanMs: 0 }
  assert.deepEqual(mergeDurationSummaries([]), empty)
  assert.deepEqual(mergeDurationSummaries([empty, empty]), empty)
  assert.deepEqual(
    mergeDurationSummaries([
      { count: 1, totalMs: 10, minMs: 10, maxMs: 10, meanMs: 10 },
      empty,
      { count: 3, totalMs: 6, minMs: 1, maxMs: 3, meanMs: 2 },
    ]),
    { count: 4, totalMs: 16, minMs: 1, maxMs: 10, meanMs: 4 },
  )
})
