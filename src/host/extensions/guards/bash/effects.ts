import { basename } from 'node:path'
import { hasOption, sortArguments } from './arguments.js'
import { absolutePath, type CommandFacts } from './context.js'
import { isUnknown } from './marks.js'

/** What a command leaves on the disk that later commands of the same line may use: links, copies, `tee`'s files. */
export function noteEffects({ name, args, shell }: CommandFacts): void {
  const { files, links } = shell.state
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
