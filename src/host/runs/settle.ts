import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AgentSession, AgentSessionEvent } from '@mariozechner/pi-coding-agent'
import { eventsHandled } from '../pi-internals.js'

/** How long a run that the library promised to restart is waited for, in milliseconds. */
const RESTART_WAIT_MS = 1000
/** How often the state is looked at again while nothing tells of a change, in milliseconds. */
const POLL_MS = 25

/** Whether anything of a thread's session is still under way, and the one place that says it has come to rest. */
export interface Activity {
  /** Something that may still start work, from now until the returned function is called. */
  readonly hold: () => () => void
  /** A prompt was accepted, so its end has to be said. */
  readonly accepted: () => void
  /** Told of each event of the session. */
  readonly notice: (event: AgentSessionEvent) => void
  /** Work may have been queued: look again. */
  readonly wake: () => void
  readonly busy: () => boolean
  /** Resolves when the session has come to rest; at once when it is. */
  readonly atRest: () => Promise<void>
  /** Gives up waiting: says the end of what is owed although the session did not come to rest. */
  readonly force: () => void
}

export interface ActivityDeps {
  readonly session: AgentSession
  /** Called before `settled` is said: whatever is held back must be out first. */
  flush(): void
  /** Called once for each time of activity in which a prompt was accepted or a run was started. */
  settled(): void
  /** Messages wait but nothing runs: start a run for them. False leaves them waiting. */
  runQueued(): boolean
}

const STARTS_WORK: ReadonlySet<AgentSessionEvent['type']> = new Set([
  'agent_start',
  'compaction_start',
  'auto_retry_start',
])

/**
 * The library's `prompt()` and `abort()` return before their events are delivered, retries and compactions start from
 * timers, and a message queued in the last moment stays where it is. So rest is found by looking: every event handled,
 * the agent idle, no retry, no compaction, no restart promised, nothing queued, nobody about to prompt, and all of
 * that still true two turns of the event loop later.
 */
export function createActivity(deps: ActivityDeps): Activity {
  const { session } = deps
  let holds = 0
  let owed = false
  let round = 0
  let watching = false
  let restartBy = 0
  let waiters: (() => void)[] = []
  let wakeUp = (): void => undefined

  const working = (): boolean => session.isStreaming || session.isRetrying || session.isCompacting
  const restartDue = (): boolean => restartBy > 0 && Date.now() < restartBy

  async function change(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      wakeUp = resolve
      timer = setTimeout(resolve, POLL_MS)
    })
    clearTimeout(timer)
  }

  function end(): void {
    watching = false
    deps.flush()
    const say = owed
    owed = false
    if (say) deps.settled()
    const ready = waiters
    waiters = []
    for (const resolve of ready) resolve()
  }

  async function watch(mine: number): Promise<void> {
    const current = (): boolean => mine === round
    let calm = 0
    while (current() && calm < 2) {
      await eventsHandled(session)
      await session.agent.waitForIdle()
      if (!current()) return
      if (holds > 0 || working() || restartDue()) {
        calm = 0
        await change()
      } else if (session.agent.hasQueuedMessages() && deps.runQueued()) {
        calm = 0
        await change()
      } else {
        calm++
        await nextTurn()
      }
    }
    if (current()) end()
  }

  function begin(): void {
    wakeUp()
    if (watching) return
    watching = true
    round++
    void watch(round)
  }

  return {
    hold() {
      holds++
      begin()
      let held = true
      return () => {
        if (!held) return
        held = false
        holds--
        wakeUp()
      }
    },
    accepted() {
      owed = true
      begin()
    },
    notice(event) {
      if (event.type === 'agent_start') {
        owed = true
        restartBy = 0
      }
      if (event.type === 'compaction_end' && event.willRetry) restartBy = Date.now() + RESTART_WAIT_MS
      if (STARTS_WORK.has(event.type)) begin()
      else wakeUp()
    },
    wake: begin,
    busy: () => watching || working(),
    atRest: () => (watching ? new Promise((resolve) => void waiters.push(resolve)) : Promise.resolve()),
    force() {
      if (!watching) return
      round++
      end()
    },
  }
}
