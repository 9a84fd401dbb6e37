import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { mayHaveHadChildren, reapRun, reapRunNow, RUN_MARK, runMark, type RunTrace } from '../../system/reap.js'
import { reapStaleRuns, removeRunRecord, type StaleRuns, writeRunRecord } from '../../system/run-records.js'
import { ensoLogger } from '../../core/log.js'
import type { RealStdout } from './real-stdout.js'

/** Something that would have ended the process without asking the run. */
export type ProcessFault =
  | { readonly kind: 'uncaught'; readonly error: unknown }
  /** Code that isn't ours asked the process to exit. */
  | { readonly kind: 'exit'; readonly code: number }

/** What a run gives the process to hold on to while it goes. */
export interface RunKeeper {
  /** Told of everything that would have ended the process; the run ends in order instead. */
  fault(fault: ProcessFault): void
  /** The last line for a process that ends at once; '' when there is none, or it has been written. */
  lastLine(exitCode: number): string
}

/** A run's hold on its process. */
export interface RunHold {
  /** Ends every process the run has started; @returns those that could not be ended. */
  reap(): Promise<readonly number[]>
  /** Says the last line, kills what the run has started and ends the process: for a second signal. */
  endNow(exitCode: number): void
  /** The run is over: the process may end by itself again. */
  release(): void
}

/** The process around a run, as the run sees it. */
export interface RunProcess {
  hold(keeper: RunKeeper): RunHold
  /** Ends what killed runs have left behind. */
  reapStale(): Promise<StaleRuns>
}

export interface RunProcessOptions {
  readonly stdout: RealStdout
  /** Children that were started, by their ids; calls back when one more is. */
  readonly guardChildren: (started: () => void) => { children(): Iterable<number>; undo(): void }
  /** Where records of runs are kept, so that a killed one can be cleaned up after. */
  readonly recordDir: string
}

/** How long processes of a run have to end by themselves when asked, in milliseconds. */
const REAP_GRACE_MS = 300
/** How long the last line of a process that ends at once may wait for its reader, in milliseconds. */
const LAST_LINE_PATIENCE_MS = 300
/** Longer than any run: a timer that only keeps the process alive, since an open question alone does not. */
const KEEP_ALIVE_MS = 2 ** 30

const log = ensoLogger('host', 'process')

/** Thrown at code that called `process.exit`, so that it does not go on. */
const EXIT_REFUSED = new Error('process.exit was called: the run ends instead')

/** The real process: its faults, its children, its end. Takes child processes under guard at once. */
export function createRunProcess({ stdout, guardChildren, recordDir }: RunProcessOptions): RunProcess {
  let recorded: string | undefined
  let current: string | undefined
  const guard = guardChildren(() => {
    if (current === undefined || recorded === current) return
    recorded = current
    try {
      writeRunRecord(recordDir, current)
    } catch (error) {
      log.warn('the record of this run can’t be written: {error}', { error: String(error) })
    }
  })

  function hold(keeper: RunKeeper): RunHold {
    const runId = randomBytes(8).toString('hex')
    const trace: RunTrace = { runId, root: process.pid, children: guard.children() }
    const outerMark = process.env[RUN_MARK]
    process.env[RUN_MARK] = runMark(outerMark, runId)
    current = runId
    const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS)
    const exit = process.exit.bind(process)
    let released = false

    const onUncaught = (error: unknown): void => {
      if (error !== EXIT_REFUSED) keeper.fault({ kind: 'uncaught', error })
    }
    const lastRites = (exitCode: number): void => {
      stdout.finishNow(keeper.lastLine(exitCode), LAST_LINE_PATIENCE_MS)
      reapRunNow(trace)
      forget()
    }
    const forget = (): void => {
      if (recorded === runId) removeRunRecord(recordDir, runId)
    }
    // The process ends although nobody asked us: something went around process.exit.
    const onExit = (code: number): void => {
      const exitCode = code === 0 ? 1 : code
      process.exitCode = exitCode
      lastRites(exitCode)
    }
    const release = (): void => {
      if (released) return
      released = true
      clearInterval(keepAlive)
      process.exit = exit
      process.off('uncaughtException', onUncaught).off('unhandledRejection', onUncaught).off('exit', onExit)
      if (outerMark === undefined) delete process.env[RUN_MARK]
      else process.env[RUN_MARK] = outerMark
      current = undefined
      forget()
    }

    process.on('uncaughtException', onUncaught).on('unhandledRejection', onUncaught).on('exit', onExit)
    process.exit = (code?: number | string | null): never => {
      keeper.fault({ kind: 'exit', code: Number(code ?? process.exitCode ?? 0) })
      throw EXIT_REFUSED
    }

    return {
      // Looking through all processes takes as long as all the rest of a short run's end.
      reap: () => (mayHaveHadChildren() ? reapRun(trace, REAP_GRACE_MS) : Promise.resolve([])),
      endNow(exitCode) {
        lastRites(exitCode)
        release()
        exit(exitCode)
      },
      release,
    }
  }

  return { hold, reapStale: () => reapStaleRuns(recordDir) }
}

/** Where the records of runs are, in a home. */
export const runRecordDir = (ensoHomeRoot: string): string => join(ensoHomeRoot, 'run')
