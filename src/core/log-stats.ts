import { createDayFold } from './log-day-fold.js'
import type { FoldedDay } from './log-day-fold.js'
import type { EnsoDayStats } from './log-day-stats.js'

/** One day's records as its statistics. `lines` are records as the file holds them; `malformed` counts the others. */
export function dayStats(day: string, lines: readonly object[], malformed: number): EnsoDayStats {
  return foldDay(day, lines, malformed).stats
}

/**
 * The statistics of a day and, from the same fold, how long each tool call took, by its id.
 *
 * Records are joined by the ids they carry, never by standing next to each other: several processes share the file.
 */
export function foldDay(day: string, lines: readonly object[], malformed: number): FoldedDay {
  const fold = createDayFold(day)
  for (const line of lines) fold.add(line)
  return fold.finish(malformed)
}

export { createDayFold, type DayFold, type FoldedDay } from './log-day-fold.js'
export { EnsoDayStats, EnsoDurationSummary } from './log-day-stats.js'
export { mergeDurationSummaries } from './log-durations.js'
export { ENSO_LOG_EVENTS } from './log-events.js'
