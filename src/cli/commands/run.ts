import type { EnsoUserConfig } from '../../core/index.js'
import { RUN_FLAG_GROUPS } from '../args/run-flags.js'
import { parseRunOptions } from '../args/run-options.js'
import { refuseUsage } from '../faults.js'
import type { RunOptions } from '../run/run-options.js'
import type { CliCommand } from './command.js'

/** A run with what the person's configuration says where the command line says nothing. */
export function withUserDefaults(options: RunOptions, config: EnsoUserConfig): RunOptions {
  const { defaultModel, defaultThinking, defaultMode, answers, color } = config
  const chosen = { ...options, answersFile: options.answersFile ?? answers, color: colourOf(options, color) }
  // A stored thread goes on with what it was begun with, and a script has a model of its own.
  if (options.thread.kind !== 'new') return chosen
  const model = options.script === undefined ? (options.model ?? defaultModel) : options.model
  const permissionMode = options.permissionMode ?? defaultMode
  return { ...chosen, model, thinking: options.thinking ?? defaultThinking, permissionMode }
}

function colourOf(options: RunOptions, configured: EnsoUserConfig['color']): RunOptions['color'] {
  return options.color === 'auto' ? (configured ?? 'auto') : options.color
}

/** `enso [prompt…]`: one run, or a conversation on a terminal without a prompt. */
export const runCommand: CliCommand = {
  name: 'run',
  usage: [
    '[run] [flags] PROMPT…',
    '[run] [flags]              a conversation, on a terminal',
    '--json [flags] [PROMPT…]',
  ],
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
    const options = withUserDefaults(parsed.value.options, await parts.userConfig())
    const { runThread } = await import('../run/run-command.js')
    return runThread(options, io, parts)
  },
}
