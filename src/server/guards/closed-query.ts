import type { TObject } from '@sinclair/typebox'
import { type EnsoRefusal, refusal } from '../../core/index.js'

/** A query as names and values, or why it is not taken. */
export type QueryReading =
  | { readonly ok: true; readonly query: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly refusal: EnsoRefusal }

/**
 * Takes the names a route declares, each once. Nothing secret is among them: a token in an address ends up in logs and
 * histories, so none is read from there.
 */
export function readClosedQuery(schema: TObject | undefined, search: string): QueryReading {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  const known = new Set(Object.keys(schema?.properties ?? {}))
  for (const [name, value] of new URLSearchParams(search)) {
    if (!known.has(name)) return refused('a query holds a name that is not known here')
    if (name in query) return refused(`${name} is given twice`)
    if (value.includes('\0') || value.length > 4096) return refused(`${name} has no such value`)
    query[name] = value
  }
  return { ok: true, query }
}

function refused(reason: string): QueryReading {
  return { ok: false, refusal: refusal('malformed', reason) }
}
