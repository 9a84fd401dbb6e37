import {
  ENSO_ERROR_OUTCOMES,
  ENSO_EXIT_CODES,
  EnsoError,
  type EnsoOutcome,
  type EnsoResultLine,
  ensoLogger,
  jsonLine,
} from '../core/index.js'
import type { UsageRefusal } from './args/flag.js'
import { outputOf } from './args/run-options.js'
import type { CliIo } from './io.js'
import type { CliParts } from './parts.js'
import { sanitize } from './print/sanitize.js'

interface Ending {
  readonly outcome: EnsoOutcome
  readonly reason: string
  readonly hint?: string | undefined
}

/** The result of a process in which no thread ran. */
export function resultWithoutRun({
  outcome,
  reason,
  hint,
}: Pick<Ending, 'outcome' | 'hint'> & { readonly reason?: string }): EnsoResultLine {
  return {
    type: 'result',
    outcome,
    exitCode: ENSO_EXIT_CODES[outcome],
    threadId: null,
    text: '',
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    cost: 0,
    turns: 0,
    durationMs: 0,
    dialogs: { answered: 0, byRule: 0, cancelled: 0, timedOut: 0, aborted: 0 },
    denials: {},
    restored: [],
    ...(reason === undefined ? {} : { reason }),
    ...(hint === undefined ? {} : { hint }),
  }
}

/**
 * Says why nothing ran: words on standard error, and where the arguments ask for JSON the one result on standard
 * output. Answers the exit code.
 */
function endWithout(io: CliIo, argv: readonly string[], ending: Ending): number {
  io.stderr.write(`enso: ${sanitize(ending.reason)}\n`)
  if (ending.hint !== undefined) io.stderr.write(`  ${sanitize(ending.hint)}\n`)
  if (outputOf(argv) !== 'text') io.stdout.write(`${jsonLine(resultWithoutRun(ending))}\n`)
  return ENSO_EXIT_CODES[ending.outcome]
}

/** A command line that can't be taken as it is. `argv` is a run's; other commands give none. */
export function refuseUsage(io: CliIo, argv: readonly string[], { reason, hint }: UsageRefusal): number {
  return endWithout(io, argv, { outcome: 'usage', reason, hint: hint ?? 'enso --help shows how' })
}

/** Something thrown: a fault of the environment by its code, anything else as a bug in one line. */
export function reportFault(io: CliIo, argv: readonly string[], error: unknown, parts: CliParts): number {
  if (error instanceof EnsoError) {
    const { code, message, hint } = error
    return endWithout(io, argv, { outcome: ENSO_ERROR_OUTCOMES[code], reason: message, hint })
  }
  const message = error instanceof Error ? error.message : String(error)
  ensoLogger('host', 'cli').error('internal error: {message}', {
    message,
    stack: error instanceof Error ? error.stack : undefined,
  })
  return endWithout(io, argv, {
    outcome: 'error',
    reason: `internal error: ${message}`,
    hint: `please report it; the log is in ${parts.home.logsDir}`,
  })
}
