/** How an invocation of `sed` may touch files: not at all, or also the ones it is given, in place. */
export type SedReach = 'reads' | 'edits-in-place'

const PLAIN_LONG =
  /^--(?:quiet|silent|debug|posix|regexp-extended|separate|unbuffered|null-data|zero-terminated|follow-symlinks|sandbox|line-length=\d+)$/

/**
 * How far a `sed` goes by its arguments; `undefined` where a script could write a file of its own or run a command, or
 * where an option or a script isn't wholly understood.
 */
export function sedReach(args: readonly string[]): SedReach | undefined {
  const scripts: string[] = []
  const operands: string[] = []
  let inPlace = false
  let given = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string
    if (arg === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (arg.startsWith('--')) {
      if (/^--in-place(?:=[^/]*)?$/.test(arg)) inPlace = true
      else if (arg === '--expression') scripts.push(args[++at] ?? '')
      else if (arg.startsWith('--expression=')) scripts.push(arg.slice(13))
      else if (!PLAIN_LONG.test(arg)) return undefined
      given ||= arg.startsWith('--expression')
      continue
    }
    if (!arg.startsWith('-') || arg === '-') {
      operands.push(arg)
      continue
    }
    const [, , last = '', rest = ''] = /^-([nErsuz]*)(?:([iel])(.*))?$/s.exec(arg) ?? [undefined, undefined, '?']
    if (last === 'i') {
      if (rest.includes('/')) return undefined
      inPlace = true
    } else if (last === 'e') {
      scripts.push(rest === '' ? (args[++at] ?? '') : rest)
      given = true
    } else if (last === 'l') {
      if (!/^\d+$/.test(rest === '' ? (args[++at] ?? '') : rest)) return undefined
    } else if (last !== '') return undefined
  }
  if (!given) scripts.push(operands[0] ?? '')
  // Several scripts are one with line feeds between them: text that one of them leaves open goes on in the next.
  if (!scripts.every(staysInText)) return undefined
  return inPlace ? 'edits-in-place' : 'reads'
}

const REGEX_FLAGS = String.raw`[IM]*`
const ADDRESS = new RegExp(
  String.raw`^(?:\d+(?:~\d+)?|\$|/${section('/')}/${REGEX_FLAGS}|\\([^\\\n])(?:(?!\1)[^\\\n]|\\.)*\1${REGEX_FLAGS})`,
)
const RANGE_END = /^\s*,\s*(?:[+~]\d+)?/
/** Commands that only move text about, with what follows each: nothing, a number, a label. */
const BARE = /^(?:[pdDgGhHxnNPzF=]|[lqQL]\s*\d*|[btT:]\s*[^\s;{}]*)(?=\s*(?:[;}\n#]|$))/
/** Text to the end of the script. */
const TEXT = /^[aic][^\n]*$/
const SUBSTITUTE = /^s([^\\\n])/
const TRANSLITERATE = /^y([^\\\n])/

function section(delimiter: string): string {
  const literal = delimiter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return `(?:(?!${literal})[^\\\\\\n]|\\\\[^])*`
}

/** Is every command of the script known to stay within the text that passes? */
export function staysInText(script: string): boolean {
  let rest = script
  const take = (pattern: RegExp): string | undefined => {
    const found = pattern.exec(rest)?.[0]
    if (found !== undefined) rest = rest.slice(found.length)
    return found
  }
  for (;;) {
    take(/^(?:[\s;{}]|#[^\n]*)+/)
    if (rest === '') return true
    const address = take(ADDRESS)
    if (address !== undefined) {
      if (hasOpenBracket(address)) return false
      const range = take(RANGE_END)
      if (range !== undefined && !/\d$/.test(range)) {
        const end = take(ADDRESS)
        if (end === undefined || hasOpenBracket(end)) return false
      }
    }
    take(/^[\s!]+/)
    if (rest.startsWith('{')) continue
    if (take(BARE) !== undefined) continue
    if (TEXT.test(rest)) return !rest.endsWith('\\')
    if (!takeReplacement(take, rest)) return false
  }
}

function takeReplacement(take: (pattern: RegExp) => string | undefined, rest: string): boolean {
  const substitute = SUBSTITUTE.exec(rest)?.[1]
  const delimiter = substitute ?? TRANSLITERATE.exec(rest)?.[1]
  if (delimiter === undefined) return false
  const d = delimiter.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  const flags = substitute === undefined ? '' : '[gpiIM0-9]*'
  const whole = take(
    new RegExp(`^[sy]${d}${section(delimiter)}${d}${section(delimiter)}${d}${flags}(?=\\s*(?:[;}\\n#]|$))`),
  )
  if (whole === undefined) return false
  const pattern = new RegExp(`^[sy]${d}(${section(delimiter)})${d}`).exec(whole)?.[1] ?? ''
  return !hasOpenBracket(pattern)
}

/** A bracket left open: whether a delimiter within it counts is told in different ways. */
function hasOpenBracket(pattern: string): boolean {
  const open = pattern.replace(/\\[^]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '')
  return open.includes('[')
}
