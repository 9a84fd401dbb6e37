const MAX_WORDS = 64

/**
 * `{a,b}` and `{1..3}` in a word's source text, as the shell does it first of all. Quoted braces stay. More than 64
 * results end the expansion: the rest of the braces stay as they are.
 */
export function expandBraces(text: string): string[] {
  const group = firstGroup(text)
  if (group === undefined) return [text]
  const before = text.slice(0, group.start)
  const after = expandBraces(text.slice(group.end + 1))
  const results: string[] = []
  for (const item of group.items.flatMap(expandBraces)) {
    for (const tail of after) {
      if (results.length >= MAX_WORDS) return results
      results.push(before + item + tail)
    }
  }
  return results
}

interface Group {
  readonly start: number
  readonly end: number
  readonly items: readonly string[]
}

function firstGroup(text: string): Group | undefined {
  for (let at = 0; at < text.length; at++) {
    at = skipQuoted(text, at)
    if (text[at] === '$' && text[at + 1] === '{') {
      at = matching(text, at + 1) ?? text.length
      continue
    }
    if (text[at] !== '{') continue
    const end = matching(text, at)
    if (end === undefined) continue
    const items = itemsOf(text.slice(at + 1, end))
    if (items !== undefined) return { start: at, end, items }
  }
  return undefined
}

/** The place after a quoted stretch or an escaped character that starts here. */
function skipQuoted(text: string, at: number): number {
  let place = at
  for (;;) {
    const char = text[place]
    if (char === '\\') place += 2
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, place + 1)
      place = end === -1 ? text.length : end + 1
    } else return place
  }
}

function matching(text: string, open: number): number | undefined {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    at = skipQuoted(text, at)
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at
  }
  return undefined
}

function itemsOf(inside: string): string[] | undefined {
  const items: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < inside.length; at++) {
    at = skipQuoted(inside, at)
    if (inside[at] === '{') depth++
    if (inside[at] === '}') depth--
    if (inside[at] === ',' && depth === 0) {
      items.push(inside.slice(start, at))
      start = at + 1
    }
  }
  if (items.length > 0) return [...items, inside.slice(start)]
  return rangeOf(inside)
}

function rangeOf(inside: string): string[] | undefined {
  const match = /^(-?\d+|[a-zA-Z])\.\.(-?\d+|[a-zA-Z])(?:\.\.(-?\d+))?$/.exec(inside)
  if (match === null) return undefined
  const [, from = '', to = '', by] = match
  const letters = /[a-zA-Z]/.test(from)
  if (letters !== /[a-zA-Z]/.test(to)) return undefined
  const first = letters ? from.charCodeAt(0) : Number(from)
  const last = letters ? to.charCodeAt(0) : Number(to)
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (first <= last ? 1 : -1)
  const items: string[] = []
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
    if (items.length >= MAX_WORDS) break
    items.push(letters ? String.fromCharCode(value) : String(value))
  }
  return items
}
