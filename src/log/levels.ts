import { ENSO_LOG_ROOT } from '../core/log.js'

/** A tier as a record has it, `warning` for warn. */
export type LogTier = 'trace' | 'debug' | 'info' | 'warning' | 'error' | 'fatal'

const TIERS = new Map<string, LogTier>([
  ['trace', 'trace'],
  ['debug', 'debug'],
  ['info', 'info'],
  ['warn', 'warning'],
  ['warning', 'warning'],
  ['error', 'error'],
  ['fatal', 'fatal'],
])

const ORDER: readonly LogTier[] = ['trace', 'debug', 'info', 'warning', 'error', 'fatal']

/** The tier of this name in either case, or `undefined`. */
export function parseLogTier(name: string): LogTier | undefined {
  return TIERS.get(name.trim().toLowerCase())
}

/** The one that lets more through. */
export function moreVerbose(a: LogTier, b: LogTier): LogTier {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b
}

/** What `ENSO_LOG_LEVEL` asks for. */
export interface LogLevels {
  readonly tier: LogTier
  /** Full category and the tier of it and all below it. */
  readonly overrides: readonly { readonly category: readonly string[]; readonly tier: LogTier }[]
  /** Parts that said nothing understandable; they count as not given. */
  readonly ignored: readonly string[]
}

/**
 * Reads `info`, or `info,host=debug,enso.server.follow=trace`: a tier for everything, and tiers for single categories,
 * whose leading `enso.` may be left out. Of two for one category the last counts.
 */
export function parseLogLevels(text: string | undefined, fallback: LogTier = 'info'): LogLevels {
  let tier = fallback
  const overrides = new Map<string, LogTier>()
  const ignored: string[] = []
  for (const part of (text ?? '').split(',').map((item) => item.trim())) {
    if (part === '') continue
    const [name = '', level] = part.split('=', 2)
    const parsed = parseLogTier(level ?? name)
    const category = categoryNamed(name)
    if (parsed === undefined || (level !== undefined && category === undefined)) ignored.push(part)
    else if (level === undefined || category === ENSO_LOG_ROOT) tier = parsed
    else if (category !== undefined) overrides.set(category, parsed)
  }
  return {
    tier,
    overrides: [...overrides].map(([category, level]) => ({ category: category.split('.'), tier: level })),
    ignored,
  }
}

function categoryNamed(name: string): string | undefined {
  const trimmed = name.trim()
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(trimmed)) return undefined
  return trimmed === ENSO_LOG_ROOT || trimmed.startsWith(`${ENSO_LOG_ROOT}.`) ? trimmed : `${ENSO_LOG_ROOT}.${trimmed}`
}
