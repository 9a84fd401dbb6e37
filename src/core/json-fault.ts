/** Where a text stops being JSON. Lines and columns count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A JSON text as a value, or where and why it is none. */
export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault }

/** Parses JSON and says the line and column of a fault, which the engine's own message often leaves out. */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    const { at, message } = firstFault(text)
    const before = text.slice(0, at)
    return { ok: false, fault: { line: before.split('\n').length, column: at - before.lastIndexOf('\n'), message } }
  }
}

/** A fault as the tail of a sentence: `line 3, column 5: a comma or } is expected`. */
export function jsonFaultText(fault: JsonFault): string {
  return `line ${fault.line}, column ${fault.column}: ${fault.message}`
}

interface Found {
  readonly at: number
  readonly message: string
}

const SPACE = /[ \t\r\n]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters inside a text
const PLAIN = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Walks the text by JSON's grammar, without recursion, to the first place where it breaks. */
function firstFault(text: string): Found {
  /** What closes each object and list that is open. */
  const open: string[] = []
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at += match[0].length
    return match !== null
  }
  const is = (character: string): boolean => {
    take(SPACE)
    const found = text[at] === character
    if (found) at++
    return found
  }
  const lacks = (what: string): Found => ({
    at,
    message: at >= text.length ? `the text ends where ${what} is expected` : `${what} is expected`,
  })
  /** A text; the missing quote where it is not closed. */
  const textFault = (what: string): Found | undefined => {
    if (!is('"')) return lacks(what)
    do take(PLAIN)
    while (take(ESCAPE))
    if (text[at] !== '"') return lacks(text[at] === '\\' ? 'a known escape' : 'a closing quote')
    at++
    return undefined
  }
  const keyFault = () => textFault('a key in double quotes') ?? (is(':') ? undefined : lacks('a colon'))
  const scalarFault = () => (text[at] === '"' ? textFault('a value') : take(SCALAR) ? undefined : lacks('a value'))
  /** What comes after a value: closing what it completes, up to the comma before the next one. */
  const afterFault = (): Found | undefined => {
    for (let closing = open.at(-1); closing !== undefined; closing = open.at(-1)) {
      if (is(',')) return undefined
      if (!is(closing)) return lacks(`a comma or ${closing}`)
      open.pop()
    }
    take(SPACE)
    return lacks('the end')
  }
  for (;;) {
    const inObject = open.at(-1) === '}' ? keyFault() : undefined
    if (inObject !== undefined) return inObject
    const container = is('{') ? '}' : is('[') ? ']' : undefined
    if (container !== undefined && !is(container)) {
      open.push(container)
      continue
    }
    const found = (container === undefined ? scalarFault() : undefined) ?? afterFault()
    if (found !== undefined) return found
  }
}
