import { closestWord } from '../../core/closest-word.js'
import { type FlagSpec, usageRefused } from './flag.js'
import { looksLikeFlag, spellings } from './prepare.js'

type Refused = ReturnType<typeof usageRefused>

/** The first argument that names no flag, or gives a value to a switch; nothing where each is known. */
export function unknownRefusal(flags: readonly FlagSpec[], args: readonly string[]): Refused | undefined {
  const known = new Map(flags.flatMap((flag) => namesOf(flag).map((name) => [name, flag] as const)))
  for (const argument of args) {
    if (argument === '--') return undefined
    if (!looksLikeFlag(argument)) continue
    const [, name = argument, value] = /^(--[^=]+|-.)(?:=([\s\S]*))?$/.exec(argument) ?? []
    const flag = known.get(name)
    if (flag === undefined) return unknownFlag(flags, name)
    if (flag.value === undefined && value !== undefined) {
      return usageRefused(`--${flag.name} takes no value, and got '${value}'`)
    }
  }
  return undefined
}

function namesOf(flag: FlagSpec): readonly string[] {
  return [...spellings(flag), ...(flag.short === undefined ? [] : [`-${flag.short}`])]
}

function unknownFlag(flags: readonly FlagSpec[], written: string): Refused {
  const known = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])])
  const name = written.slice(2).toLowerCase()
  const meant = written.startsWith('--')
    ? (known.find((candidate) => candidate.startsWith(`${name}-`)) ?? closestWord(name, known))
    : undefined
  return usageRefused(
    `unknown flag ${written}`,
    meant === undefined ? 'to send it as text, put -- before it' : `did you mean --${meant}?`,
  )
}

/** A flag that takes a value and has none: at the end of the line, or before another flag. */
export function missingValueRefusal(flag: FlagSpec, args: readonly string[]): Refused {
  const next = args[args.findIndex((argument) => namesOf(flag).includes(argument)) + 1]
  if (next === undefined || next === '--')
    return usageRefused(`--${flag.name} needs a value: --${flag.name} ${flag.value}`)
  return usageRefused(
    `--${flag.name} needs a value, and '${next}' is a flag`,
    `write --${flag.name}=${next} if you mean it`,
  )
}

/** A value that a flag does not take: nothing, or none of its choices. */
export function valueRefusal(flag: FlagSpec, value: string): Refused | undefined {
  if (value === '' && flag.optional !== true) {
    return usageRefused(`--${flag.name} needs a value: --${flag.name} ${flag.value}`)
  }
  if (flag.choices === undefined || flag.choices.includes(value)) return undefined
  const meant = closestWord(value, flag.choices)
  return usageRefused(
    `--${flag.name} takes ${flag.choices.join(', ')}, not '${value}'`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  )
}
