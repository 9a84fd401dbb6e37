import { RUN_FLAG_GROUPS } from '../args/run-flags.js'
import { parseRunOptions } from '../args/run-options.js'
import { refuseUsage } from '../faults.js'
import type { CliCommand } from './command.js'

/** `enso [prompt…]`: one run, or a conversation on a terminal without a prompt. */
export const runCommand: CliCommand = {
  name: 'run',
  usage: ['[run] [flags] PROMPT…', '[run] [flags]              a conversation, on a terminal', '--json [flags] [PROMPT…]'],
  about: 'Runs one thread: the reply streams to stdout, everything else to stderr.',
  flags: RUN_FLAG_GROUPS,
  examples: [
    ['enso "why does npm test fail?"', 'one prompt'],
    ['enso -', 'the prompt from stdin'],
    ['git diff | enso "review this"', 'stdin as context'],
    ['enso -c "and now the tests"', 'go on with the newest thread'],
    ['enso --json "list the routes"', 'JSON lines'],
  ],
  run: async ({ line, argv, io, parts }) => {
    const parsed = parseRunOptions(line, argv, io.cwd)
    if (!parsed.ok) return refuseUsage(io, argv, parsed.refusal)
    const { options, print } = parsed.value
    const { runThread } = await import('../run/run-command.js')
    return runThread(options, io, parts)
  },
}
