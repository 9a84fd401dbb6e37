const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' }

/**
 * The string literals of a text in any of the common languages: quotes of three kinds, tripled ones, and Perl's and
 * Ruby's `q{}`. Neighbouring literals joined by `+` or nothing are one.
 */
export function literalsOf(text: string): string[] {
  const found: string[] = []
  const pattern =
    /'''([\s\S]*?)'''|"""([\s\S]*?)"""|'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"|`((?:[^`\\]|\\[\s\S])*)`|\b(?:qq?|qx|%[qQwx]?)\s*[{([]([^})\]]*)[})\]]/g
  let joinedTo = -1
  for (const match of text.matchAll(pattern)) {
    const raw = match.slice(1).find((group) => group !== undefined) ?? ''
    const literal = unescaped(raw)
    const between = joinedTo === -1 ? undefined : text.slice(joinedTo, match.index)
    if (between !== undefined && /^\s*[+.]?\s*[rbfu]?$/.test(between) && found.length > 0)
      found.push(`${found.at(-1)}${literal}`)
    found.push(literal)
    joinedTo = match.index + match[0].length
  }
  return found
}

function unescaped(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{1,6})\}?|([0-7]{3})|([\s\S]))/g,
    (_, hex, unicode, octal, letter) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (unicode !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(unicode, 16), 0x10ffff))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      return ESCAPES[letter as string] ?? letter
    },
  )
}
