import { Parser } from 'yargs/helpers'
import type { CommandLine, FlagSpec, Parsed } from './flag.js'
import { missingValueRefusal, unknownRefusal, valueRefusal } from './flag-refusals.js'
import { prepare } from './prepare.js'

/** The parser reads text as text: no numbers, no nesting, no spellings beside those of the table. */
const PLAIN_READING = {
  'boolean-negation': false,
  'camel-case-expansion': false,
  'dot-notation': false,
  'duplicate-arguments-array': true,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'populate--': true,
} as const

/** Reads arguments by a table of flags. */
function readBy(flags: readonly FlagSpec[], args: readonly string[]) {
  const valued = flags.filter((flag) => flag.value !== undefined).map(({ name }) => name)
  return Parser.detailed([...args], {
    configuration: PLAIN_READING,
    boolean: flags.filter((flag) => flag.value === undefined).map(({ name }) => name),
    string: valued,
    narg: Object.fromEntries(valued.map((name) => [name, 1])),
    alias: Object.fromEntries(
      flags
        .map(
          ({ name, short, aliases = [] }) => [name, short === undefined ? [...aliases] : [short, ...aliases]] as const,
        )
        .filter(([, others]) => others.length > 0),
    ),
  })
}

/** What the parser says of a flag without its value. */
const MISSING_VALUE = /^Not enough arguments following: (\S+)$/

/**
 * Takes a command line apart by a list of flags. Refuses an unknown flag (naming the one that was probably meant), a
 * missing value, a value outside a flag's choices.
 */
export function parseCommandLine(flags: readonly FlagSpec[], argv: readonly string[]): Parsed<CommandLine> {
  const { args, original } = prepare(flags, argv)
  const unknown = unknownRefusal(flags, args)
  if (unknown !== undefined) return unknown
  const { argv: read, error } = readBy(flags, args)
  if (error !== null) {
    const [, name] = MISSING_VALUE.exec(error.message) ?? []
    const flag = flags.find((one) => name !== undefined && [one.name, one.short, ...(one.aliases ?? [])].includes(name))
    if (flag === undefined) throw error
    return missingValueRefusal(flag, args)
  }
  const given = new Map<string, readonly string[]>()
  for (const flag of flags) {
    const found: unknown = read[flag.name]
    if (found === undefined) continue
    const values = [found].flat().map((value) => (typeof value === 'string' ? original(value) : ''))
    const refused =
      flag.value === undefined ? undefined : values.map((value) => valueRefusal(flag, value)).find(Boolean)
    if (refused !== undefined) return refused
    given.set(flag.name, values)
  }
  const values = (name: string): readonly string[] => given.get(name) ?? []
  const value = (name: string): string | undefined => values(name).at(-1)
  const words = (read['_'] as string[]).map(original)
  const literal = (read['--'] as string[] | undefined) ?? []
  return { ok: true, value: { has: (name) => given.has(name), value, values, words, literal } }
}
