import type { ParsedScript } from 'unbash'
import { isSecretVariable } from '../secrets.js'
import { currentFolder, pick, type Shell } from './context.js'
import { UNKNOWN } from './marks.js'
import { assign, forkShell, OLD_CWD } from './state.js'
import type { WordSource } from './words.js'

/** What differs from run to run: unknown, but certainly set. */
const UNTOLD = new Set([
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'EPOCHSECONDS',
  'EPOCHREALTIME',
  '$',
  '!',
  'PPID',
  'BASHPID',
  'UID',
  'EUID',
  'HOSTNAME',
  'LINENO',
  '_',
  'REPLY',
])
const TOLD: Readonly<Record<string, string>> = { IFS: ' \t\n', '?': '0', '-': 'hBc', '0': 'bash' }

/** The values of one shell, for its words. `revealed` collects the secret variables whose value goes into a word. */
export function wordSource(shell: Shell, revealed: Set<string>): WordSource {
  const { run, state } = shell
  const ownTexts = (name: string) => state.variables.get(name)?.texts
  const surrounding = (name: string) => (name === 'HOME' ? run.world.home : run.world.env[name])
  return {
    home: run.world.home,
    splits: true,
    variable(name) {
      if (name === 'PWD') return currentFolder(shell)
      if (name === 'OLDPWD') return pick(run, OLD_CWD, ownTexts(OLD_CWD) ?? [UNKNOWN])
      if (/^[1-9]\d*$/.test(name))
        return state.positional === undefined ? UNKNOWN : (state.positional[Number(name) - 1] ?? '')
      if (name === '#') return state.positional === undefined ? UNKNOWN : String(state.positional.length)
      if (name === '@' || name === '*') return state.positional?.join(' ') ?? UNKNOWN
      const own = ownTexts(name)
      if (own !== undefined) return pick(run, name, own)
      if (UNTOLD.has(name) || name.startsWith('BASH')) return UNKNOWN
      if (Object.hasOwn(TOLD, name)) return TOLD[name] as string
      if (isSecretVariable(name)) return UNKNOWN
      return surrounding(name) ?? (name === 'TMPDIR' ? (run.world.tempDirs[0] ?? '/tmp') : state.tainted ? UNKNOWN : '')
    },
    isUnset(name) {
      if (!/^[A-Za-z_]\w*$/.test(name) || name === 'PWD' || name === 'OLDPWD' || name === 'TMPDIR') return false
      if (UNTOLD.has(name) || Object.hasOwn(TOLD, name) || name.startsWith('BASH') || state.tainted) return false
      return ownTexts(name) === undefined && surrounding(name) === undefined && !isSecretVariable(name)
    },
    elements(name) {
      if (name === '@' || name === '*') return state.positional
      return state.variables.get(name)?.elements
    },
    set: (name, value) => assign(state, name, { texts: [value] }),
    reveals(name) {
      if (isSecretVariable(name) && ownTexts(name) === undefined) revealed.add(name)
    },
    substitute: (script) => withoutNewlines(inSubshell(script, shell)),
    pipe(script) {
      const output = inSubshell(script, shell)
      const name = `/dev/fd/6${state.files.size % 10}`
      if (output !== undefined) state.files.set(name, output)
      return name
    },
  }
}

function inSubshell(script: ParsedScript, shell: Shell): string | undefined {
  return shell.runNode(script, forkShell(shell.state))
}

/** A substitution drops its last newlines; a NUL can't be in a word. */
function withoutNewlines(output: string | undefined): string | undefined {
  return output?.replace(/\n+$/, '').replaceAll('\0', '')
}
