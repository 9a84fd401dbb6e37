import { basename } from 'node:path'
import { realPathOf } from '../paths.js'
import { hasOption, optionValues, sortArguments } from './arguments.js'
import { absolutePath, type CommandFacts, type Shell } from './context.js'
import { isUnknown } from './marks.js'

/** What a command leaves on the disk that later commands of the same line may use: links, copies, `tee`'s files. */
export function noteEffects({ name, args, shell }: CommandFacts): void {
  const { files, links } = shell.state
  noteProgram({ name, args, shell })
  if (name === 'ln') {
    const sorted = sortArguments(args, '-t --target-directory -S --suffix')
    const [target, link = basename(target ?? '')] = sorted.operands
    if (target === undefined || !hasOption(sorted, '-s --symbolic')) return
    const path = absolutePath(link.endsWith('/') ? link + basename(target) : link, shell)
    if (path !== undefined && !isUnknown(path + target)) links.set(path, target)
  } else if (name === 'tee') {
    for (const word of args) {
      const path = word.startsWith('-') ? undefined : absolutePath(word, shell)
      if (path !== undefined && shell.stdin !== undefined) files.set(path, shell.stdin)
    }
  } else if (name === 'cp' || name === 'mv') {
    const [from, to] = sortArguments(args).operands.map((word) => absolutePath(word, shell))
    const text = from === undefined ? undefined : files.get(from)
    if (to !== undefined && text !== undefined) files.set(to, text)
  }
}

/** Where the system's programs are. */
const PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/

/** `cp /usr/bin/curl x`, `ln -s /usr/bin/curl x`, `hash -p /usr/bin/curl ls`: a program under another name. */
function noteProgram({ name, args, shell }: Pick<CommandFacts, 'name' | 'args' | 'shell'>): void {
  const { programs } = shell.state
  if (name === 'hash') {
    const [path] = optionValues(sortArguments(args, '-p'), '-p')
    const [word] = sortArguments(args, '-p').operands
    if (path !== undefined && word !== undefined) programs.set(word, path)
    return
  }
  if (!/^(?:cp|mv|ln|install)$/.test(name)) return
  const { operands } = sortArguments(args, '-t --target-directory -S --suffix -m -o -g')
  const [from, to = basename(from ?? '')] = operands
  if (from === undefined || !PROGRAM.test(from)) return
  const path = absolutePath(to.endsWith('/') || to === '.' ? `${to}/${basename(from)}` : to, shell)
  if (path !== undefined && !isUnknown(path)) programs.set(path, from)
}

/** The system's program a command word comes to, where that has another name; a link on the disk counts as well. */
export function programBehind(word: string, shell: Shell): string | undefined {
  const { programs, links } = shell.state
  if (!word.includes('/')) return programs.get(word)
  const path = absolutePath(word, shell)
  if (path === undefined || isUnknown(path) || PROGRAM.test(path)) return undefined
  const known = programs.get(path)
  if (known !== undefined) return known
  const real = realPathOf(path, shell.run.world.cwd, links)
  return PROGRAM.test(real) && basename(real) !== basename(path) ? real : undefined
}
