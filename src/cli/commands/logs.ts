import { refuseUsage } from '../faults.js'
import { LOGS_FLAGS, parseLogsOptions, type LogsOptions } from '../logs/options.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { CliCommand, Invocation } from './command.js'

type Subcommand = (invocation: Invocation, options: LogsOptions) => Promise<number>

const SUBCOMMANDS = new Map<string, Subcommand>([
  ['stats', async (...args) => (await import('../logs/stats.js')).showStats(...args)],
  ['bundle', async (...args) => (await import('../logs/bundle.js')).writeBundle(...args)],
])

/** `enso logs`: the day's records, without the agent library. */
export const logsCommand: CliCommand = {
  name: 'logs',
  usage: ['logs [flags]', 'logs stats [--day DAY] [--json]', 'logs bundle [--thread ID] [-o FILE]'],
  about: 'Shows, follows and counts what enso logged, and makes the one file to send when something went wrong.',
  flags: LOGS_FLAGS,
  examples: [
    ['enso logs --level warn --since 2h', 'what went wrong in the last two hours'],
    ['enso logs -f --thread 3f2a', 'one thread, live'],
    ['enso logs stats --day yesterday', 'what a day cost, and what it was spent on'],
    ['enso logs bundle --thread 3f2a -o run.md', 'a file to read, and then to send'],
    ['enso logs --file run.md --json', 'the records in it'],
  ],
  run: async (invocation) => {
    const { line, io } = invocation
    const [name, ...rest] = [...line.words, ...line.literal]
    const subcommand = name === undefined ? show : SUBCOMMANDS.get(name)
    if (subcommand === undefined || rest.length > 0) {
      return refuseUsage(io, [], {
        reason: `logs has no '${sanitizeLine((subcommand === undefined ? name : rest[0]) ?? '')}'`,
        hint: 'logs, logs stats, logs bundle; --grep TEXT looks for a text',
      })
    }
    const parsed = parseLogsOptions(line, io.clock.now())
    if (!parsed.ok) return refuseUsage(io, [], parsed.refusal)
    return subcommand(invocation, parsed.value)
  },
}

const show: Subcommand = async (invocation, options) =>
  options.follow
    ? (await import('../logs/follow.js')).followLogs(invocation, options)
    : (await import('../logs/show.js')).showLogs(invocation, options)
