import { type Static, Type } from '@sinclair/typebox'
import { createSpendingTally, type SpendingTally } from './log-spending.js'
import type { EnsoUsage } from './observation.js'
import { closed } from './schema.js'

const spending = {
  /** Replies of models, each once. */
  messages: Type.Integer(),
  input: Type.Number(),
  output: Type.Number(),
  cacheRead: Type.Number(),
  cacheWrite: Type.Number(),
  /** US dollars, where a price was known; else 0. */
  cost: Type.Number(),
}

/** What stored threads have spent. The sums over models, over projects and over days are each the totals. */
export const EnsoSpendingStats = closed({
  /** ISO 8601: nothing before it is counted. Absent where everything is. */
  since: Type.Optional(Type.String()),
  /** Threads with a reply that is counted. */
  threads: Type.Integer(),
  totals: closed(spending),
  /** `provider/id`, the dearest first. */
  models: Type.Array(closed({ model: Type.String(), ...spending })),
  projects: Type.Array(closed({ projectId: Type.String(), cwd: Type.String(), threads: Type.Integer(), ...spending })),
  /** Local days, oldest first; `unknown` where a reply was not stamped. */
  days: Type.Array(closed({ day: Type.String(), ...spending })),
  /** Files that are no threads. */
  unreadable: Type.Integer(),
})
export type EnsoSpendingStats = Static<typeof EnsoSpendingStats>

/** One reply of a stored thread and what it cost. */
export interface StoredSpending {
  readonly threadId: string
  readonly projectId: string
  readonly cwd: string
  /** The entry's id. */
  readonly id: string
  /** ISO 8601, empty where it was not stamped. */
  readonly at: string
  /** `provider/id`. */
  readonly model: string
  readonly usage: EnsoUsage
}

/** Sums what threads have spent. */
export interface SpendingFold {
  /** `day` is the local day of the reply, or `unknown`. A reply that a fork holds as well counts once. */
  add(spent: StoredSpending, day: string): void
  finish(since: string | undefined, unreadable: number): EnsoSpendingStats
}

/** An empty sum. */
export function createSpendingFold(): SpendingFold {
  const totals = createSpendingTally()
  const models = new Map<string, SpendingTally>()
  const days = new Map<string, SpendingTally>()
  const projects = new Map<string, { cwd: string; threads: Set<string>; tally: SpendingTally }>()
  const seen = new Set<string>()

  return {
    add({ threadId, projectId, cwd, id, at, model, usage }, day) {
      // A fork copies entries as they are: the same id at the same instant is the same reply.
      const key = `${id} ${at}`
      if (seen.has(key)) return
      seen.add(key)
      const { input, output, cacheRead, cacheWrite, totalCost = 0 } = usage
      const spent = { input, output, cacheRead, cacheWrite, cost: totalCost }
      const project = projects.get(projectId) ?? { cwd, threads: new Set(), tally: createSpendingTally() }
      projects.set(projectId, project)
      project.threads.add(threadId)
      for (const tally of [totals, tallyIn(models, model), tallyIn(days, day), project.tally]) tally.add(spent)
    },
    finish(since, unreadable) {
      const threads = new Set([...projects.values()].flatMap((project) => [...project.threads]))
      return {
        ...(since === undefined ? {} : { since }),
        threads: threads.size,
        totals: { ...totals.sum() },
        models: [...models].map(([model, tally]) => ({ model, ...tally.sum() })).sort(dearest),
        projects: [...projects]
          .map(([projectId, project]) => ({
            projectId,
            cwd: project.cwd,
            threads: project.threads.size,
            ...project.tally.sum(),
          }))
          .sort(dearest),
        days: [...days].map(([day, tally]) => ({ day, ...tally.sum() })).sort((a, b) => (a.day < b.day ? -1 : 1)),
        unreadable,
      }
    },
  }
}

function tallyIn(tallies: Map<string, SpendingTally>, name: string): SpendingTally {
  const tally = tallies.get(name) ?? createSpendingTally()
  tallies.set(name, tally)
  return tally
}

interface Spent {
  readonly cost: number
  readonly output: number
}

function dearest(a: Spent, b: Spent): number {
  return b.cost - a.cost || b.output - a.output
}
