import { ENSO_REDACTED_VALUE } from '../../core/log.js'
import type { KnownSecrets } from './known-secrets.js'
import type { TextSpan } from './needle-search.js'
import { shapeSpans } from './secret-shapes.js'

// Characters that are drawn as nothing: a secret split by them still reads, and copies, as the secret.
const INVISIBLE = /\p{Cf}|\p{Variation_Selector}|\u034f/u

/** Has this text characters between which a secret could be hidden? */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}

/** The places of known secrets in a text, in order and apart. */
export function secretSpans(text: string, secrets: KnownSecrets): readonly TextSpan[] {
  const search = secrets.search()
  const spans: TextSpan[] = []
  if (search.longest === 0) return spans
  const visible = hasInvisible(text) ? visibleText(text) : undefined
  const subject = visible?.text ?? text
  for (let found = search.find(subject, 0); found !== undefined;) {
    let { end } = found
    // Two secrets may overlap: neither must leave its rest behind.
    let next = search.find(subject, found.start + 1)
    for (; next !== undefined && next.start < end; next = search.find(subject, next.start + 1))
      end = Math.max(end, next.end)
    if (visible === undefined) spans.push({ start: found.start, end })
    else spans.push({ start: visible.at[found.start] ?? 0, end: (visible.at[end - 1] ?? 0) + 1 })
    found = next
  }
  return spans
}

function visibleText(text: string): { text: string; at: readonly number[] } {
  const at: number[] = []
  let kept = ''
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (INVISIBLE.test(char)) continue
    kept += char
    at.push(i)
  }
  return { text: kept, at }
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
