import { ENSO_REDACTED_VALUE } from '../../core/log.js'
import type { KnownSecrets } from './known-secrets.js'
import { unhidden } from './hiders.js'
import type { NeedleSearch, TextSpan } from './needle-search.js'
import { shapeSpans } from './secret-shapes.js'

/** The places of known secrets in a text, in order and apart. */
export function secretSpans(text: string, secrets: KnownSecrets): readonly TextSpan[] {
  const search = secrets.search()
  if (search.longest === 0) return []
  const plain = spansOf(text, search)
  const rest = unhidden(text)
  if (rest === undefined) return plain
  const hidden = spansOf(rest.text, search)
  if (hidden.length === 0) return plain
  return merged([...plain, ...hidden.map(({ start, end }) => ({ start: rest.at(start), end: rest.at(end - 1) + 1 }))])
}

function spansOf(text: string, search: NeedleSearch): TextSpan[] {
  const spans: TextSpan[] = []
  for (let found = search.find(text, 0); found !== undefined;) {
    let { end } = found
    // Two secrets may overlap: neither must leave its rest behind.
    let next = search.find(text, found.start + 1)
    for (; next !== undefined && next.start < end; next = search.find(text, next.start + 1))
      end = Math.max(end, next.end)
    spans.push({ start: found.start, end })
    found = next
  }
  return spans
}

/** The text with known secrets, and secrets by their shape, replaced by the value marker. */
export function redactText(text: string, secrets: KnownSecrets): string {
  const shapes = shapeSpans(text)
  const known = secretSpans(text, secrets)
  return replaceSpans(text, shapes.length === 0 ? known : merged([...known, ...shapes]))
}

/** Spans in order, those that overlap as one. */
function merged(spans: readonly TextSpan[]): readonly TextSpan[] {
  const result: TextSpan[] = []
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last === undefined || span.start >= last.end) result.push(span)
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
  }
  return result
}

function replaceSpans(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text
  let result = ''
  let from = 0
  for (const { start, end } of spans) {
    result += text.slice(from, start) + ENSO_REDACTED_VALUE
    from = end
  }
  return result + text.slice(from)
}
