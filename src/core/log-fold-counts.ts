import type { EnsoDayStats } from './log-day-stats.js'
import { countOf, textOf } from './log-folded-line.js'

/** Counts by a name of several parts, most frequent first. */
export interface CountFold {
  add(parts: readonly string[]): void
  total(): number
  rows(): { parts: string[]; count: number }[]
}

/** An empty count. */
export function createCountFold(): CountFold {
  const counts = new Map<string, number>()
  let total = 0
  return {
    add(parts) {
      const key = JSON.stringify(parts)
      counts.set(key, (counts.get(key) ?? 0) + 1)
      total++
    },
    total: () => total,
    rows: () =>
      [...counts]
        .map(([key, count]) => ({ parts: JSON.parse(key) as string[], count }))
        .sort((a, b) => b.count - a.count || (a.parts.join() < b.parts.join() ? -1 : 1)),
  }
}

type ProcessRow = EnsoDayStats['processes'][number]

/** One row for each process that wrote. */
export interface ProcessFold {
  add(at: unknown, properties: Readonly<Record<string, unknown>>, first: boolean): void
  /** A record with nothing else that counts. */
  passed(at: string, process: string, pid: number): void
  rows(): ProcessRow[]
}

/**
 * An empty fold. A process is its name and its pid; a record without a pid belongs to the one of its name that started
 * last.
 */
export function createProcessFold(): ProcessFold {
  const rows = new Map<string, Map<unknown, ProcessRow>>()
  const latest = new Map<string, ProcessRow>()

  const rowOf = (name: string, pid: unknown, at: string): ProcessRow => {
    const known = pid === undefined ? latest.get(name) : rows.get(name)?.get(pid)
    if (known !== undefined) return known
    const row: ProcessRow = { process: name, firstAt: at, lastAt: at, records: 0 }
    if (typeof pid === 'number' && Number.isInteger(pid)) row.pid = pid
    const siblings = rows.get(name) ?? new Map<unknown, ProcessRow>()
    rows.set(name, siblings.set(pid, row))
    latest.set(name, row)
    return row
  }

  const counted = (name: string, pid: unknown, at: string): ProcessRow => {
    const row = rowOf(name, pid, at)
    row.lastAt = at
    row.records++
    return row
  }

  return {
    passed(at, process, pid) {
      counted(process, pid, at)
    },
    add(at, properties, first) {
      const name = textOf(properties['process'])
      if (name === undefined) return
      const row = counted(name, properties['pid'], textOf(at) ?? '')
      if (!first) return
      latest.set(name, row)
      const { startedAt, file, console, overrides } = properties
      if (typeof startedAt === 'string') row.startedAt = startedAt
      if (typeof file === 'string') row.file = file
      if (typeof console === 'string') row.console = console
      if (Array.isArray(overrides)) row.overrides = overrides.filter((item): item is string => typeof item === 'string')
    },
    rows: () =>
      [...rows.values()].flatMap((siblings) => [...siblings.values()]).filter((row) => countOf(row.records) > 0),
  }
}
