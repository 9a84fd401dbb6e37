/** Headers by their lower-case names. */
export type HeadersAsObject = Readonly<Record<string, string | readonly string[] | undefined>>

/**
 * The wait a response asks for before the next request, in milliseconds: `retry-after-ms`, else `retry-after` as seconds
 * or as a date. Nothing where it asks for none, or in a way that can't be read.
 */
export function retryAfterMs(headers: HeadersAsObject, now: number): number | undefined {
  const exact = numberIn(headers['retry-after-ms'])
  if (exact !== undefined) return exact
  const seconds = numberIn(headers['retry-after'])
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(textOf(headers['retry-after']))
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function textOf(value: string | readonly string[] | undefined): string {
  return (typeof value === 'string' ? value : (value?.[0] ?? '')).trim()
}

function numberIn(value: string | readonly string[] | undefined): number | undefined {
  const text = textOf(value)
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}
