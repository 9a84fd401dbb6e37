import { ENSO_REDACTED, ENSO_REDACTED_VALUE } from './log.js'

/**
 * What a reader does not see: for each field's name, how many records carry it redacted.
 *
 * The row `values` is another thing: in how many records a known secret was caught inside text that was not meant to
 * hold one.
 */
export function redactionManifest(lines: readonly object[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const line of lines) {
    const found = new Set<string>()
    collect('', line, found)
    for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const { [VALUES]: values, ...fields } = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  return values === undefined ? fields : { ...fields, [VALUES]: values }
}

const VALUES = 'values'

function collect(name: string, value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.includes(ENSO_REDACTED)) found.add(name)
    if (value.includes(ENSO_REDACTED_VALUE)) found.add(VALUES)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (key.includes(ENSO_REDACTED_VALUE)) found.add(VALUES)
    collect(Array.isArray(value) ? name : key, item, found)
  }
}
