const SEPARATORS = /[\u2028\u2029]/

/**
 * A value as one line of JSON, without its line feed. U+2028 and U+2029 are escaped, because some readers split lines
 * at them; lone surrogates and line feeds are, by JSON itself. A value JSON can't say (a function) is `null`.
 */
export function jsonLine(value: unknown): string {
  const text = (JSON.stringify(value) as string | undefined) ?? 'null'
  if (!SEPARATORS.test(text)) return text
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
