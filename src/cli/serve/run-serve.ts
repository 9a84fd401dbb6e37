import { guardingOf } from '../run/guarding.js'
import { ENSO_ABORT_EXIT_CODES, ensoLogger } from '../../core/index.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { sanitize } from '../print/sanitize.js'
import { type AnswerRules, readAnswersFile } from '../run/answers.js'
import { createDialogLedger } from '../run/dialog-policy.js'
import type { ProcessFault, RunHold } from '../run/run-process.js'
import { onStopSignals, type StopSignal } from '../run/run-signals.js'
import { inFolder, threadDefaults, workingFolder } from '../run/run-thread.js'
import type { ServeOptions } from './serve-options.js'
import type { RunningServer, ServeRequest } from './serve-request.js'

const log = ensoLogger('server', 'process')

/**
 * Serves until a signal says to stop; then takes no more, ends runs and follows in bounded time, and ends every process
 * they started. A second signal ends at once. Answers the signal's exit code.
 * @throws EnsoError for what can't be served
 */
export async function runServe(options: ServeOptions, io: CliIo, parts: CliParts): Promise<number> {
  const endLog = await parts.startLog(options.run.logLevel, 'server')
  const note = (text: string): void => {
    if (!options.run.quiet) io.stderr.write(`enso: ${sanitize(text)}\n`)
  }
  const hold = parts.runProcess?.hold({ fault: (fault) => survive(fault, note), lastLine: () => '' })
  try {
    const request = await serveRequest(options, io, note)
    await parts.runProcess?.reapStale()
    const stopped = waitForStop(io, hold)
    const server = await parts.serve(request)
    // Whoever started this may have left without reading the line; the server goes on.
    io.stdout.on('error', (error: Error) =>
      log.warn('standard output can’t be written: {error}', { error: error.message }),
    )
    io.stdout.write(`listening ${server.url}/#token=${server.token}\n`)
    return await serveUntil(stopped, server, hold, note)
  } finally {
    await endLog()
    hold?.release()
  }
}

async function serveUntil(
  stopped: Promise<Stop>,
  server: RunningServer,
  hold: RunHold | undefined,
  note: (text: string) => void,
): Promise<number> {
  const { signal, unlisten } = await stopped
  note(`${signal}: ending`)
  await server.close()
  const left = (await hold?.reap()) ?? []
  if (left.length > 0) note(`processes that could not be ended: ${left.join(', ')}`)
  unlisten()
  return ENSO_ABORT_EXIT_CODES[signal]
}

interface Stop {
  readonly signal: StopSignal
  readonly unlisten: () => void
}

/** Resolves with the first signal; the second ends the process. */
function waitForStop(io: CliIo, hold: RunHold | undefined): Promise<Stop> {
  return new Promise((resolve) => {
    let first: StopSignal | undefined
    const unlisten = onStopSignals(io.signals, (signal) => {
      if (first !== undefined) return hold?.endNow(ENSO_ABORT_EXIT_CODES[first])
      first = signal
      resolve({ signal, unlisten })
    })
  })
}

/** One thread's extension that throws, or asks the process to exit, must not end the others. */
function survive(fault: ProcessFault, note: (text: string) => void): void {
  const what = fault.kind === 'exit' ? 'an extension or a library asked the process to exit' : messageOf(fault.error)
  const stack = fault.kind === 'uncaught' && fault.error instanceof Error ? fault.error.stack : undefined
  log.error('something threw outside of any request: {what}', { what, stack })
  note(`something threw outside of any request, and the server goes on: ${what}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function serveRequest(options: ServeOptions, io: CliIo, note: (text: string) => void): Promise<ServeRequest> {
  const { run } = options
  const cwd = workingFolder(run.cwd, io)
  let answers: AnswerRules | undefined
  if (run.answersFile !== undefined)
    answers = await readAnswersFile(inFolder(run.answersFile, cwd, io), run.answersFile)
  const ledger = createDialogLedger({
    channel: 'lines',
    channelOpen: () => true,
    neverAsk: run.autoCancelDialogs,
    rules: answers,
    timeoutMs: run.dialogTimeoutMs,
    note,
  })
  // A server can always be asked: whoever comes next sees the open question.
  ledger.heardFrom()
  return {
    host: options.host,
    allowRemote: options.allowRemote,
    port: options.port,
    publicUrl: options.publicUrl,
    tokenFile: options.tokenFile === undefined ? undefined : inFolder(options.tokenFile, io.cwd, io),
    cwd,
    ...(run.script === undefined ? {} : { script: inFolder(run.script, cwd, io) }),
    takeOver: run.takeOver,
    idleMs: options.threadIdleMs,
    stall: { afterMs: options.stallAfterMs, cut: options.stallCut },
    guarding: { ...guardingOf(run, cwd, io), allowBypass: options.allowBypass },
    defaults: threadDefaults(run, cwd, io),
    dialogs: ledger.policy,
    clock: io.clock,
  }
}
