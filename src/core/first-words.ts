/** Longest text of `firstWords`, in characters. */
const FIRST_WORDS_MAX = 120

/** The beginning of a text as one line of at most `max` characters, with `…` where more follows. */
export function firstWords(text: string, max: number = FIRST_WORDS_MAX): string {
  const line = text
    .slice(0, max * 8)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= max) return line
  return `${line
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
