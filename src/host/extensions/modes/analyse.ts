import { resolve } from 'node:path'
import { watchCommand } from '../guards/bash/judge-command.js'
import { isGlob, isUnknown, unmarked } from '../guards/bash/marks.js'
import type { GuardWorld } from '../guards/world.js'
import { repositoryProgram } from './git-programs.js'
import type { ShellAnalysis, ShellCommand } from './shell-kind.js'

/** What isn't a file when it is written to. */
const NO_FILES = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty'])

/**
 * What a shell text comes to, by the guards' own reading of it: every command it would run, also inside substitutions,
 * wrappers and texts handed to another shell. A variable set for one command makes it another command than it looks.
 */
export function analyseCommand(command: string, world: GuardWorld): ShellAnalysis {
  const commands = new Map<string, ShellCommand>()
  let redirects = false
  const doubt = watchCommand(command, world, {
    command: (argv, assigned) => {
      const words = [...assigned.map((name) => `${name}=`), ...argv.map(unmarked)]
      const dynamic = argv.some(isUnknown) || isGlob(argv[0] ?? '')
      commands.set(`${dynamic}\0${words.join('\0')}`, { argv: words, dynamic })
    },
    write: (word) => {
      if (!NO_FILES.has(word)) redirects = true
    },
  })
  const found = [...commands.values()]
  return { commands: found, redirects, doubt: doubt ?? gitDoubt(found, world) }
}

/** Git that only looks still runs what the settings of the repository name. */
function gitDoubt(commands: readonly ShellCommand[], world: GuardWorld): string | undefined {
  if (!commands.some(({ argv }) => argv.some((word) => /(?:^|\/)git$/.test(word)))) return undefined
  const folders = commands.flatMap(({ argv: [name, ...words] }) =>
    name === 'cd' || name === 'pushd' ? words.filter((word) => !word.startsWith('-')) : [],
  )
  let at = world.cwd
  for (const folder of ['', ...folders]) {
    at = resolve(at, folder)
    const program = repositoryProgram(at)
    if (program !== undefined) return `the repository's own setting ${program} makes git run a program`
  }
  return undefined
}
