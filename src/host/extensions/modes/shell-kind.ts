import type { CallKind } from './decide.js'
import { isFileWork, isLowRisk, isReadOnly } from './known-commands.js'

/** Stands for a file whose name is only known when it is written. */
export const UNKNOWN_FILE = '?'

/** One simple command of a shell text, its words resolved as far as they can be. */
export interface ShellCommand {
  /** With variables that are set for it alone, which make it another command than it looks, before it. */
  readonly argv: readonly string[]
  /** How many of the words are such variables. */
  readonly assigned: number
  /** A word of it is only known when it runs. */
  readonly dynamic: boolean
}

/** What a mode needs to know of a shell text. */
export interface ShellAnalysis {
  readonly commands: readonly ShellCommand[]
  /** What is written to by redirection (null and standard streams don't count). */
  readonly writes: readonly string[]
  /** Some of it runs in a folder outside the workspace. */
  readonly leaves: boolean
  /** Why it can't be told what the text does. */
  readonly doubt: string | undefined
}

/**
 * The kind of a shell text: that of its most far-reaching command. Whatever isn't in a reviewed table, has a word that
 * is only known when it runs, or doesn't parse is `shell-other`.
 */
export function shellKind({ commands, writes, doubt }: ShellAnalysis): CallKind {
  if (doubt !== undefined || commands.length === 0) return 'shell-other'
  if (commands.some((command) => command.dynamic)) return 'shell-other'
  const allOf = (...tests: readonly ((argv: readonly string[]) => boolean)[]): boolean =>
    commands.every(({ argv }) => tests.some((test) => test(argv)))
  if (allOf(isReadOnly)) return writes.length > 0 ? 'shell-files' : 'shell-read'
  if (allOf(isReadOnly, isFileWork)) return 'shell-files'
  return allOf(isReadOnly, isFileWork, isLowRisk) ? 'shell-low-risk' : 'shell-other'
}

/** The commands a person can allow: every one that doesn't only read. */
export function allowableCommands({ commands }: ShellAnalysis): readonly ShellCommand[] {
  return commands.filter(({ argv }) => !isReadOnly(argv))
}

/** A command as rules may spell it: so that no other command is written the same, and with its words just side by side. */
export function spellingsOf({ argv }: ShellCommand): readonly string[] {
  return [...new Set([argv.map(quoted).join(' '), argv.join(' ')])]
}

/** The same for what is forbidden or asked about: whatever is set before it, and by its bare name too. */
export function looseSpellingsOf(command: ShellCommand): readonly string[] {
  const [name = '', ...args] = command.argv.slice(command.assigned)
  const bare = [name, name.slice(name.lastIndexOf('/') + 1)].map((word) => [word, ...args].join(' '))
  return [...new Set([...spellingsOf(command), ...bare])]
}

function quoted(word: string): string {
  return /^[^\s'"\\]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
