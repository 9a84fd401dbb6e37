import { resolve } from 'node:path'
import { watchCommand } from '../guards/bash/judge-command.js'
import { isGlob, isUnknown, unmarked } from '../guards/bash/marks.js'
import { isInside, realPathOf } from '../guards/paths.js'
import type { GuardWorld } from '../guards/world.js'
import { repositoryProgram } from './git-programs.js'
import { hiddenEffect } from './hidden-effects.js'
import { UNKNOWN_FILE, type ShellAnalysis, type ShellCommand } from './shell-kind.js'

/** What isn't a file when it is written to. */
const NO_FILES = new Set(['/dev/null', '/dev/stdout', '/dev/stderr', '/dev/tty'])

/**
 * What a shell text comes to, by the guards' own reading of it: every command it would run, also inside substitutions,
 * wrappers and texts handed to another shell. A variable set for one command makes it another command than it looks.
 */
export function analyseCommand(command: string, world: GuardWorld): ShellAnalysis {
  const commands = new Map<string, ShellCommand>()
  const writes = new Set<string>()
  const doubt = watchCommand(command, world, {
    command: (argv, assigned) => {
      const words = [...assigned, ...argv].map(unmarked)
      const dynamic = [...assigned, ...argv].some(isUnknown) || isGlob(argv[0] ?? '')
      commands.set(`${dynamic}\0${words.join('\0')}`, { argv: words, assigned: assigned.length, dynamic })
    },
    write: (word) => {
      if (!NO_FILES.has(word)) writes.add(isUnknown(word) ? UNKNOWN_FILE : unmarked(word))
    },
  })
  const found = [...commands.values()]
  const folders = foldersOf(found, world)
  return {
    commands: found,
    writes: [...writes],
    leaves: folders.some((folder) => !isInside(realPathOf(folder, world.cwd), world.cwd)),
    doubt: doubt ?? hiddenEffect(command, world.env) ?? gitDoubt(found, folders),
  }
}

/** The folders the text works in, by its own account: the workspace and every one it changes to. */
function foldersOf(commands: readonly ShellCommand[], { cwd, home }: GuardWorld): string[] {
  const folders = [cwd]
  for (const { argv, assigned } of commands) {
    const [name, ...words] = argv.slice(assigned)
    if (name !== 'cd' && name !== 'pushd') continue
    const target = words.find((word) => word === '-' || !word.startsWith('-')) ?? home
    if (target === '-') folders.push(folders.at(-2) ?? cwd)
    else folders.push(resolve(folders.at(-1) ?? cwd, target.startsWith('~') ? home + target.slice(1) : target))
  }
  return folders
}

/** Git that only looks still runs what the settings of the repository name. */
function gitDoubt(commands: readonly ShellCommand[], folders: readonly string[]): string | undefined {
  if (!commands.some(({ argv }) => argv.some((word) => /(?:^|\/)git$/.test(word)))) return undefined
  for (const folder of folders) {
    const program = repositoryProgram(folder)
    if (program !== undefined) return `the repository's own ${program} makes git run a program`
  }
  return undefined
}
