import { mayHoldShape } from './secret-shapes.js'
import { redactFields } from './redact-fields.js'
import { redactText } from './redact-text.js'
import { unhidden } from './hiders.js'
import type { KnownSecrets } from './known-secrets.js'

/** Takes secrets out of text and of data, before either leaves the process. */
export interface Redactor {
  readonly secrets: KnownSecrets
  text(text: string): string
  /** Fields by name, then known values and shapes in every string, number and property name. */
  value(value: unknown): unknown
  /** `JSON.stringify(value(…))`, with the second pass left out where the text shows that it would find nothing. */
  json(value: unknown): string
}

/** A redactor over a set of secrets; what is added to the set later counts from then on. */
export function createRedactor(secrets: KnownSecrets): Redactor {
  return {
    secrets,
    text: (text) => redactText(text, secrets),
    value: (value) => redactStrings(redactFields(value), secrets),
    json(value) {
      const fields = redactFields(value)
      const text = serialise(fields)
      return isClean(text, secrets) ? text : serialise(redactStrings(fields, secrets))
    },
  }
}

/** Would the second pass find nothing? Told by the whole text, so that most records need no pass over each string. */
function isClean(text: string, secrets: KnownSecrets): boolean {
  const search = secrets.search()
  if (search.find(text, 0) !== undefined || mayHoldShape(text)) return false
  const rest = unhidden(text)
  return rest === undefined || search.find(rest.text, 0) === undefined
}

function serialise(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  return text ?? 'null'
}

/** The second pass, over data that `redactFields` has made plain. Property names can carry a value as well. */
function redactStrings(value: unknown, secrets: KnownSecrets): unknown {
  if (typeof value === 'string') return redactText(value, secrets)
  if (typeof value === 'number') {
    const text = String(value)
    return redactText(text, secrets) === text ? value : redactText(text, secrets)
  }
  if (Array.isArray(value)) return value.map((item) => redactStrings(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redactText(key, secrets), redactStrings(item, secrets)]),
  )
}
