// oxlint-disable-next-line no-control-regex
const ESCAPED = /[\x7f-\x9f\u2028\u2029]/
// oxlint-disable-next-line no-control-regex
const EACH_ESCAPED = /[\x7f-\x9f\u2028\u2029]/g

/**
 * A value as one line of JSON, without its line feed. U+2028 and U+2029 are escaped, because some readers split lines
 * at them, and so are the control characters that JSON lets stand: a terminal obeys U+009B like an escape sequence. Lone
 * surrogates, line feeds and the other controls are escaped by JSON itself. A value JSON can't say (a function) is
 * `null`.
 */
export function jsonLine(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? 'null'
  if (!ESCAPED.test(text)) return text
  return text.replace(EACH_ESCAPED, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
