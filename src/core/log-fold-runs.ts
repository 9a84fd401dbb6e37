import type { EnsoDayStats } from './log-day-stats.js'
import { elapsed, epochOf, isoOf, textOf, type FoldedLine } from './log-folded-line.js'
import { createSpendingTally, type Spending, type SpendingTally } from './log-spending.js'

interface Instant {
  readonly iso: string
  readonly epochMs: number
}

interface Run {
  readonly threadId: string
  readonly generation: number
  readonly spending: SpendingTally
  acquired?: Instant
  released?: Instant
  admittedAt?: number
  settledAt?: number
  firstDeltaMs?: number
}

/** Joins the records about runs by thread, generation and the process that ran them. */
export interface RunFold {
  acquired(line: FoldedLine): void
  admitted(line: FoldedLine): void
  firstDelta(line: FoldedLine): void
  settled(line: FoldedLine): void
  released(line: FoldedLine): void
  spent(line: FoldedLine, spent: Omit<Spending, 'messages'>): void
  rows(): EnsoDayStats['runs']
  threads(): EnsoDayStats['threads']
}

/** An empty fold. A record that names no thread or no generation joins no run. */
export function createRunFold(): RunFold {
  const runs: Run[] = []
  const current = new Map<string, Run>()
  const spendingByThread = new Map<string, SpendingTally>()

  const open = (line: FoldedLine, anew: boolean): Run | undefined => {
    const { threadId, generation, pid } = line.properties
    const id = textOf(threadId)
    if (id === undefined || typeof generation !== 'number' || !Number.isInteger(generation)) return undefined
    const key = `${id}\n${generation}\n${typeof pid === 'number' ? pid : ''}`
    const known = current.get(key)
    // Generations count up from 1 again in each process: the same one taken twice is another run.
    if (known !== undefined && !(anew && known.acquired !== undefined)) return known
    const run: Run = { threadId: id, generation, spending: createSpendingTally() }
    runs.push(run)
    current.set(key, run)
    return run
  }

  return {
    acquired(line) {
      const run = open(line, true)
      if (run !== undefined) run.acquired = instantOf(line)
    },
    admitted(line) {
      if (line.properties['admission'] === 'queued') return
      const run = open(line, false)
      if (run !== undefined) run.admittedAt ??= epochOf(line)
    },
    firstDelta(line) {
      const run = open(line, false)
      const ms = line.properties['firstDeltaMs']
      if (run !== undefined && typeof ms === 'number' && ms >= 0) run.firstDeltaMs ??= ms
    },
    settled(line) {
      const run = open(line, false)
      if (run !== undefined) run.settledAt = epochOf(line)
    },
    released(line) {
      const run = open(line, false)
      if (run !== undefined) run.released = instantOf(line)
    },
    spent(line, spent) {
      open(line, false)?.spending.add(spent)
      const threadId = textOf(line.properties['threadId'])
      if (threadId === undefined) return
      const tally = spendingByThread.get(threadId) ?? createSpendingTally()
      tally.add(spent)
      spendingByThread.set(threadId, tally)
    },
    rows: () => runs.map(rowOf),
    threads() {
      const counts = new Map<string, number>()
      for (const { threadId } of runs) counts.set(threadId, (counts.get(threadId) ?? 0) + 1)
      const ids = new Set([...counts.keys(), ...spendingByThread.keys()])
      return [...ids]
        .map((threadId) => ({
          threadId,
          runs: counts.get(threadId) ?? 0,
          ...(spendingByThread.get(threadId) ?? createSpendingTally()).sum(),
        }))
        .sort((a, b) => b.cost - a.cost || b.output - a.output)
    },
  }
}

function instantOf(line: FoldedLine): Instant {
  return { iso: isoOf(line), epochMs: epochOf(line) }
}

function rowOf(run: Run): EnsoDayStats['runs'][number] {
  const runMs = elapsed(run.acquired?.epochMs, run.released?.epochMs)
  const promptMs = elapsed(run.admittedAt, run.settledAt ?? run.released?.epochMs)
  return {
    threadId: run.threadId,
    generation: run.generation,
    ...(run.acquired === undefined ? {} : { acquiredAt: run.acquired.iso }),
    ...(run.released === undefined ? {} : { releasedAt: run.released.iso }),
    ...(run.firstDeltaMs === undefined ? {} : { firstDeltaMs: run.firstDeltaMs }),
    ...(promptMs === undefined ? {} : { promptMs }),
    ...(runMs === undefined ? {} : { runMs }),
    ...run.spending.sum(),
  }
}
