import { ENSO_ABORT_EXIT_CODES, type EnsoResultLine } from '../../core/index.js'
import type { CliIo } from '../io.js'
import { lostOutput, lostOutputReason } from '../lost-output.js'
import type { CliParts } from '../parts.js'
import { logRunBegin, logRunEnd } from './run-log.js'
import { createRun, type Run } from './run.js'
import type { RequestSource } from './run-door.js'
import type { RunOptions } from './run-options.js'
import type { RunHold } from './run-process.js'
import { onStopSignals, type StopSignal } from './run-signals.js'
import type { RunVoice } from './run-voice.js'
import { runVoice } from './choose-voice.js'
import { within } from './within.js'

/** How long a reader that takes nothing is waited for once the run was stopped, in milliseconds. */
const STUCK_READER_MS = 5000

/** What another command may bring to a run instead of what its options say. */
export interface RunExtra {
  readonly voice?: RunVoice
  readonly source?: RequestSource
}

/**
 * One thread from its prompt to its end, whatever way it speaks: text, JSON lines, or one result.
 *
 * Says exactly one result on every way out, and answers the exit code. Never throws: what goes wrong is the result.
 */
export async function runThread(
  options: RunOptions,
  io: CliIo,
  parts: CliParts,
  extra: RunExtra = {},
): Promise<number> {
  const endLog = await parts.startLog(options.logLevel)
  logRunBegin({ version: parts.version, cwd: options.cwd, model: options.model })
  const voice = extra.voice ?? (await runVoice(options, io, parts.home.tmpDir))
  const run = createRun({ options, io, parts, voice, given: extra.source })
  let written = false
  let escape: (exitCode: number) => void = () => undefined
  const escaped = new Promise<number>((resolve) => {
    escape = resolve
  })
  const hold = parts.runProcess?.hold({
    fault: run.ending.fault,
    lastLine: () => (written ? '' : voice.lastLine(run.result())),
  })
  // The first signal stops the run; one that comes while it stops, or while its last word waits for a reader, ends it.
  const unlisten = onStopSignals(io.signals, (signal) => {
    if (signal === 'SIGINT' && !written && run.interrupt()) return
    if (!written && !run.ending.isCalled()) return run.ending.stop(signal)
    const exitCode = exitCodeNow(run, signal)
    hold?.endNow(exitCode)
    escape(exitCode)
  })
  voice.surface.onClosed(() => stdoutLost(io, run))

  const toTheEnd = async (): Promise<number> => {
    await run.go()
    await endProcesses(hold, voice)
    const result = run.result()
    written = true
    if (!io.stdout.destroyed) await lastWord(voice, result, io, run.ending.isCalled())
    return result.exitCode
  }
  const exitCode = await Promise.race([toTheEnd(), escaped])
  unlisten()
  logRunEnd({ ...run.result(), exitCode })
  await endLog()
  hold?.release()
  return exitCode
}

/** An exit code for a process that ends before its run could say one. */
function exitCodeNow(run: Run, signal: StopSignal): number {
  return run.ending.causes().aborted === undefined ? ENSO_ABORT_EXIT_CODES[signal] : run.result().exitCode
}

/** Standard output takes nothing more: its reader left, which is a Stop, or it failed, which is a fault. */
function stdoutLost(io: CliIo, run: Run): void {
  const lost = lostOutput(io)
  if (lost?.kind === 'failed') run.ending.fail(new Error(lostOutputReason(lost.code)))
  else run.ending.stop('stdout-closed')
}

async function endProcesses(hold: RunHold | undefined, { surface }: RunVoice): Promise<void> {
  const left = (await hold?.reap()) ?? []
  if (left.length > 0) surface.note(`processes that could not be ended: ${left.join(', ')}`)
}

/** Writes the result. A run that ended by itself waits for its reader as long as that takes. */
async function lastWord({ surface }: RunVoice, result: EnsoResultLine, io: CliIo, stopped: boolean): Promise<void> {
  const said = surface.result(result)
  if (stopped) await within(io.clock, STUCK_READER_MS, said)
  else await said
}
