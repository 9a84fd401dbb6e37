/**
 * Does the pattern, in which `*` stands for any run of characters, match the whole text? Linear in practice: no
 * regular expression is built from what a person or a model wrote.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  if (parts.length === 1) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ''
  return text.length - last.length >= at && text.endsWith(last)
}
