import type { Redactor } from '../../../log/redact/redactor.js'

/** Fields whose values are anybody's data: there a field's own name can say that it is secret. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['args', 'props', 'data'])

/**
 * The value with secrets taken out of every text in it, as a log line would not show them; in the arguments of calls and
 * the data of extensions by the names of fields too. Images stay: what is in a picture can't be told.
 */
export function redactDeep<T>(value: T, redactor: Redactor): T {
  return redacted(value, redactor) as T
}

function redacted(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value)
  if (Array.isArray(value)) return value.map((item) => redacted(item, redactor))
  if (typeof value !== 'object' || value === null) return value
  const isImage = 'mimeType' in value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (isImage && name === 'data') return [name, item as unknown]
      return [name, FOREIGN_FIELDS.has(name) ? redactor.value(item) : redacted(item, redactor)]
    }),
  )
}
