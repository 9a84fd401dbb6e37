import { UNKNOWN, withGlobs } from './marks.js'

/** What a `find` looks through and does. */
export interface FindCommand {
  readonly starts: readonly string[]
  /** It asks for no names: everything below a start is found. */
  readonly all: boolean
  /** What it can find, as paths with wildcards; unknown below a start where no name is asked for. */
  readonly found: readonly string[]
  /** The commands of `-exec` and its like, with `{}` still in them. */
  readonly commands: readonly (readonly string[])[]
  readonly deletes: boolean
  /** Files that `-fprint` and its like write. */
  readonly written: readonly string[]
}

/** Reads a `find`'s words (without `find` itself). */
export function readFind(args: readonly string[]): FindCommand {
  let first = args.findIndex((word) => /^-(?!$)/.test(word) && !/^-[HLPDO]/.test(word))
  if (first === -1) first = args.length
  const starts = args.slice(0, first).filter((word) => !word.startsWith('-') && word !== '!' && word !== '(')
  const commands: string[][] = []
  const names: string[] = []
  const written: string[] = []
  let deletes = false
  for (let at = first; at < args.length; at++) {
    const word = args[at] as string
    if (/^-(?:exec|execdir|ok|okdir)$/.test(word)) {
      const end = args.findIndex(
        (other, index) => index > at && (other === ';' || (other === '+' && args[index - 1] === '{}')),
      )
      commands.push(args.slice(at + 1, end === -1 ? args.length : end))
      at = end === -1 ? args.length : end
    } else if (word === '-delete') deletes = true
    else if (/^-f(?:print0?|ls|printf)$/.test(word)) written.push(args[++at] ?? '')
    else if (/^-i?(?:name|path|wholename|regex)$/.test(word)) {
      const name = args[++at] ?? ''
      if (isWanted(args, at)) names.push(withGlobs(name))
    }
  }
  const folders = starts.length === 0 ? ['.'] : starts
  const ends = names.length === 0 ? [UNKNOWN] : names
  const found = folders.flatMap((folder) =>
    ends.map((end) => (end.startsWith('/') ? end : `${folder.replace(/\/$/, '')}/${end}`)),
  )
  return { starts, all: names.length === 0, found, commands, deletes, written }
}

/** A name that is left out (`! -name x`, `-name x -prune -o`) is not what is found. */
function isWanted(args: readonly string[], at: number): boolean {
  const before = args[at - 2]
  if (before === '!' || before === '-not') return false
  return !(args[at + 1] === '-prune' && /^-or?$/.test(args[at + 2] ?? ''))
}
