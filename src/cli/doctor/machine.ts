import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { CliIo } from '../io.js'
import { isColoured } from '../print/palette.js'
import { type EnsoDoctorCheck, fault, ok, warning } from './check.js'

/** The longest a program may take to say its version, in milliseconds. */
const VERSION_MS = 5000

interface Program {
  readonly name: string
  readonly command: string
  /** What is missing without it. */
  readonly without: string
  readonly todo: string
  readonly needed?: true
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'shell',
    command: 'bash',
    without: 'no shell commands',
    todo: 'install bash: the agent runs commands with it',
    needed: true,
  },
  { name: 'git', command: 'git', without: 'no history to look at', todo: 'install git' },
  { name: 'rg', command: 'rg', without: 'searching is slower', todo: 'install ripgrep' },
]

/** The programs of the machine that the agent uses. */
export function programsOfMachine(env: CliIo['env']): Promise<EnsoDoctorCheck[]> {
  return Promise.all(PROGRAMS.map((program) => programCheck(program, env)))
}

async function programCheck(program: Program, env: CliIo['env']): Promise<EnsoDoctorCheck> {
  const { name, command, without, todo, needed } = program
  const path = findProgram(command, env['PATH'])
  if (path === undefined) {
    const found = `${command} is not installed: ${without}`
    return needed === true ? fault(name, found, todo) : warning(name, found, todo)
  }
  const version = await versionOf(path)
  return version === undefined
    ? warning(name, `${path} does not run`, todo)
    : ok(name, `${/\d+(\.\d+)+/.exec(version)?.[0] ?? version}, ${path}`)
}

function findProgram(command: string, path = ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, command))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

function versionOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: VERSION_MS }, (error, stdout) =>
      resolve(error === null ? (stdout.split('\n')[0] ?? '') : undefined),
    )
  })
}

/** Who could answer a question here, and how text is shown. */
export function terminalCheck(io: CliIo): EnsoDoctorCheck {
  const colour = isColoured(io.stdout, io.env, 'auto') ? 'colour' : 'no colour'
  const columns = io.stdout.isTTY === true ? `${io.stdout.columns ?? 80} columns, ` : ''
  if (io.terminal() !== undefined) return ok('terminal', `${columns}${colour}; questions can be asked`)
  return ok('terminal', `none: questions end at once unless --answers has one (${colour})`)
}
