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
    const fault = firstFault(text)
    const before = text.slice(0, fault.at)
    const line = before.split('\n').length
    return { ok: false, fault: { line, column: fault.at - before.lastIndexOf('\n'), message: fault.message } }
  }
}

/** A fault as the tail of a sentence: `line 3, column 5: a comma or } is missing`. */
export function jsonFaultText(fault: JsonFault): string {
  return `line ${fault.line}, column ${fault.column}: ${fault.message}`
}

interface Found {
  readonly at: number
  readonly message: string
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y
// eslint-disable-next-line no-control-regex -- JSON forbids raw control characters inside a text
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SPACE = /[ \t\r\n]*/y

/** Walks the text by JSON's grammar, without recursion, to the first place where it breaks. */
function firstFault(text: string): Found {
  const open: ('{' | '[')[] = []
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match !== null) at += match[0].length
    return match !== null
  }
  const fault = (expected: string): Found => ({
    at,
    message: at >= text.length ? `the text ends where ${expected} is expected` : `${expected} is expected`,
  })
  /** After a value: closes what it completes. True when another value or key follows, false at the end. */
  const afterValue = (): boolean | Found => {
    for (;;) {
      take(SPACE)
      const inside = open.at(-1)
      if (inside === undefined) return at === text.length ? false : fault('the end')
      if (text[at] === ',') return (at++, true)
      if (text[at] !== (inside === '{' ? '}' : ']')) return fault(inside === '{' ? 'a comma or }' : 'a comma or ]')
      at++
      open.pop()
    }
  }
  let fresh = false
  for (;;) {
    take(SPACE)
    if (fresh && text[at] === (open.at(-1) === '{' ? '}' : ']')) {
      at++
      open.pop()
    } else {
      if (open.at(-1) === '{') {
        if (!take(STRING)) return fault('a key in double quotes')
        take(SPACE)
        if (text[at] !== ':') return fault('a colon')
        at++
        take(SPACE)
      }
      const start = text[at]
      if (start === '{' || start === '[') {
        at++
        open.push(start)
        fresh = true
        continue
      }
      if (!take(STRING) && !take(SCALAR)) return fault('a value')
    }
    fresh = false
    const more = afterValue()
    if (typeof more === 'object') return more
    if (!more) return fault('the end')
  }
}
