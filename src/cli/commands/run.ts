import { ENSO_ABORT_EXIT_CODES, EnsoError, type EnsoUserConfig } from '../../core/index.js'
import { expandHome } from '../../system/home.js'
import { canonicalPath, projectIdOf } from '../../system/project-id.js'
import type { CommandLine } from '../args/flag.js'
import { RUN_FLAG_GROUPS } from '../args/run-flags.js'
import { parseRunOptions } from '../args/run-options.js'
import { refuseUsage } from '../faults.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import type { RunOptions } from '../run/run-options.js'
import { isOneShot } from '../run/run-prompt.js'
import type { CliCommand, Invocation } from './command.js'

/**
 * A run with what the person's configuration says where the command line, `given`, says nothing.
 */
export function withUserDefaults(
  options: RunOptions,
  config: EnsoUserConfig,
  given: Pick<CommandLine, 'has'>,
): RunOptions {
  const { defaultModel, defaultThinking, answers } = config
  const sandbox = options.sandbox ?? config.sandbox
  const color = given.has('color') ? options.color : (config.color ?? options.color)
  const chosen = { ...options, sandbox, color, answersFile: options.answersFile ?? answers }
  // A stored thread goes on with what it was begun with, and a script has a model of its own.
  if (options.thread.kind !== 'new') return chosen
  const model = options.script === undefined ? (options.model ?? defaultModel) : options.model
  // The mode that asks nothing is only for a start that says so itself.
  const isOffered = config.defaultMode !== 'bypassPermissions' || options.allowBypass === true
  const permissionMode = options.permissionMode ?? (isOffered ? config.defaultMode : undefined)
  return { ...chosen, model, thinking: options.thinking ?? defaultThinking, permissionMode }
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
    ['enso --dry-run -m local/x "hello"', 'what would run, and how much it would send'],
  ],
  run: async ({ line, argv, io, parts: ownParts }) => {
    const parsed = parseRunOptions(line, argv, io.cwd)
    if (!parsed.ok) return refuseUsage(io, argv, parsed.refusal)
    const { options: asked, print } = parsed.value
    const parts = await partsFor({ line, argv, io, parts: ownParts }, asked)
    if (typeof parts === 'number') return parts
    const config = await parts.userConfig()
    const chosen = asked.thread.kind === 'pick' ? await withPickedThread(asked, argv, io, parts) : asked
    if (typeof chosen === 'number') return chosen
    // What a served thread runs with is its server's to say.
    const options = withUserDefaults(chosen, parts.remote === undefined ? config : ofThisEnd(config), line)
    if (line.has('dry-run')) {
      if (parts.remote !== undefined) {
        return refuseUsage(io, argv, { reason: '--dry-run looks at this machine, and --connect runs on another' })
      }
      const { dryRun } = await import('../dry-run/dry-run.js')
      return dryRun(options, io, parts)
    }
    const converses = options.output === 'text' && !isOneShot(options) && io.stdin.isTTY === true
    if (converses && print) return refuseUsage(io, argv, { reason: 'there is no prompt', hint: NO_PROMPT_HINT })
    if (converses && io.terminal() !== undefined) {
      const { converse } = await import('../conversation/converse.js')
      return converse(options, io, parts)
    }
    const { runThread } = await import('../run/run-command.js')
    return runThread(options, io, parts)
  },
}

/** This process's own parts, or those with a server's threads in them; an exit code for flags that don't fit. */
async function partsFor(invocation: Invocation, options: RunOptions): Promise<CliParts | number> {
  const { line, argv, io, parts } = invocation
  if (line.has('connect')) {
    const { connectedParts } = await import('../connect/connected-parts.js')
    return connectedParts(invocation, options)
  }
  const alone = ['token-file', 'project'].find((name) => line.has(name))
  return alone === undefined ? parts : refuseUsage(io, argv, { reason: `--${alone} needs --connect` })
}

/** What of a person's configuration is about this end of a connection. */
function ofThisEnd({ answers, color }: EnsoUserConfig): EnsoUserConfig {
  return { ...(answers === undefined ? {} : { answers }), ...(color === undefined ? {} : { color }) }
}

const NO_PROMPT_HINT = 'enso -p "…"; enso - reads it from standard input'

/** `-r` without an id: a person chooses. Answers an exit code where nobody can, or nothing was chosen. */
async function withPickedThread(
  options: RunOptions,
  argv: readonly string[],
  io: CliIo,
  parts: CliParts,
): Promise<RunOptions | number> {
  const terminal = options.output === 'text' ? io.terminal() : undefined
  if (terminal === undefined) {
    return refuseUsage(io, argv, { reason: '-r needs a thread id here', hint: 'enso threads lists them' })
  }
  const projectId = projectIdOf(canonicalPath(expandHome(options.cwd, io.env, io.cwd)))
  const threads = await (parts.remote?.list() ?? (await parts.store()).list(projectId))
  if (threads.length === 0) {
    throw new EnsoError('thread-unknown', 'there are no threads to choose from', {
      hint: 'enso threads --all lists every one',
    })
  }
  const { pickThread } = await import('../conversation/pick-thread.js')
  const picked = await pickThread(threads, terminal, io, options.color)
  if (picked.kind === 'value') return { ...options, thread: { kind: 'resume', threadId: picked.value } }
  return picked.kind === 'stop'
    ? ENSO_ABORT_EXIT_CODES.SIGINT
    : refuseUsage(io, argv, { reason: 'no thread was chosen' })
}
