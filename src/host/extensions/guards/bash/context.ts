import { resolve } from 'node:path'
import type { SyntaxNode } from 'unbash'
import type { Finding } from '../finding.js'
import type { GuardWorld } from '../world.js'
import { isUnknown, UNKNOWN } from './marks.js'
import { CWD, type ShellState } from './state.js'

/** Is told what a command text comes to while it is judged. */
export interface CommandWatcher {
  /** A command, its words resolved as far as they can be, with the variables set for it alone. */
  command(argv: readonly string[], assigned: readonly string[]): void
  /** A redirection that writes to what this word names. */
  write(word: string): void
}

/** One judging of one command text: what was found, and the budget that ends it. */
export interface Run {
  readonly watcher?: CommandWatcher | undefined
  readonly world: GuardWorld
  readonly findings: Finding[]
  /** Commands looked at so far; see `MAX_STEPS`. */
  steps: number
  /** How deep scripts and blocks are nested at this point. */
  depth: number
  /** Which of a variable's possibilities the current pass takes, and how many each one met has. */
  readonly picks: Map<string, number>
  readonly choices: Map<string, number>
  /** Functions being called, outermost first: a recursion is walked once. */
  readonly calls: string[]
  /** Commands as they run once everything is resolved, where that differs from their text. */
  readonly retold: Set<string>
  /** A simple command is being judged over its possibilities: those inside it take the same ones. */
  picking: boolean
  /** A file is removed whose name is not known before it runs. */
  unknownRemoval: boolean
  /** How many `find`s remove what they find, and how many of them remove only what can be made again. */
  finds: number
  cleanings: number
  /** Something runs whose text is only known when it does: a command word, what `eval` or a shell is given. */
  unfollowed: boolean
  /** Why the whole command is refused as beyond judging. */
  doubt: string | undefined
}

/** More simple commands than this, counting each possibility, are not judged but refused. */
export const MAX_STEPS = 4000
/** Deeper nesting of scripts and blocks is not judged but refused. */
export const MAX_DEPTH = 16

/** A shell in the middle of a judging. `stdin` is the known text on its input, `undefined` where it is not known. */
export interface Shell {
  readonly run: Run
  readonly state: ShellState
  readonly stdin: string | undefined
  /** Judges a command line in this shell; its output where known. */
  runText(text: string, state?: ShellState, stdin?: string): string | undefined
  /** Judges one command, already split into words. */
  runArgv(argv: readonly string[], state?: ShellState, stdin?: string): string | undefined
  /** The same judging in another state or with another input. */
  over(state: ShellState, stdin: string | undefined): Shell
  /** Judges a piece of the tree: a function's body, a substitution. */
  runNode(node: SyntaxNode, state: ShellState): string | undefined
}

/** One simple command, every word resolved as far as it can be. */
export interface CommandFacts {
  /** The last segment of the command word, lower case. */
  readonly name: string
  readonly argv: readonly string[]
  readonly args: readonly string[]
  /** Variables set for this command alone. */
  readonly assigned: ReadonlyMap<string, string>
  /** Secret variables of the surroundings whose value stands in the command's words or input. */
  readonly revealed: ReadonlySet<string>
  readonly shell: Shell
}

/** The current folder, or `UNKNOWN`. */
export function currentFolder({ run, state }: Shell): string {
  return pick(run, CWD, state.variables.get(CWD)?.texts ?? [UNKNOWN])
}

/** One of a variable's possibilities: the one this pass takes. */
export function pick(run: Run, name: string, texts: readonly string[]): string {
  if (texts.length < 2) return texts[0] ?? ''
  run.choices.set(name, texts.length)
  return texts[(run.picks.get(name) ?? 0) % texts.length] ?? UNKNOWN
}

/**
 * A path word made absolute as the system would read it, symbolic links not yet followed. `undefined` where its start
 * is not known; an unknown part further in stays in it.
 */
export function absolutePath(word: string, shell: Shell): string | undefined {
  if (word.startsWith('/')) return word
  if (word.startsWith('~/') || word === '~') return shell.run.world.home + word.slice(1)
  const folder = currentFolder(shell)
  if (isUnknown(folder) || word.startsWith(UNKNOWN)) return undefined
  return word.includes('..') ? `${folder}/${word}` : resolve(folder, word)
}

/** The text of a file that this command line wrote, or of its input by a name of it. */
export function knownText(word: string, shell: Shell): string | undefined {
  if (/^\/dev\/(?:stdin|fd\/0)$|^\/proc\/self\/fd\/0$|^-$/.test(word)) return shell.stdin
  const path = absolutePath(word, shell)
  return path === undefined ? undefined : shell.state.files.get(path)
}

/** Adds a finding. */
export function find(run: Run, finding: Finding | undefined): void {
  if (finding !== undefined) run.findings.push(finding)
}
