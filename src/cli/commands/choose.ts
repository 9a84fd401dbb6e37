import { closestWord } from '../../core/closest-word.js'
import { type UsageRefusal } from '../args/flag.js'
import type { CommandEntry } from './command.js'
import { COMMANDS, RUN_ENTRY, RUN_NAMES } from './table.js'

/** The command a line means, and the arguments that are its own. */
export interface Chosen {
  readonly entry: CommandEntry
  readonly argv: readonly string[]
  /** The command was named; else it is the run that a prompt means. */
  readonly named: boolean
}

/**
 * The command a line means: its first word where that is one, else a run. Flags may stand before the word where they
 * are the command's own; what else begins with flags is a prompt.
 */
export async function choose(argv: readonly string[]): Promise<Chosen> {
  const [first = '', ...rest] = argv
  if (RUN_NAMES.has(first)) return { entry: RUN_ENTRY, argv: rest, named: true }
  const entry = entryNamed(first)
  if (entry !== undefined) return { entry, argv: rest, named: true }
  return (first.startsWith('-') ? await behindFlags(argv) : undefined) ?? { entry: RUN_ENTRY, argv, named: false }
}

function entryNamed(name: string | undefined): CommandEntry | undefined {
  return COMMANDS.find((command) => command.name === name)
}

async function behindFlags(argv: readonly string[]): Promise<Chosen | undefined> {
  const [{ looksLikeFlag, spellings }, { RUN_FLAGS }] = await Promise.all([
    import('../args/prepare.js'),
    import('../args/run-flags.js'),
  ])
  const flagOf = (argument: string) =>
    RUN_FLAGS.find((flag) => argument === `-${flag.short}` || spellings(flag).includes(argument))
  let at = 0
  const given: string[] = []
  for (; looksLikeFlag(argv[at] ?? ''); at++) {
    const argument = argv[at] ?? ''
    const flag = flagOf(argument.replace(/=[^]*$/, ''))
    if (flag === undefined) return undefined
    given.push(flag.name)
    if (flag.value !== undefined && flag.optional !== true && !argument.includes('=')) at++
  }
  const entry = entryNamed(argv[at])
  if (entry === undefined) return undefined
  const own = new Set((await entry.load()).flags.flatMap((group) => group.flags.map(({ name }) => name)))
  if (!given.every((name) => own.has(name))) return undefined
  return { entry, argv: argv.toSpliced(at, 1), named: true }
}

/**
 * Why a line that would be a prompt is none: its first word is nearly a command, and nothing behind it says otherwise.
 * Nobody wants a slip of the finger to go to a model.
 */
export function misspeltCommand(argv: readonly string[]): UsageRefusal | undefined {
  const words = argv.filter((word) => !word.startsWith('-'))
  const [first = '', second] = words
  if (argv[0] !== first || !/^[a-z]+$/i.test(first)) return undefined
  const names = COMMANDS.filter(({ hidden }) => hidden !== true).map(({ name }) => name)
  if (first === 'help') return argv.length === 2 && second !== undefined ? misspeltTopic(second, names) : undefined
  const meant = closestWord(first, ['help', ...names])
  if (meant === undefined) return undefined
  const follows = second === undefined ? [] : meantBehind(meant, words)
  if (follows === undefined) return undefined
  return {
    reason: `there is no command '${first}'`,
    hint: `did you mean enso ${[meant, ...follows].join(' ')}? As a prompt: enso run ${words.join(' ')}`,
  }
}

/** The longest line of words that is still a command and not the beginning of a sentence. */
const COMMAND_WORDS = 3

/**
 * What follows the meant command, where that makes it one: its own word, also misspelt when little stands behind it. A
 * sentence that happens to begin like a command is a prompt.
 */
function meantBehind(meant: string, [, second = '', ...more]: readonly string[]): readonly string[] | undefined {
  const own = entryNamed(meant)?.words ?? []
  if (own.includes(second)) return [second]
  const nearly = closestWord(second, [...own, ...(ALSO_SAID[meant] ?? [])])
  if (nearly === undefined || more.length > COMMAND_WORDS - 2) return undefined
  return own.includes(nearly) ? [nearly] : []
}

/** Words for what the command does without one, as other programs call it. */
const ALSO_SAID: Readonly<Record<string, readonly string[]>> = {
  logs: ['tail', 'follow', 'show', 'list'],
  models: ['list'],
  config: ['show', 'list'],
  threads: ['ls'],
}

function misspeltTopic(topic: string, names: readonly string[]): UsageRefusal {
  const meant = closestWord(topic, names)
  return {
    reason: `there is no help on '${topic}'`,
    hint:
      meant === undefined
        ? `enso help lists the commands; as a prompt: enso run help ${topic}`
        : `did you mean enso help ${meant}?`,
  }
}
