import type { FlagSpec } from './flag.js'

/** Can this argument be meant as a flag? A dash alone, `---`, `- text` and `-5` are words. */
export function looksLikeFlag(argument: string): boolean {
  return /^-[A-Za-z]|^--\w[\w-]*(=|$)/.test(argument) && !/^-[A-Za-z]*\s/.test(argument)
}

/** Arguments as the parser can't misread them, and the way back. */
export interface Prepared {
  readonly args: readonly string[]
  /** What an argument of `args`, or a value taken from one, was before. */
  original(text: string): string
}

/**
 * Rewrites what the parser would read otherwise than people mean it: a word that begins with a dash but is no flag, one
 * that looks like a truth value, an optional value that is left out, a value that is written to its short flag
 * (`-mNAME`). The place-holders hold a NUL, which no argument can. What comes after `--` stays as it is.
 */
export function prepare(flags: readonly FlagSpec[], argv: readonly string[]): Prepared {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const byLetter = new Map(flags.flatMap((flag) => (flag.short === undefined ? [] : [[flag.short, flag] as const])))
  const optional = new Map(
    flags.flatMap((flag) =>
      flag.optional === true
        ? [...(flag.short === undefined ? [] : [`-${flag.short}`]), ...spellings(flag)].map(
            (name) => [name, flag] as const,
          )
        : [],
    ),
  )
  const args = before.flatMap((argument, index) => {
    if (!looksLikeFlag(argument)) return [`\0${index}`]
    const next = before[index + 1]
    const bare = optional.get(argument)
    if (bare !== undefined && (next === undefined || next === '-' || looksLikeFlag(next))) return [`--${bare.name}=`]
    return argument.startsWith('--') ? [argument] : lettersApart(argument, byLetter)
  })
  return {
    args: end === -1 ? args : [...args, ...argv.slice(end)],
    original: (text) => (text.startsWith('\0') ? (before[Number(text.slice(1))] ?? '') : text),
  }
}

/** The long spellings of a flag, dashes included. */
export function spellings(flag: FlagSpec): readonly string[] {
  return [flag.name, ...(flag.aliases ?? [])].map((name) => `--${name}`)
}

/** `-qmNAME` as `-q`, `--model=NAME`; the last letter of a group still takes the next argument. */
function lettersApart(argument: string, byLetter: ReadonlyMap<string, FlagSpec>): string[] {
  const apart: string[] = []
  for (let at = 1; at < argument.length; at++) {
    const letter = argument[at] ?? ''
    const flag = byLetter.get(letter)
    const rest = argument.slice(at + 1)
    if (flag?.value !== undefined && rest !== '') return [...apart, `--${flag.name}=${rest.replace(/^=/, '')}`]
    apart.push(`-${letter}`)
  }
  return apart
}
