import type { EnsoLogLine } from './log-line.js'

const LEVELS: ReadonlySet<unknown> = new Set(['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'])

/** A line's text as a record, or `undefined` when it is none (torn, foreign, filled with NULs). */
export function parseLogLine(text: string): EnsoLogLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isLogLine(value) ? value : undefined
  } catch {
    // Not JSON, and so not a record; the caller counts it.
    return undefined
  }
}

/** Is this a record, as `EnsoLogLine` says? By hand, because a reader asks it of every line of a day. */
export function isLogLine(value: unknown): value is EnsoLogLine {
  if (typeof value !== 'object' || value === null) return false
  const line = value as Record<string, unknown>
  return (
    typeof line['@timestamp'] === 'string' &&
    LEVELS.has(line['level']) &&
    typeof line['logger'] === 'string' &&
    (line['message'] === undefined || typeof line['message'] === 'string') &&
    (line['properties'] === undefined || isPlainObject(line['properties']))
  )
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
