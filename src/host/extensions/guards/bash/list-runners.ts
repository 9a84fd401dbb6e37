import { optionValues, sortArguments } from './arguments.js'
import type { Followed } from './builtins.js'
import { shown } from '../finding.js'
import { holdsCredentials } from '../secrets.js'
import { absolutePath, type CommandFacts, find } from './context.js'
import { readFind } from './find-command.js'
import { isListing } from './operands.js'
import { secretWordFinding } from './secret-words.js'
import { runAssigned } from './assignments.js'
import { UNKNOWN } from './marks.js'

/** At most this many items of a list are followed one by one; the rest is taken as one unknown item. */
const MAX_ITEMS = 64

/**
 * `env`, `xargs` and `find`: programs that make a command's words themselves. `undefined` where this is none of them or
 * where it runs nothing.
 */
export function runList(facts: CommandFacts): Followed | undefined {
  if (facts.name === 'env' || facts.name === 'genv') return runEnv(facts)
  if (facts.name === 'xargs' || facts.name === 'gxargs') return runXargs(facts)
  if (facts.name === 'find' || facts.name === 'gfind') runFindCommands(facts)
  return undefined
}

function runEnv({ args, shell }: CommandFacts): Followed | undefined {
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as string
    const split = /^(?:-S|--split-string=?)(.*)$/s.exec(word) ?? /^-[iv0]+S(.*)$/s.exec(word)
    if (split !== null) {
      const text = split[1] === '' ? (args[++at] ?? '') : (split[1] ?? '')
      return { output: shell.runText([text, ...args.slice(at + 1)].join(' ')) }
    }
    if (/^(?:-u|-C|--unset|--chdir|--block-signal|--default-signal)$/.test(word)) at++
    else if (/^\w+=/.test(word)) {
      const equals = word.indexOf('=')
      runAssigned(word.slice(0, equals), word.slice(equals + 1), shell)
    } else if (!word.startsWith('-')) break
    else if (word === '--') {
      at++
      break
    }
  }
  while (/^\w+=/.test(args[at] ?? '')) at++
  return at < args.length ? { output: shell.runArgv(args.slice(at)) } : undefined
}

const XARGS_VALUED = '-I -n -P -L -l -a -d -E -e -s --arg-file --max-args --max-procs --max-lines --delimiter --replace'

function runXargs({ args, shell }: CommandFacts): Followed {
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as string
    if (word === '--') {
      at++
      break
    }
    if (!word.startsWith('-')) break
    if (XARGS_VALUED.split(' ').includes(word) && word !== '-l' && word !== '-e') at++
  }
  const own = sortArguments(args.slice(0, at), XARGS_VALUED)
  for (const file of optionValues(own, '-a --arg-file')) find(shell.run, secretWordFinding(file, shell))
  const command = args.slice(at)
  if (command.length === 0) return { output: shell.stdin }
  const place = optionValues(own, '-I --replace')[0] ?? (args.slice(0, at).includes('-i') ? '{}' : undefined)
  const items = shell.stdin?.split(place === undefined ? /[\s\0]+/ : /[\n\0]+/).filter(Boolean)
  if (place !== undefined) {
    for (const item of followed(items)) shell.runArgv(command.map((word) => word.replaceAll(place, item)))
  } else if (items === undefined) {
    // No input runs the command bare.
    shell.runArgv(command)
    shell.runArgv([...command, UNKNOWN])
  } else shell.runArgv([...command, ...items])
  return { output: undefined }
}

function followed(items: readonly string[] | undefined): readonly string[] {
  if (items === undefined) return [UNKNOWN]
  return items.length > MAX_ITEMS ? [...items.slice(0, MAX_ITEMS), UNKNOWN] : items
}

function runFindCommands({ args, shell }: CommandFacts): void {
  const search = readFind(args)
  const home = search.starts.find(
    (start) => /^[/~]/.test(start) && holdsCredentials(absolutePath(start, shell) ?? '', shell.run.world),
  )
  if (search.all && home !== undefined && search.commands.some(([name = '']) => !isListing(name))) {
    find(shell.run, {
      rule: 'secret-path',
      reason: `${shown(home)} holds the credentials of the home folder. Name the folder inside it that is meant.`,
    })
  }
  for (const command of search.commands) {
    for (const path of search.found.slice(0, MAX_ITEMS)) {
      shell.runArgv(command.map((word) => word.replaceAll('{}', path)))
    }
  }
}
