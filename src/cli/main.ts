import type { UsageRefusal } from './args/flag.js'
import type { CommandEntry } from './commands/command.js'
import { COMMANDS, RUN_ENTRY, RUN_NAMES } from './commands/table.js'
import type { CliIo } from './io.js'
import type { CliParts } from './parts.js'
import { asksForVersion } from './version.js'

interface Chosen {
  readonly entry: CommandEntry
  readonly argv: readonly string[]
}

/** The command a line means: its first word where that is one, else a run. */
function choose(argv: readonly string[]): Chosen {
  const [first, ...rest] = argv
  if (first !== undefined && RUN_NAMES.has(first)) return { entry: RUN_ENTRY, argv: rest }
  const entry = COMMANDS.find((command) => command.name === first)
  return entry === undefined ? { entry: RUN_ENTRY, argv } : { entry, argv: rest }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

async function help(argv: readonly string[], { entry }: Chosen, io: CliIo): Promise<number> {
  const { commandHelp, mainHelp } = await import('./help.js')
  const named = argv[0] === entry.name || RUN_NAMES.has(argv[0] ?? '')
  io.stdout.write(named ? commandHelp(await entry.load()) : mainHelp(COMMANDS))
  return 0
}

/** `enso help`, `enso help threads`: the spelling many programs have. */
function helpWords(argv: readonly string[]): readonly string[] | undefined {
  if (argv[0] !== 'help' || argv.length > 2) return undefined
  const topic = argv[1]
  if (topic === undefined) return ['--help']
  return RUN_NAMES.has(topic) || COMMANDS.some((command) => command.name === topic) ? [topic, '--help'] : undefined
}

/**
 * The whole command line: picks the command, reads its arguments, runs it.
 *
 * Answers the exit code; never ends the process and never throws: a fault of the environment becomes its outcome, a
 * bug one line on standard error.
 */
export async function main(io: CliIo, parts: CliParts): Promise<number> {
  if (asksForVersion(io.argv)) {
    io.stdout.write(`${parts.version}\n`)
    return 0
  }
  const argv = helpWords(io.argv) ?? io.argv
  const chosen = choose(argv)
  try {
    if (asksForHelp(argv)) return await help(argv, chosen, io)
    const command = await chosen.entry.load()
    const { parseCommandLine } = await import('./args/command-line.js')
    const parsed = parseCommandLine(
      command.flags.flatMap((group) => group.flags),
      chosen.argv,
    )
    if (!parsed.ok) return await refuse(io, chosen, parsed.refusal)
    return await command.run({ line: parsed.value, argv: chosen.argv, io, parts })
  } catch (error) {
    const { reportFault } = await import('./faults.js')
    return reportFault(io, chosen.entry.isRun === true ? chosen.argv : [], error, parts)
  }
}

async function refuse(io: CliIo, { entry, argv }: Chosen, refusal: UsageRefusal): Promise<number> {
  const { refuseUsage } = await import('./faults.js')
  return refuseUsage(io, entry.isRun === true ? argv : [], refusal)
}
