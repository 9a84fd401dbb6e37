import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EnsoThreadStats,
  foldThreadStats,
  lazyValidator,
  type ReplyRecord,
  type ThreadLogAccount,
  type ThreadRecord,
} from '../../src/core/index.js'

const NONE = { count: 0, totalMs: 0, minMs: 0, maxMs: 0, meanMs: 0 }
const log = (durations: Readonly<Record<string, number>> = {}): ThreadLogAccount => ({
  latency: { firstDelta: NONE, prompts: NONE },
  callDurations: new Map(Object.entries(durations)),
  days: ['2030-01-02'],
})

const at = (second: number): string => new Date(Date.UTC(2030, 0, 2, 10, 0, second)).toISOString()

function reply(id: string, second: number, cost: number, calls: readonly string[] = [], more = {}): ReplyRecord {
  return {
    kind: 'reply',
    id,
    at: at(second),
    parts: calls.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'bash', args: { command: 'ls' } })),
    model: 'local/x',
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    usage: { input: 10, output: 1, cacheRead: 2, cacheWrite: 3, totalCost: cost },
    ...more,
  }
}

const prompt = (id: string, second: number, text = 'go'): ThreadRecord => ({
  kind: 'prompt',
  id,
  at: at(second),
  text,
  images: [],
})
const result = (id: string, second: number, toolCallId: string, isError = false): ThreadRecord => ({
  kind: 'tool-result',
  id,
  at: at(second),
  toolCallId,
  toolName: 'bash',
  text: 'four',
  images: [],
  isError,
})

function statsOf(branch: readonly ThreadRecord[], account = log()): EnsoThreadStats {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null }
  const stats = foldThreadStats({ threadId: 'one', live: false, records: { branch, usage }, log: account })
  assert.ok(lazyValidator(EnsoThreadStats).check(stats))
  return stats
}

test('a prompt has the requests, calls, cost and time up to the next one', () => {
  const { promptStats, branchCost } = statsOf([
    prompt('p1', 0, 'first\nthing'),
    reply('r1', 2, 0.25, ['a', 'b']),
    result('t1', 3, 'a'),
    result('t2', 4, 'b', true),
    reply('r2', 7, 0.5),
    { kind: 'custom', id: 'c', at: at(50), customType: 'x', data: null },
    prompt('p2', 60),
    reply('r3', 61, 1),
  ])
  assert.deepEqual(promptStats, [
    { prompt: 1, text: 'first thing', turnCount: 2, toolCalls: 2, failedToolCalls: 1, cost: 0.75, durationMs: 7000 },
    { prompt: 2, text: 'go', turnCount: 1, toolCalls: 0, failedToolCalls: 0, cost: 1, durationMs: 1000 },
  ])
  assert.equal(branchCost, 1.75)
})

test('a prompt nobody answered has no time, and neither has one without stamps', () => {
  const { at: _at, ...unstamped } = reply('r1', 1, 0)
  const { promptStats } = statsOf([{ kind: 'prompt', id: 'p', text: 'x', images: [] }, unstamped, prompt('p2', 9)])
  assert.deepEqual(
    promptStats.map((row) => 'durationMs' in row),
    [false, false],
  )
})

test('requests before the first prompt are prompt 0, so that nothing of the cost is lost', () => {
  const { promptStats, turnStats, branchCost } = statsOf([
    reply('r0', 0, 0.5, ['z']),
    prompt('p', 1),
    reply('r1', 2, 0.25),
  ])
  assert.deepEqual(
    promptStats.map((row) => [row.prompt, row.cost]),
    [
      [0, 0.5],
      [1, 0.25],
    ],
  )
  assert.deepEqual(
    turnStats.map((row) => [row.prompt, row.turn]),
    [
      [0, 1],
      [1, 2],
    ],
  )
  assert.equal(branchCost, 0.75)
})

test('a call has the time the log knows, and waits while nothing answered it', () => {
  const { callStats } = statsOf(
    [prompt('p', 0), reply('r', 1, 0, ['a', 'b']), result('t', 2, 'a'), result('orphan', 3, 'nobody')],
    log({ a: 120 }),
  )
  assert.deepEqual(callStats, [
    {
      prompt: 1,
      turn: 1,
      toolCallId: 'a',
      toolName: 'bash',
      inputChars: 16,
      outputChars: 4,
      isError: false,
      pending: false,
      durationMs: 120,
    },
    {
      prompt: 1,
      turn: 1,
      toolCallId: 'b',
      toolName: 'bash',
      inputChars: 16,
      outputChars: 0,
      isError: false,
      pending: true,
    },
  ])
})

test('an id that is used again is another call', () => {
  const { callStats, promptStats } = statsOf([
    prompt('p', 0),
    reply('r1', 1, 0, ['a']),
    result('t1', 2, 'a', true),
    reply('r2', 3, 0, ['a']),
    result('t2', 4, 'a'),
  ])
  assert.deepEqual(
    callStats.map(({ turn, isError, pending }) => [turn, isError, pending]),
    [
      [1, true, false],
      [2, false, false],
    ],
  )
  assert.equal(promptStats[0]?.failedToolCalls, 1)
})

test('a reply without an account of its own costs nothing', () => {
  const { usage: _usage, ...silent } = reply('r', 1, 0)
  assert.deepEqual(statsOf([prompt('p', 0), silent]).turnStats[0], {
    prompt: 1,
    turn: 1,
    model: 'local/x',
    stopReason: 'stop',
    toolCalls: 0,
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
  })
})
