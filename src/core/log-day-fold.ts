import type { EnsoDayStats } from './log-day-stats.js'
import { createDurationTally } from './log-durations.js'
import { ENSO_LOG_EVENTS } from './log-events.js'
import { countOf, isoOf, textOf, type FoldedLine } from './log-folded-line.js'
import { createCountFold, createProcessFold } from './log-fold-counts.js'
import { createRunFold } from './log-fold-runs.js'
import { createToolFold } from './log-fold-tools.js'
import { createSpendingTally, type SpendingTally } from './log-spending.js'

/** A day's statistics, and how long each tool call took in milliseconds, by its id. */
export interface FoldedDay {
  readonly stats: EnsoDayStats
  readonly callDurations: ReadonlyMap<string, number>
}

/** Kinds of observations that are more than counted. */
export const FOLDED_KINDS = ['tool-call', 'tool-result', 'settled', 'provider-refused'] as const

const FOLDED_MESSAGES: ReadonlySet<string> = new Set(Object.values(ENSO_LOG_EVENTS))

/** Are records with this message more than counted? Of observations only those of `FOLDED_KINDS` are. */
export function isFoldedMessage(template: string): boolean {
  return FOLDED_MESSAGES.has(template)
}

/** Folds a day record by record; what it keeps grows with the runs, threads and calls, not with the records. */
export interface DayFold {
  /** A record as the file holds it. Unknown messages are counted and otherwise passed over. */
  add(line: object): void
  /** A record that is only counted, and what `add` would have seen of it: when it was written, and who wrote it. */
  pass(at: string, process: string, pid: number): void
  finish(malformed: number): FoldedDay
}

/** An empty fold of one local day. */
export function createDayFold(day: string): DayFold {
  let records = 0
  const totals = createSpendingTally()
  const models = new Map<string, SpendingTally>()
  const usageSeen = new Set<string>()
  const runs = createRunFold()
  const tools = createToolFold()
  const denials = createCountFold()
  const refusals = createCountFold()
  const processes = createProcessFold()

  const addUsage = (line: FoldedLine): void => {
    const { properties } = line
    if (isRepeated(line, usageSeen)) return
    const spent = {
      input: countOf(properties['input']),
      output: countOf(properties['output']),
      cacheRead: countOf(properties['cacheRead']),
      cacheWrite: countOf(properties['cacheWrite']),
      cost: numberOf(properties['totalCost']),
    }
    totals.add(spent)
    const model = textOf(properties['model']) ?? '(unattributed)'
    const tally = models.get(model) ?? createSpendingTally()
    tally.add(spent)
    models.set(model, tally)
    runs.spent(line, spent)
  }

  const addObservation = (line: FoldedLine): void => {
    switch (line.properties['kind']) {
      case 'tool-call':
        return tools.called(line)
      case 'tool-result':
        return tools.answered(line)
      case 'settled':
        return runs.settled(line)
      case 'provider-refused': {
        const { provider, status } = line.properties
        return refusals.add([textOf(provider) ?? '(unknown)', Number.isInteger(status) ? String(status) : ''])
      }
      default:
    }
  }

  return {
    add(record) {
      records++
      const line = record as FoldedLine
      if (typeof line.properties !== 'object' || line.properties === null) return
      processes.add(line['@timestamp'], line.properties, line.message === ENSO_LOG_EVENTS.loggingConfigured)
      switch (line.message) {
        case ENSO_LOG_EVENTS.messageUsage:
          return addUsage(line)
        case ENSO_LOG_EVENTS.observation:
          return addObservation(line)
        case ENSO_LOG_EVENTS.runAcquired:
          return runs.acquired(line)
        case ENSO_LOG_EVENTS.promptAdmitted:
          return runs.admitted(line)
        case ENSO_LOG_EVENTS.runFirstDelta:
          return runs.firstDelta(line)
        case ENSO_LOG_EVENTS.runReleased:
          return runs.released(line)
        case ENSO_LOG_EVENTS.toolDenied:
          return denials.add([textOf(line.properties['rule']) ?? '(no rule)'])
        default:
      }
    },
    pass(at, process, pid) {
      records++
      processes.passed(at, process, pid)
    },
    finish(malformed) {
      const prompts = createDurationTally()
      const firstDelta = createDurationTally()
      const runRows = runs.rows()
      for (const run of runRows) {
        if (run.promptMs !== undefined) prompts.add(run.promptMs)
        if (run.firstDeltaMs !== undefined) firstDelta.add(run.firstDeltaMs)
      }
      const stats: EnsoDayStats = {
        day,
        records,
        malformed,
        totals: {
          ...totals.sum(),
          runs: runRows.length,
          toolCalls: tools.calls(),
          denials: denials.total(),
          refusals: refusals.total(),
          firstDelta: firstDelta.summary(),
          prompts: prompts.summary(),
        },
        models: [...models]
          .map(([model, tally]) => ({ model, ...tally.sum() }))
          .sort((a, b) => b.cost - a.cost || b.output - a.output || (a.model < b.model ? -1 : 1)),
        threads: runs.threads(),
        runs: runRows,
        tools: tools.rows(),
        denials: denials.rows().map(({ parts: [rule = ''], count }) => ({ rule, count })),
        refusals: refusals.rows().map(({ parts: [provider = '', status = ''], count }) => ({
          provider,
          ...(status === '' ? {} : { status: Number(status) }),
          count,
        })),
        processes: processes.rows(),
      }
      return { stats, callDurations: tools.durations() }
    },
  }
}

/** The same message's account met twice (two copies of one line) counts once. */
function isRepeated(line: FoldedLine, seen: Set<string>): boolean {
  const { seq, threadId, generation, process, pid } = line.properties
  if (!Number.isInteger(seq) || textOf(threadId) === undefined) return false
  const key = JSON.stringify([threadId, generation, seq, process, pid, isoOf(line)])
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}
