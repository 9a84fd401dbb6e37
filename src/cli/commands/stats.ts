import { createSpendingFold, jsonLine, parseLogSince } from '../../core/index.js'
import { localDayOf } from '../../log/day.js'
import { refuseUsage } from '../faults.js'
import { unreadableText } from '../threads/list.js'
import { spendingText } from '../threads/spending-text.js'
import { outputStyle } from '../threads/subcommand.js'
import type { CliCommand } from './command.js'

/** `enso stats`: what all stored threads have cost, without the agent library. */
export const statsCommand: CliCommand = {
  name: 'stats',
  usage: ['stats [--since 7d] [--json]'],
  about:
    'Counts what stored threads have spent: by model, by project and by day. A reply that a fork holds counts once.',
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'since', value: 'AGO', help: 'only replies of the last 30m, 12h, 7d' },
        { name: 'json', help: 'one JSON object' },
        { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'auto, always or never' },
      ],
    },
  ],
  examples: [
    ['enso stats', 'everything there is'],
    ['enso stats --since 7d', 'the last seven days'],
  ],
  run: async (invocation) => {
    const { line, io, parts } = invocation
    const words = [...line.words, ...line.literal]
    if (words.length > 0) {
      return refuseUsage(io, [], { reason: 'stats takes no word', hint: 'enso threads stats ID is about one thread' })
    }
    const asked = line.value('since')
    const ago = asked === undefined ? undefined : parseLogSince(asked)
    if (asked !== undefined && ago === undefined) {
      return refuseUsage(io, [], { reason: `--since takes a time like 30m, 12h or 7d, not '${asked}'` })
    }
    const since = ago === undefined ? 0 : io.clock.now() - ago
    const fold = createSpendingFold()
    const unreadable = await (
      await parts.store()
    ).spending(since, (spent) => {
      const at = Date.parse(spent.at)
      // A reply without a stamp is counted where nothing is left out: it can't be told how old it is.
      if (Number.isNaN(at) ? since > 0 : at < since) return
      fold.add(spent, Number.isNaN(at) ? 'unknown' : localDayOf(at))
    })
    const stats = fold.finish(since === 0 ? undefined : new Date(since).toISOString(), unreadable.length)
    io.stdout.write(line.has('json') ? `${jsonLine(stats)}\n` : spendingText(stats, outputStyle(invocation)))
    if (unreadable.length > 0) io.stderr.write(`${unreadableText(unreadable)}\n`)
    return 0
  },
}
