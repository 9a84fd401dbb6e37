import type { EnsoLogLine } from './log-line.js'

/** A line in which the fold looks for what it needs and believes nothing else. */
export type FoldedLine = Pick<EnsoLogLine, '@timestamp'> & {
  readonly message?: string
  readonly properties: Readonly<Record<string, unknown>>
}

/** A text that says something, or `undefined`. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A whole number, or 0. */
export function countOf(value: unknown): number {
  return Number.isSafeInteger(value) ? (value as number) : 0
}

/** When the line was written, as it says. */
export function isoOf(line: FoldedLine): string {
  return typeof line['@timestamp'] === 'string' ? line['@timestamp'] : ''
}

/** When the line was written, in epoch milliseconds; NaN when it does not say. */
export function epochOf(line: FoldedLine): number {
  return Date.parse(line['@timestamp'])
}

/** From one instant to a later one, or `undefined` where either is unknown or the clock was set back. */
export function elapsed(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined
  const ms = to - from
  return ms >= 0 ? ms : undefined
}
