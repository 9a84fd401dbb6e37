import {
  type AbortCause,
  decideOutcome,
  type EnsoDialogCounts,
  type EnsoErrorCode,
  type EnsoResultLine,
  type LimitHit,
  type RunFacts,
} from '../../core/index.js'
import { outcomeHint } from './outcome-hint.js'
import { type RunRecord, summaryOf } from './run-book.js'
import type { EndedRun } from './run-surface.js'

/** Why a process ends before its runs have, as far as it does; the first word of each kind counts. */
export interface EarlyEnd {
  readonly aborted?: AbortCause | undefined
  readonly limit?: LimitHit | undefined
  readonly fault?: { readonly code: EnsoErrorCode; readonly message: string } | undefined
  /** A fault that is nobody's environment: one sentence. */
  readonly failed?: string | undefined
  /** What to do about the fault. */
  readonly hint?: string | undefined
}

/** What a result is composed of. */
export interface ResultParts {
  readonly threadId: string | undefined
  readonly records: readonly RunRecord[]
  readonly end: EarlyEnd
  readonly dialogs: EnsoDialogCounts
  readonly restored: readonly string[]
  readonly durationMs: number
}

/** A run that is over while the process goes on. */
export function endedRun(record: RunRecord): EndedRun {
  const summary = summaryOf(record)
  const hint = outcomeHint(summary.outcome, record.facts, undefined)
  return { ...summary, usage: record.tally.usage, ...(hint === undefined ? {} : { hint }) }
}

const NO_RUN: RunFacts = { replyText: '', dialogsBlocked: 0, deniedAll: false, withoutRun: true }

/** Did the model, or at least a prompt, have a part in it? Settings and commands are no runs. */
export const isRun = ({ facts }: RunRecord): boolean =>
  facts.withoutRun !== true || facts.aborted !== undefined || facts.limit !== undefined

function sum(records: readonly RunRecord[], of: (record: RunRecord) => number): number {
  return records.reduce((total, record) => total + of(record), 0)
}

/** Dollars without what binary fractions add beyond any price. */
const withoutNoise = (dollars: number): number => Number(dollars.toFixed(12))

function denialsOf(records: readonly RunRecord[]): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { tally } of records) {
    for (const [rule, count] of Object.entries(tally.denials)) all[rule] = (all[rule] ?? 0) + count
  }
  return all
}

/** The one result of a process: what its runs came to, the last one deciding, unless the process was ended earlier. */
export function composeResult({ threadId, records, end, dialogs, restored, durationMs }: ResultParts): EnsoResultLine {
  const runs = records.filter(isRun)
  const last = runs.at(-1)
  const facts: RunFacts = last?.facts ?? NO_RUN
  const limit = end.limit ?? facts.limit
  const decision = decideOutcome({
    ...facts,
    aborted: end.aborted ?? facts.aborted,
    limit,
    fault: end.fault,
    failed: end.failed ?? facts.failed,
  })
  const { outcome, exitCode, reason } = decision
  const ofEnd = reason !== undefined && (reason === end.fault?.message || reason === end.failed)
  const hint = ofEnd && end.hint !== undefined ? end.hint : outcomeHint(outcome, facts, threadId)
  return {
    type: 'result',
    outcome,
    exitCode,
    threadId: threadId ?? null,
    text: last?.tally.text ?? '',
    ...(last?.structured === undefined ? {} : { structured: last.structured.value }),
    usage: {
      input: sum(runs, ({ tally }) => tally.usage.input),
      output: sum(runs, ({ tally }) => tally.usage.output),
      cacheRead: sum(runs, ({ tally }) => tally.usage.cacheRead),
      cacheWrite: sum(runs, ({ tally }) => tally.usage.cacheWrite),
    },
    cost: withoutNoise(sum(runs, ({ tally }) => tally.cost)),
    turns: sum(runs, ({ tally }) => tally.turns),
    durationMs,
    dialogs,
    denials: denialsOf(records),
    restored: [...restored],
    ...(outcome === 'limit' && limit ? { limit } : {}),
    ...(outcome === 'provider' && facts.providerRefusal ? { refusal: facts.providerRefusal } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(hint === undefined ? {} : { hint }),
    ...(runs.length > 1 ? { runs: runs.map(summaryOf) } : {}),
  }
}
