import { type Parsed, usageRefused } from './flag.js'

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
/** A timer can't be set further than this, and a longer one would fire at once. */
const MAX_DURATION_MS = 24 * 86_400_000

/**
 * A time as people write it: `30s`, `10m`, `1.5h`, `500ms`, or plain seconds. Answers milliseconds; 0 is allowed.
 * Refuses anything else, and more than 24 days.
 */
export function parseDuration(flag: string, text: string): Parsed<number> {
  const match = /^(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h|d)?$/.exec(text.trim())
  if (match === null)
    return usageRefused(`--${flag} takes a time, not '${text}'`, 'write 30s, 10m, 1h, or plain seconds')
  const ms = Math.round(Number(match[1]) * (UNIT_MS[match[2] ?? 's'] ?? 1000))
  if (ms > MAX_DURATION_MS) return usageRefused(`--${flag} takes at most 24 days, not '${text}'`)
  return { ok: true, value: ms }
}

/** A whole number from 1 up to what a double counts exactly. */
export function parseCount(flag: string, text: string): Parsed<number> {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) {
    return usageRefused(`--${flag} takes a whole number from 1, not '${text}'`)
  }
  return { ok: true, value }
}

/** An amount of US dollars over 0: `5`, `0.50`, `$2`. */
export function parseDollars(flag: string, text: string): Parsed<number> {
  const match = /^\$?(\d+(?:\.\d+)?|\.\d+)$/.exec(text.trim())
  const value = Number(match?.[1])
  if (match === null || !(value > 0) || !Number.isFinite(value)) {
    return usageRefused(`--${flag} takes an amount of dollars over 0, not '${text}'`, 'write 5 or 0.50')
  }
  return { ok: true, value }
}

/** `provider/id`, a bare id, either with `:thinking`. Only the shape is checked: which models exist the host knows. */
export function parseModelName(flag: string, text: string): Parsed<string> {
  if (!/^[^\s/:][^\s]*$/.test(text) || text.endsWith('/') || text.endsWith(':')) {
    return usageRefused(`--${flag} takes provider/id[:thinking], not '${text}'`, 'enso models lists what there is')
  }
  return { ok: true, value: text }
}
