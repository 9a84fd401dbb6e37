import { resolve } from 'node:path'
import { runAssigned, runCommandValue } from './assignments.js'
import { absolutePath, type CommandFacts, currentFolder, knownText } from './context.js'
import { isUnknown, UNKNOWN } from './marks.js'
import { isStream } from './streams.js'
import { outputOf } from './outputs.js'
import { assign, CWD, forkShell, OLD_CWD } from './state.js'

/** A command that was followed to its end, with what it prints where that is known. */
export interface Followed {
  readonly output: string | undefined
}

const SILENT: Followed = { output: '' }

/** The shell's own commands: what they change in its state. `undefined` where this is none of them. */
export function applyBuiltin(facts: CommandFacts): Followed | undefined {
  const { name, args, shell } = facts
  const { state } = shell
  switch (name) {
    case 'cd':
    case 'chdir':
    case 'pushd':
    case 'popd':
      changeFolder(facts)
      return SILENT
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      for (const word of args) declare(word, facts)
      return SILENT
    case 'read':
      readVariables(facts)
      return SILENT
    case 'printf': {
      const [flag, variable = '', ...words] = args
      if (flag !== '-v') return undefined
      assign(state, variable, { texts: [(outputOf({ ...facts, args: words }) ?? UNKNOWN).replace(/\n$/, '')] })
      return SILENT
    }
    case 'mapfile':
    case 'readarray': {
      const elements = shell.stdin?.split('\n').filter((line) => line !== '')
      const variable = args.findLast((word) => /^[A-Za-z_]\w*$/.test(word)) ?? 'MAPFILE'
      assign(state, variable, elements === undefined ? { texts: [UNKNOWN] } : { texts: elements.slice(0, 1), elements })
      return SILENT
    }
    case 'unset':
      for (const word of args) {
        state.variables.delete(word)
        state.functions.delete(word)
      }
      return SILENT
    case 'eval':
      return { output: shell.runText(args.join(' ')) }
    case 'source':
    case '.':
      return { output: runFile(facts) }
    case 'trap':
      if (args[0] !== undefined && args[0] !== '-' && !args[0].startsWith('-')) shell.runText(args[0], forkShell(state))
      return SILENT
    case 'alias':
      for (const word of args) {
        const equals = word.indexOf('=')
        if (equals > 0) runCommandValue(word.slice(equals + 1), shell)
      }
      return SILENT
    case 'set':
      if (args.includes('--')) state.positional = args.slice(args.indexOf('--') + 1)
      return args.length === 0 ? { output: undefined } : SILENT
    case 'shift':
      state.positional = state.positional?.slice(Number(args[0] ?? 1) || 1)
      return SILENT
    default:
      return undefined
  }
}

function changeFolder(facts: CommandFacts): void {
  const { name, args, shell } = facts
  const { state, run } = shell
  const target = args.find((word) => !/^-[LPe@n]+$/.test(word) && word !== '--')
  const before = currentFolder(shell)
  const old = state.variables.get(OLD_CWD)?.texts.at(-1) ?? UNKNOWN
  let next: string
  if (name === 'popd' || target === '-') next = old
  else if (target === undefined) next = name === 'pushd' ? old : run.world.home
  else {
    const path = absolutePath(target, shell)
    next = path === undefined || isUnknown(path) ? UNKNOWN : resolve(path)
  }
  assign(state, CWD, { texts: [next] })
  assign(state, OLD_CWD, { texts: [before] })
}

function declare(word: string, { shell }: CommandFacts): void {
  const match = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word)
  if (match === null) return
  const [, name = '', value = ''] = match
  assign(shell.state, name, { texts: [value] })
  runAssigned(name, value, shell)
}

/** Each name gets its column of the input's lines, the last one the rest; one possibility a line. */
function readVariables({ args, shell }: CommandFacts): void {
  const names: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string
    if (/^-\w*[adinNptu]$/.test(word)) at++
    else if (!word.startsWith('-')) names.push(word)
  }
  const rows = shell.stdin?.split(/[\n\0]/).filter((line) => line !== '')
  if (names.length === 0) names.push('REPLY')
  names.forEach((name, column) => {
    const texts = rows?.map((line) => {
      const parts = line.trim().split(/\s+/)
      return (column === names.length - 1 ? parts.slice(column).join(' ') : parts[column]) ?? ''
    })
    assign(shell.state, name, { texts: texts === undefined || texts.length === 0 ? [UNKNOWN] : texts })
  })
}

/** A file run in this shell: followed where this command wrote it, else it may have set anything. */
function runFile({ args, shell }: CommandFacts): string | undefined {
  const text = knownText(args[0] ?? '', shell)
  if (text !== undefined) return shell.runText(text)
  shell.state.tainted = true
  shell.run.unfollowed ||= isStream(args[0] ?? '-')
  return undefined
}
