import type { Function as ShellFunction } from 'unbash'
import { UNKNOWN } from './marks.js'

/** What a variable may hold at this point: one text per way the command can have run, or an array's elements. */
export interface ShellValue {
  readonly texts: readonly string[]
  readonly elements?: readonly string[]
}

/** A shell as it stands between two commands, as far as it can be told without running them. */
export interface ShellState {
  readonly variables: Map<string, ShellValue>
  readonly functions: Map<string, ShellFunction>
  /** Symbolic links made so far by this command, absolute path to target. */
  readonly links: Map<string, string>
  /** Programs under another name (copied, linked, hashed): an absolute path or a bare name to the program. */
  readonly programs: Map<string, string>
  /** Files this command has written with a text that is known, by absolute path. */
  readonly files: Map<string, string>
  /** `$1…`; `undefined` where they can't be known. */
  positional: readonly string[] | undefined
  /** Something ran that may have set any variable (`source`, `read` into a computed name). */
  tainted: boolean
}

/** The variable under which the current folder is kept, so that it can have several possibilities too. */
export const CWD = '\0cwd'
/** The folder before the last `cd`, and the folders `pushd` left. */
export const OLD_CWD = '\0oldcwd'

/** More possibilities than this for one variable count as unknown. */
const MAX_TEXTS = 256

/** A longer text counts as unknown: `x=$x$x` doubles it each time. */
const MAX_TEXT_LENGTH = 8 * 1024

/** A shell at its start. */
export function createShellState(cwd: string): ShellState {
  return {
    variables: new Map([[CWD, { texts: [cwd] }]]),
    functions: new Map(),
    links: new Map(),
    programs: new Map(),
    files: new Map(),
    positional: [],
    tainted: false,
  }
}

/** A subshell: what it changes stays in it, but for files and links, which are everybody's. */
export function forkShell(state: ShellState): ShellState {
  return { ...state, variables: new Map(state.variables), functions: new Map(state.functions) }
}

/** `name=value`. */
export function assign(state: ShellState, name: string, value: ShellValue): void {
  const texts = limited(value.texts)
  state.variables.set(name, value.elements === undefined ? { texts } : { texts, elements: value.elements })
}

function limited(texts: readonly string[]): readonly string[] {
  const unique = [...new Set(texts.map((text) => (text.length > MAX_TEXT_LENGTH ? UNKNOWN : text)))]
  return unique.length > MAX_TEXTS ? [UNKNOWN] : unique
}

/** Puts the variables back as they stood. */
export function restoreVariables(state: ShellState, variables: ReadonlyMap<string, ShellValue>): void {
  state.variables.clear()
  for (const [name, value] of variables) state.variables.set(name, value)
}

/** The variables as any of several ways left them: each may hold what it holds in any. */
export function mergeVariables(state: ShellState, ways: readonly ReadonlyMap<string, ShellValue>[]): void {
  for (const variables of ways) {
    for (const [name, value] of variables) {
      const known = state.variables.get(name)
      if (known === value) continue
      assign(state, name, known === undefined ? value : { ...value, texts: [...known.texts, ...value.texts] })
    }
  }
}
