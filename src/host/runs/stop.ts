import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { PendingDialogs } from '../dialogs/pending-dialogs.js'
import type { Activity } from './settle.js'
import { doneWithin } from './within-grace.js'

export interface Stop {
  /** Ends the run in flight and resolves when the session is at rest, or when the bound is over. */
  readonly stop: () => Promise<void>
  /** Starts a Stop from inside the run that is to be stopped. */
  readonly stopSoon: () => void
  readonly stopping: () => boolean
  /** Resolves when no Stop is under way. */
  readonly stopped: () => Promise<void>
}

export interface StopDeps {
  readonly session: AgentSession
  readonly activity: Activity
  readonly dialogs: PendingDialogs
  /** The most a Stop takes, in milliseconds; longer than the grace of a tool. */
  readonly boundMs: number
  /** Called first. */
  begins(): void
  /** The session did not come to rest within the bound: something in it ignores the Stop. */
  stuck(): void
}

/**
 * Ends everything a run may be in: its open questions first (a tool waits on them), then retry, compaction, request,
 * tools. No new question opens and no new run starts until it is over.
 */
export function createStop(deps: StopDeps): Stop {
  const { session, activity, dialogs } = deps
  let current: Promise<void> | undefined

  async function run(): Promise<void> {
    deps.begins()
    dialogs.abortAll()
    session.abortRetry()
    session.abortCompaction()
    session.abortBranchSummary()
    session.abortBash()
    session.agent.abort()
    if (await doneWithin(activity.atRest(), deps.boundMs)) return
    deps.stuck()
    activity.force()
  }

  function stop(): Promise<void> {
    if (current) return current
    const mine = Promise.resolve()
      .then(run)
      .finally(() => {
        current = undefined
      })
    current = mine
    dialogs.refuseUntil(mine)
    return mine
  }

  async function stopped(): Promise<void> {
    if (!current) return
    await current
    await stopped()
  }

  return {
    stop,
    stopSoon: () => void stop(),
    stopping: () => current !== undefined,
    stopped,
  }
}
