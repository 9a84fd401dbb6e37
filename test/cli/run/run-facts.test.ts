import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunTallier } from '../../../src/cli/run/run-facts.js'
import type { EnsoObservation } from '../../../src/core/index.js'

function tallied(...observations: EnsoObservation[]) {
  const tallier = createRunTallier()
  for (const observation of observations) tallier.observe(observation)
  return tallier
}

const usage = (input: number, output: number, totalCost: number) => ({
  input,
  output,
  cacheRead: 1,
  cacheWrite: 2,
  totalCost,
})
const start: EnsoObservation = { kind: 'message-start', role: 'assistant' }
const delta = (contentIndex: number, text: string): EnsoObservation => ({
  kind: 'text-delta',
  contentIndex,
  delta: text,
})

test('the text is the last message’s, its blocks in order, whatever came between', () => {
  const { tally } = tallied(
    start,
    delta(0, 'first'),
    { kind: 'message-end', role: 'assistant' },
    start,
    delta(2, 'b'),
    delta(0, 'a'),
    delta(2, 'b'),
    { kind: 'message-end', role: 'assistant' },
    { kind: 'message-start', role: 'toolResult' },
    { kind: 'message-end', role: 'toolResult' },
  )
  assert.equal(tally().text, 'a\n\nbb')
})

test('a message that never ended still counts as far as it came', () => {
  assert.equal(tallied(start, delta(0, 'half a')).tally().text, 'half a')
})

test('usage, cost and turns are summed over the model’s messages only', () => {
  const {
    usage: spent,
    cost,
    turns,
  } = tallied(
    start,
    { kind: 'message-end', role: 'assistant', usage: usage(10, 5, 0.5) },
    { kind: 'message-end', role: 'user' },
    start,
    { kind: 'message-end', role: 'assistant', usage: usage(20, 7, 0.25) },
  ).tally()
  assert.deepEqual(spent, { input: 30, output: 12, cacheRead: 2, cacheWrite: 4 })
  assert.equal(cost, 0.75)
  assert.equal(turns, 2)
})

test('a refusal stands until another attempt is made', () => {
  const refused: EnsoObservation = { kind: 'provider-refused', message: '429 slow down', status: 429 }
  assert.deepEqual(tallied(start, refused).tally().providerRefusal, { message: '429 slow down', status: 429 })
  assert.equal(tallied(start, refused, start).tally().providerRefusal, undefined)
  assert.equal(tallied(refused, { kind: 'turn-start' }).tally().providerRefusal, undefined)
})

test('denials are counted by rule and by call; entries of others are none', () => {
  const denial = (rule: string, toolCallId: string): EnsoObservation => ({
    kind: 'custom-entry',
    customType: 'enso-guard-denial',
    data: { rule, toolCallId },
  })
  const call: EnsoObservation = { kind: 'tool-call', toolCallId: 't', toolName: 'bash', args: {} }
  const { denials, deniedCalls, toolCalls } = tallied(
    call,
    call,
    denial('secret-path', 'a'),
    denial('secret-path', 'b'),
    denial('no such rule', 'c'),
    { kind: 'custom-entry', customType: 'other', data: { rule: 'secret-path', toolCallId: 'd' } },
  ).tally()
  assert.deepEqual(denials, { 'secret-path': 2 })
  assert.deepEqual([deniedCalls, toolCalls], [2, 2])
})

test('the questions that wait survive the next run’s beginning', () => {
  const tallier = tallied(
    { kind: 'extension-ui-request', id: 'a', method: 'confirm', blocking: true, origin: 'run' },
    { kind: 'extension-ui-request', id: 'n', method: 'notify', blocking: false, origin: 'run', message: 'hi' },
    { kind: 'extension-ui-request', id: 'b', method: 'select', blocking: true, origin: 'run' },
    { kind: 'dialog-settled', id: 'a', outcome: 'answered' },
  )
  tallier.reset()
  assert.deepEqual([...tallier.openDialogs()], ['b'])
})

test('nothing of a run is left in the next one', () => {
  const tallier = tallied(start, delta(0, 'x'), { kind: 'message-end', role: 'assistant', usage: usage(1, 1, 1) })
  tallier.observe(start)
  tallier.observe(delta(0, 'left open'))
  tallier.reset()
  const { text, turns, cost, asked } = tallier.tally()
  assert.deepEqual({ text, turns, cost, asked }, { text: '', turns: 0, cost: 0, asked: false })
})

test('what the permissions did not let through is counted by who said no', () => {
  const denial = (by: string, toolCallId: string): EnsoObservation => ({
    kind: 'custom-entry',
    customType: 'enso-permission-denial',
    data: { by, toolCallId, mode: 'dontAsk' },
  })
  const { denials, deniedCalls } = tallied(denial('mode', 'a'), denial('person', 'b'), denial('somebody', 'c')).tally()
  assert.deepEqual([denials, deniedCalls], [{ 'permission-mode': 1, 'permission-person': 1 }, 2])
})
