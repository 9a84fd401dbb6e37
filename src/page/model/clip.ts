/** A text as far as it is shown. */
export interface Clipped {
  readonly text: string
  /** Characters that are left out. */
  readonly hidden: number
}

/**
 * The beginning of a text: at most `lines` lines and `characters` characters, cut between code points. A page that
 * lays out megabytes at once stands still.
 */
export function clip(text: string, lines: number, characters: number): Clipped {
  let end = Math.min(text.length, characters)
  let at = -1
  for (let line = 0; line < lines; line++) {
    at = text.indexOf('\n', at + 1)
    if (at === -1 || at >= end) break
  }
  if (at !== -1 && at < end) end = at
  if (end === text.length) return { text, hidden: 0 }
  const code = text.charCodeAt(end - 1)
  if (code >= 0xd800 && code <= 0xdbff) end--
  return { text: text.slice(0, end), hidden: text.length - end }
}

/** The last lines of a text. */
export function lastLines(text: string, lines: number, characters: number): string {
  const tail = text.slice(-characters)
  let at = tail.endsWith('\n') ? tail.length - 1 : tail.length
  for (let line = 0; line < lines && at > 0; line++) at = tail.lastIndexOf('\n', at - 1)
  return tail.slice(at + 1).replace(/^[\udc00-\udfff]/, '')
}
