import type { UsageRefusal } from './args/flag.js'
import { choose, type Chosen, misspeltCommand } from './commands/choose.js'
import { COMMANDS, RUN_ENTRY, RUN_NAMES } from './commands/table.js'
import type { CliIo } from './io.js'
import type { CliParts } from './parts.js'
import { asksForVersion } from './version.js'

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h')
}

async function help({ entry, named }: Chosen, io: CliIo): Promise<number> {
  const { commandHelp, mainHelp } = await import('./help.js')
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
  let chosen: Chosen = { entry: RUN_ENTRY, argv, named: false }
  try {
    if (argv[0] === 'help' && argv[1] === '--man') return await manPage(io, parts)
    chosen = await choose(argv)
    if (asksForHelp(argv)) return await help(chosen, io)
    const misspelt = chosen.named ? undefined : misspeltCommand(argv)
    if (misspelt !== undefined) return await refuse(io, chosen, misspelt)
    if (chosen.entry.isPlain !== true) await parts.guardProcess?.()
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

async function manPage(io: CliIo, parts: CliParts): Promise<number> {
  const { manPageOf } = await import('./man.js')
  io.stdout.write(
    manPageOf(
      await Promise.all([RUN_ENTRY, ...COMMANDS.filter(({ hidden }) => hidden !== true)].map((entry) => entry.load())),
      parts.version,
    ),
  )
  return 0
}

async function refuse(io: CliIo, { entry, argv }: Chosen, refusal: UsageRefusal): Promise<number> {
  const { refuseUsage } = await import('./faults.js')
  return refuseUsage(io, entry.isRun === true ? argv : [], refusal)
}
