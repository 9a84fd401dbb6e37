import { parseArgs } from 'node:util'
import { closestWord } from '../../core/index.js'
import { type CommandLine, type FlagSpec, type Parsed, usageRefused } from './flag.js'

/** Can this argument be meant as a flag? A dash alone, `---`, `- text` and `-5` are words. */
export function looksLikeFlag(argument: string): boolean {
  return /^-[A-Za-z]|^--\w[\w-]*(=|$)/.test(argument) && !/^-[A-Za-z]*\s/.test(argument)
}

/**
 * Arguments before the first `--`, with every one that begins with a dash but is no flag, and every flag whose optional
 * value is left out, rewritten so that the parser can't misread it. The place-holders hold a NUL, which no argument can.
 */
function prepare(flags: readonly FlagSpec[], argv: readonly string[]): string[] {
  const optional = flags.filter((flag) => flag.optional === true)
  const spellings = new Map<string, string>(
    optional.flatMap((flag) => [
      ...(flag.short === undefined ? [] : [[`-${flag.short}`, flag.name] as const]),
      ...[flag.name, ...(flag.aliases ?? [])].map((name) => [`--${name}`, flag.name] as const),
    ]),
  )
  return argv.map((argument, index) => {
    const next = argv[index + 1]
    const bare = spellings.get(argument)
    if (bare !== undefined && (next === undefined || next === '-' || looksLikeFlag(next))) return `--${bare}=`
    return looksLikeFlag(argument) ? argument : `\0${index}`
  })
}

function parserOptions(flags: readonly FlagSpec[]) {
  return Object.fromEntries(
    flags.flatMap((flag) => {
      const type = flag.value === undefined ? ('boolean' as const) : ('string' as const)
      const own = flag.short === undefined ? { type } : { type, short: flag.short }
      return [[flag.name, own] as const, ...(flag.aliases ?? []).map((alias) => [alias, { type }] as const)]
    }),
  )
}

function unknownFlag(flags: readonly FlagSpec[], rawName: string): ReturnType<typeof usageRefused> {
  const long = rawName.startsWith('--')
  const known = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])])
  const name = rawName.slice(2).toLowerCase()
  const meant = long
    ? (known.find((candidate) => candidate.startsWith(`${name}-`)) ?? closestWord(name, known))
    : undefined
  return usageRefused(
    `unknown flag ${rawName}`,
    meant === undefined ? 'to send it as text, put -- before it' : `did you mean --${meant}?`,
  )
}

function valueRefusal(flag: FlagSpec, value: string | undefined, inline: boolean | undefined) {
  if (flag.value === undefined) {
    return value === undefined ? undefined : usageRefused(`--${flag.name} takes no value, and got '${value}'`)
  }
  if (value === undefined || (value === '' && flag.optional !== true)) {
    return usageRefused(`--${flag.name} needs a value: --${flag.name} ${flag.value}`)
  }
  if (inline !== true && looksLikeFlag(value)) {
    return usageRefused(
      `--${flag.name} needs a value, and '${value}' is a flag`,
      `write --${flag.name}=${value} if you mean it`,
    )
  }
  if (flag.choices === undefined || flag.choices.includes(value)) return undefined
  const meant = closestWord(value, flag.choices)
  return usageRefused(
    `--${flag.name} takes ${flag.choices.join(', ')}, not '${value}'`,
    meant === undefined ? undefined : `did you mean ${meant}?`,
  )
}

/**
 * Takes a command line apart by a list of flags. Refuses an unknown flag (naming the one that was probably meant), a
 * missing value, a value outside a flag's choices.
 */
export function parseCommandLine(flags: readonly FlagSpec[], argv: readonly string[]): Parsed<CommandLine> {
  const end = argv.indexOf('--')
  const before = end === -1 ? argv : argv.slice(0, end)
  const literal = end === -1 ? [] : argv.slice(end + 1)
  const { tokens } = parseArgs({
    args: prepare(flags, before),
    options: parserOptions(flags),
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const original = (text: string): string => (text.startsWith('\0') ? (before[Number(text.slice(1))] ?? '') : text)
  const byName = new Map(
    flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])].map((name) => [name, flag] as const)),
  )
  const given = new Map<string, string[]>()
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(original(token.value))
    if (token.kind !== 'option') continue
    const flag = byName.get(token.name)
    if (flag === undefined) return unknownFlag(flags, token.rawName)
    const value = token.value === undefined ? undefined : original(token.value)
    const refused = valueRefusal(flag, value, token.inlineValue)
    if (refused !== undefined) return refused
    given.set(flag.name, [...(given.get(flag.name) ?? []), value ?? ''])
  }
  const values = (name: string): readonly string[] => given.get(name) ?? []
  const value = (name: string): string | undefined => values(name).at(-1)
  return { ok: true, value: { has: (name) => given.has(name), value, values, words, literal } }
}
