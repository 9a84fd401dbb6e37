import type { CommandLine, FlagSpec } from '../args/flag.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'

/** One command of the tree: what its help says, and what it does. */
export interface CliCommand {
  readonly name: string
  /** Ways to call it, without the program's name. */
  readonly usage: readonly string[]
  readonly about: string
  /** Flags by heading. `--help` is every command's and stands in no list. */
  readonly flags: readonly { readonly title: string; readonly flags: readonly FlagSpec[] }[]
  /** Command lines with what they do. */
  readonly examples: readonly (readonly [command: string, meaning: string])[]
  /** Does the work and answers the exit code. Throws EnsoError for faults of the environment. */
  run(invocation: Invocation): Promise<number>
}

/** What a command is run with. */
export interface Invocation {
  readonly line: CommandLine
  /** The arguments after the command's name, as typed. */
  readonly argv: readonly string[]
  readonly io: CliIo
  readonly parts: CliParts
}

/** An entry of the tree: enough for the list of commands, the rest is loaded when it is called. */
export interface CommandEntry {
  readonly name: string
  readonly summary: string
  /** The words that may follow it, where it has commands of its own. */
  readonly words?: readonly string[]
  /** For programs, not for people: no list names it. */
  readonly hidden?: true
  /** It runs a thread: whatever goes wrong is said the way its arguments ask for, JSON lines included. */
  readonly isRun?: true
  /** It reads, writes and prints, starts no process and runs no code but our own: nothing around it needs guarding. */
  readonly isPlain?: true
  load(): Promise<CliCommand>
}
