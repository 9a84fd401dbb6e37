import { type AbortCause, EnsoError, ensoLogger, type LimitHit } from '../../core/index.js'
import type { EarlyEnd } from './run-result.js'
import type { ProcessFault } from './run-process.js'

const log = ensoLogger('host', 'run')

/** How a process is told to end before its runs have. */
export interface RunEnding {
  stop(cause: AbortCause): void
  limit(hit: LimitHit): void
  /** Something was thrown: a fault of the environment by its code, anything else as a fault in one sentence. */
  fail(error: unknown): void
  fault(fault: ProcessFault): void
  isCalled(): boolean
  /** Resolves when one of the above has been called. */
  readonly called: Promise<void>
  /** The causes so far; the first of each kind. */
  causes(): EarlyEnd
}

/** @param logsDir where a person finds more about a fault of ours */
export function createRunEnding(logsDir: string): RunEnding {
  let causes: EarlyEnd = {}
  let resolve: () => void
  const called = new Promise<void>((resolved) => {
    resolve = resolved
  })
  let isCalled = false
  // What was said first stands: a fault that the stopping itself provokes is logged and is not the outcome.
  const call = (cause: EarlyEnd): void => {
    if (isCalled) return
    causes = cause
    isCalled = true
    resolve()
  }
  const failed = (message: string, error: unknown): void => {
    log.error('the run failed: {message}', { message, stack: error instanceof Error ? error.stack : undefined })
    call({ failed: message, hint: `the log in ${logsDir} says more` })
  }
  const fail = (error: unknown): void => {
    if (!(error instanceof EnsoError)) return failed(`internal error: ${messageOf(error)}`, error)
    const { code, message, hint } = error
    log.error('the run ended by a fault: {message}', { code, message })
    call({ fault: { code, message }, hint })
  }

  return {
    stop: (cause) => call({ aborted: cause }),
    limit: (hit) => call({ limit: hit }),
    fail,
    fault(fault) {
      if (fault.kind === 'exit')
        failed(`an extension or a library ended the process (exit code ${fault.code})`, undefined)
      else if (fault.error instanceof EnsoError) fail(fault.error)
      else failed(`something threw outside of any request: ${messageOf(fault.error)}`, fault.error)
    },
    isCalled: () => isCalled,
    called,
    causes: () => causes,
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
