import type { CallKind } from './decide.js'
import { isFileWork, isLowRisk, isReadOnly } from './known-commands.js'

/** One simple command of a shell text, its words resolved as far as they can be. */
export interface ShellCommand {
  readonly argv: readonly string[]
  /** A word of it is only known when it runs. */
  readonly dynamic: boolean
}

/** What a mode needs to know of a shell text. */
export interface ShellAnalysis {
  readonly commands: readonly ShellCommand[]
  /** Something of it is written to a file by redirection (null and standard streams don't count). */
  readonly redirects: boolean
  /** Why it can't be told what the text does. */
  readonly doubt: string | undefined
}

/**
 * The kind of a shell text: that of its most far-reaching command. Whatever isn't in a reviewed table, has a word that
 * is only known when it runs, or doesn't parse is `shell-other`.
 */
export function shellKind({ commands, redirects, doubt }: ShellAnalysis): CallKind {
  if (doubt !== undefined || commands.length === 0) return 'shell-other'
  if (commands.some((command) => command.dynamic)) return 'shell-other'
  const allOf = (...tests: readonly ((argv: readonly string[]) => boolean)[]): boolean =>
    commands.every(({ argv }) => tests.some((test) => test(argv)))
  if (allOf(isReadOnly)) return redirects ? 'shell-files' : 'shell-read'
  if (allOf(isReadOnly, isFileWork)) return 'shell-files'
  return allOf(isReadOnly, isFileWork, isLowRisk) ? 'shell-low-risk' : 'shell-other'
}

/** The parts a person can allow: every command that doesn't only read, as one text each. */
export function allowableParts({ commands }: ShellAnalysis): string[] {
  return commands.filter(({ argv }) => !isReadOnly(argv)).map(({ argv }) => argv.join(' '))
}
