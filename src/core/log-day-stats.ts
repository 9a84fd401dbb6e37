import { type Static, Type } from '@sinclair/typebox'

/** Durations summarised; all in milliseconds, all 0 when `count` is. */
export const EnsoDurationSummary = Type.Object({
  count: Type.Integer(),
  totalMs: Type.Number(),
  minMs: Type.Number(),
  maxMs: Type.Number(),
  meanMs: Type.Number(),
})
export type EnsoDurationSummary = Static<typeof EnsoDurationSummary>

const spending = {
  /** Messages with an account of their own that the sums cover, each once. */
  messages: Type.Integer(),
  input: Type.Integer(),
  output: Type.Integer(),
  cacheRead: Type.Integer(),
  cacheWrite: Type.Integer(),
  /** US dollars, where the provider's price is known; else 0. */
  cost: Type.Number(),
}

/** A day of logs, counted. The sums over threads, over runs and over models are each the totals. */
export const EnsoDayStats = Type.Object({
  /** The local day the file is named after. */
  day: Type.String(),
  records: Type.Integer(),
  /** Lines that were no records. */
  malformed: Type.Integer(),
  totals: Type.Object({
    ...spending,
    runs: Type.Integer(),
    toolCalls: Type.Integer(),
    denials: Type.Integer(),
    refusals: Type.Integer(),
    /** From the lease to the first streamed text, over all runs. */
    firstDelta: EnsoDurationSummary,
    /** From a prompt's admission to the end of all it led to. */
    prompts: EnsoDurationSummary,
  }),
  /** `(unattributed)` where a message named no model. */
  models: Type.Array(Type.Object({ model: Type.String(), ...spending })),
  threads: Type.Array(Type.Object({ threadId: Type.String(), runs: Type.Integer(), ...spending })),
  runs: Type.Array(
    Type.Object({
      threadId: Type.String(),
      generation: Type.Integer(),
      acquiredAt: Type.Optional(Type.String()),
      releasedAt: Type.Optional(Type.String()),
      firstDeltaMs: Type.Optional(Type.Number()),
      /** Admission of the prompt that opened the run → settled. */
      promptMs: Type.Optional(Type.Number()),
      /** Lease taken → lease given back. */
      runMs: Type.Optional(Type.Number()),
      ...spending,
    }),
  ),
  tools: Type.Array(
    Type.Object({
      toolName: Type.String(),
      calls: Type.Integer(),
      /** Results that were the tool's last word. */
      results: Type.Integer(),
      errors: Type.Integer(),
      durations: EnsoDurationSummary,
    }),
  ),
  /** Refusals of the guards; `(no rule)` where the record named none. */
  denials: Type.Array(Type.Object({ rule: Type.String(), count: Type.Integer() })),
  /** Refusals of model providers; `(unknown)` where the record named none. */
  refusals: Type.Array(
    Type.Object({ provider: Type.String(), status: Type.Optional(Type.Integer()), count: Type.Integer() }),
  ),
  /** Who wrote, each process a row, with what its first record said. Whether it still lives is not known. */
  processes: Type.Array(
    Type.Object({
      process: Type.String(),
      pid: Type.Optional(Type.Integer()),
      startedAt: Type.Optional(Type.String()),
      file: Type.Optional(Type.String()),
      console: Type.Optional(Type.String()),
      overrides: Type.Optional(Type.Array(Type.String())),
      firstAt: Type.String(),
      lastAt: Type.String(),
      records: Type.Integer(),
    }),
  ),
})
export type EnsoDayStats = Static<typeof EnsoDayStats>
