import { foldName } from '../paths.js'

/**
 * Characters that stand in an expanded word for what is not plain text. They come from Unicode's private area; where a
 * command holds one itself it is read as unknown, which refuses more and never less.
 */
export const UNKNOWN = '\uE000'
/** An unquoted `*`, and an unquoted `?`. */
export const STAR = '\uE001'
export const ANY = '\uE002'
/** Around the inside of an unquoted `[…]`. */
export const OPEN = '\uE003'
export const CLOSE = '\uE004'

/** The value of an unset variable that begins a word: nothing, or unknown where a path follows. See `settled`. */
export const MAYBE = '\uE005'

/** Follows `UNKNOWN` where what is not known is the value of a variable that holds a secret. */
export const SECRET = '\uE006'

/** What is left of a text that was cut or changed beyond telling: still a secret's where it was one. */
export const unknownOf = (text: string): string => (text.includes(SECRET) ? UNKNOWN + SECRET : UNKNOWN)

/** Does the text hold a secret variable's value? */
export const isTainted = (text: string): boolean => text.includes(SECRET)

/**
 * A finished word without `MAYBE`. `cu${x}rl` is `curl` and so is `${x}curl`; but `$OUT/f` and `$OUT` alone mean a
 * value this process does not see: reading it as empty would make every such path absolute.
 */
export function settled(text: string): string {
  if (!text.includes(MAYBE)) return text
  return text.replace(/^\uE005+(?=\/|$)/, UNKNOWN).replaceAll(MAYBE, '')
}

/** Does the word hold a part nobody can know before it runs? */
export const isUnknown = (text: string): boolean => text.includes(UNKNOWN)

/** Does the word hold an active wildcard? */
export const isGlob = (text: string): boolean => /[\uE001-\uE004]/.test(text)

/** The word as a person would write it, for a reason. */
export function unmarked(text: string): string {
  return text
    .replaceAll(UNKNOWN, '…')
    .replaceAll(SECRET, '')
    .replaceAll(STAR, '*')
    .replaceAll(ANY, '?')
    .replaceAll(OPEN, '[')
    .replaceAll(CLOSE, ']')
    .replaceAll(MAYBE, '')
}

/** Text from an unquoted expansion: its wildcards are active. */
export function withGlobs(text: string): string {
  return text
    .replaceAll('*', STAR)
    .replaceAll('?', ANY)
    .replace(/\[([^\]/]+)\]/g, `${OPEN}$1${CLOSE}`)
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

/**
 * A word with wildcards as a pattern over whole paths, folded. As in the shell a wildcard stays within its segment and
 * does not match a leading dot; a bracket is let match one, because some shells let it.
 */
export function globPattern(text: string): RegExp {
  let source = ''
  let start = true
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    const dotless = start ? '(?!\\.)' : ''
    start = char === '/'
    if (char === STAR) source += `${dotless}[^/]*`
    else if (char === ANY) source += `${dotless}[^/]`
    else if (char === UNKNOWN) source += '.*'
    else if (char === OPEN) {
      const end = text.indexOf(CLOSE, at)
      const inside = text.slice(at + 1, end === -1 ? text.length : end)
      source += `[${inside.startsWith('!') || inside.startsWith('^') ? '^' : ''}${bracketInside(inside)}]`
      at = end === -1 ? text.length : end
    } else source += escaped(foldName(char))
  }
  try {
    return new RegExp(`^${source}$`, 'i')
  } catch {
    // A bracket that makes no sense (`[z-a]`) matches nothing in the shell; taking it for anything refuses more.
    return /^/
  }
}

function bracketInside(inside: string): string {
  return inside
    .replace(/^[!^]/, '')
    .replace(/\[:(\w+):\]/g, (_, name: string) => CLASSES[name] ?? '')
    .replace(/[\\\][^]/g, '\\$&')
}

const CLASSES: Readonly<Record<string, string>> = {
  alpha: 'a-z',
  alnum: 'a-z0-9',
  digit: '0-9',
  lower: 'a-z',
  upper: 'a-z',
  punct: '._-',
}
