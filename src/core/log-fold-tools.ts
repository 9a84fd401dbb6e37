import type { EnsoDayStats } from './log-day-stats.js'
import { createDurationTally, type DurationTally } from './log-durations.js'
import { elapsed, epochOf, textOf, type FoldedLine } from './log-folded-line.js'

interface ToolRow {
  calls: number
  results: number
  errors: number
  readonly durations: DurationTally
}

interface Call {
  readonly at: number
  answered: boolean
}

/** Joins each tool call with its result by thread and call id. */
export interface ToolFold {
  called(line: FoldedLine): void
  answered(line: FoldedLine): void
  calls(): number
  rows(): EnsoDayStats['tools']
  /** Milliseconds from call to result, by call id. */
  durations(): ReadonlyMap<string, number>
}

/** An empty fold. */
export function createToolFold(): ToolFold {
  const rows = new Map<string, ToolRow>()
  const calls = new Map<string, Call>()
  const durations = new Map<string, number>()
  let total = 0

  const rowOf = (line: FoldedLine): ToolRow => {
    const name = textOf(line.properties['toolName']) ?? '(unnamed)'
    const row = rows.get(name) ?? { calls: 0, results: 0, errors: 0, durations: createDurationTally() }
    rows.set(name, row)
    return row
  }

  return {
    called(line) {
      const key = keyOf(line)
      const known = key === undefined ? undefined : calls.get(key)
      // The same call told twice is one call; an id used again after its result is another.
      if (known !== undefined && !known.answered) return
      rowOf(line).calls++
      total++
      if (key !== undefined) calls.set(key, { at: epochOf(line), answered: false })
    },
    answered(line) {
      if (line.properties['complete'] === false) return
      const key = keyOf(line)
      const call = key === undefined ? undefined : calls.get(key)
      if (call?.answered === true) return
      const row = rowOf(line)
      row.results++
      if (line.properties['isError'] === true) row.errors++
      if (call === undefined) return
      call.answered = true
      const ms = elapsed(call.at, epochOf(line))
      if (ms === undefined) return
      row.durations.add(ms)
      durations.set(String(line.properties['toolCallId']), ms)
    },
    calls: () => total,
    rows: () =>
      [...rows]
        .map(([toolName, row]) => ({
          toolName,
          calls: row.calls,
          results: row.results,
          errors: row.errors,
          durations: row.durations.summary(),
        }))
        .sort((a, b) => b.calls - a.calls || (a.toolName < b.toolName ? -1 : 1)),
    durations: () => durations,
  }
}

function keyOf(line: FoldedLine): string | undefined {
  const id = textOf(line.properties['toolCallId'])
  return id === undefined ? undefined : `${textOf(line.properties['threadId']) ?? ''}\n${id}`
}
