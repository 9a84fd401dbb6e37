/** A place in a text, counted from 1. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

const TOKEN = /[ \t\r\n]*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

/**
 * Where in a JSON text the value stands that keys and indices lead to; a member of an object is at its key. Where the
 * keys lead further than the text goes, the last place they reach.
 */
export function jsonPlace(text: string, keys: readonly string[]): TextPlace {
  const next = (): { readonly token: string; readonly at: number } => {
    const match = TOKEN.exec(text)
    const token = match?.[1] ?? ''
    return { token, at: TOKEN.lastIndex - token.length }
  }
  TOKEN.lastIndex = 0
  let found = next()
  let place = found.at
  for (const key of keys) {
    const inside = member(found.token, key, next)
    if (inside === undefined) break
    place = inside.at
    found = inside.value
  }
  const before = text.slice(0, place)
  return { line: before.split('\n').length, column: place - before.lastIndexOf('\n') }
}

type Token = { readonly token: string; readonly at: number }

/** The member of the object or list that has just been opened: where it stands, and its value's first token. */
function member(opened: string, key: string, next: () => Token): { at: number; value: Token } | undefined {
  if (opened !== '{' && opened !== '[') return undefined
  for (let index = 0; ; index++) {
    const first = next()
    if (first.token === '}' || first.token === ']' || first.token === '') return undefined
    let value = first
    if (opened === '{') {
      next()
      value = next()
    }
    const name = opened === '{' ? (JSON.parse(first.token) as string) : String(index)
    if (name === key) return { at: first.at, value }
    skip(value.token, next)
    if (next().token !== ',') return undefined
  }
}

/** Passes over the rest of a value whose first token was read. */
function skip(first: string, next: () => Token): void {
  let depth = first === '{' || first === '[' ? 1 : 0
  while (depth > 0) {
    const { token } = next()
    if (token === '') return
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
  }
}
