import { type Static, Type } from '@sinclair/typebox'
import { EnsoDurationSummary } from './log-stats.js'
import { closed } from './schema.js'
import { EnsoSessionUsage } from './session-usage.js'

/** One model request on the branch. Prompts and turns count from 1. */
export const EnsoTurnStats = closed({
  prompt: Type.Integer(),
  turn: Type.Integer(),
  model: Type.String(),
  stopReason: Type.String(),
  toolCalls: Type.Integer(),
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  /** US dollars. */
  cost: Type.Number(),
})
export type EnsoTurnStats = Static<typeof EnsoTurnStats>

/** One prompt and everything done for it until the next. */
export const EnsoPromptStats = closed({
  prompt: Type.Integer(),
  text: Type.String(),
  turnCount: Type.Integer(),
  toolCalls: Type.Integer(),
  failedToolCalls: Type.Integer(),
  cost: Type.Number(),
  /** From the prompt to its last entry, where both are stamped. */
  durationMs: Type.Optional(Type.Number()),
})
export type EnsoPromptStats = Static<typeof EnsoPromptStats>

/** One tool call on the branch. Sizes are characters of the arguments' JSON and of the result's text, not tokens. */
export const EnsoToolCallStats = closed({
  prompt: Type.Integer(),
  turn: Type.Integer(),
  toolCallId: Type.String(),
  toolName: Type.String(),
  inputChars: Type.Integer(),
  outputChars: Type.Integer(),
  isError: Type.Boolean(),
  /** No result is on the branch. */
  pending: Type.Boolean(),
  /** From call to result, as the log has it. */
  durationMs: Type.Optional(Type.Number()),
})
export type EnsoToolCallStats = Static<typeof EnsoToolCallStats>

/** A thread in numbers. `usage` is over every branch, `branchCost` over the current one. */
export const EnsoThreadStats = closed({
  threadId: Type.String(),
  live: Type.Boolean(),
  usage: EnsoSessionUsage,
  branchCost: Type.Number(),
  promptStats: Type.Array(EnsoPromptStats),
  turnStats: Type.Array(EnsoTurnStats),
  callStats: Type.Array(EnsoToolCallStats),
  latency: closed({
    /** From the prompt to its first delta. */
    firstDelta: EnsoDurationSummary,
    /** From the prompt to settled. */
    prompts: EnsoDurationSummary,
  }),
  /** The days whose log files have records of the thread, `YYYY-MM-DD`. */
  logDays: Type.Array(Type.String()),
})
export type EnsoThreadStats = Static<typeof EnsoThreadStats>
