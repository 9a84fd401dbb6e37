import type { ParsedScript } from 'unbash'
import { isSecretVariable } from '../secrets.js'
import { currentFolder, pick, type Shell } from './context.js'
import { SECRET, UNKNOWN } from './marks.js'
import { assign, forkShell, OLD_CWD } from './state.js'
import type { WordSource } from './words.js'

/** What differs from run to run: unknown, but certainly set. */
const UNTOLD = new Set(['SECONDS', '!', 'UID', 'EUID', 'HOSTNAME', 'LINENO', '_', 'REPLY'])
/** What stands for the number of the shell's parent, which is the harness. */
export const PARENT = 'PPID'

/** Numbers that nobody can foresee stand for themselves: any one of them makes the same path. */
const TOLD: Readonly<Record<string, string>> = {
  IFS: ' \t\n',
  '?': '0',
  '-': 'hBc',
  '0': 'bash',
  $: '4242',
  BASHPID: '4242',
  RANDOM: '4242',
  SRANDOM: '4242',
  EPOCHSECONDS: '4242',
  EPOCHREALTIME: '42.42',
  GIT_DIR: '.git',
  PPID: PARENT,
}

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
      if (Object.hasOwn(TOLD, name)) return TOLD[name] as string
      if (UNTOLD.has(name) || name.startsWith('BASH')) return UNKNOWN
      if (isSecretVariable(name)) return UNKNOWN + SECRET
      return surrounding(name) ?? (name === 'TMPDIR' ? (run.world.tempDirs[0] ?? '/tmp') : state.tainted ? UNKNOWN : '')
    },
    isUnset(name) {
      if (!/^[A-Za-z_]\w*$/.test(name) || name === 'PWD' || name === 'OLDPWD' || name === 'TMPDIR') return false
      if (UNTOLD.has(name) || Object.hasOwn(TOLD, name) || name.startsWith('BASH') || state.tainted) return false
      return ownTexts(name) === undefined && surrounding(name) === undefined && !isSecretVariable(name)
    },
    separators: () => ownTexts('IFS')?.[0],
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
