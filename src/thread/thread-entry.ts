import {
  createEventTail,
  ensoLogger,
  type EnsoFollowFrame,
  type EnsoObservation,
  type EventTail,
  type HostedThread,
  type ObservedEvent,
} from '../core/index.js'
import type { ThreadClock } from './clock.js'
import { createFeed, type Feed } from './feed.js'
import { createInFlight, type InFlight } from './in-flight.js'
import { createLease, type Lease, type LeaseEvents } from './lease.js'
import { ownNotice } from './own-notice.js'
import { createPrompts, type Prompts } from './prompts.js'
import { createRetryWait, type RetryWait } from './retry-wait.js'
import { createRunLog } from './run-log.js'
import { createRuntimeLife, type RuntimeLife, type RuntimeLifeDeps } from './runtime-life.js'

const log = ensoLogger('server', 'thread')

/** One thread in this process: its feed, its lease, and its runtime while it is live. */
export interface ThreadEntry {
  readonly threadId: string
  readonly clock: ThreadClock
  readonly feed: Feed
  readonly lease: Lease
  readonly prompts: Prompts
  readonly life: RuntimeLife
  readonly inFlight: InFlight
  readonly retry: RetryWait
  readonly tail: EventTail
  /** The live runtime, unless it is being closed. */
  hosted(): HostedThread | undefined
  /** Says an observation of ours on the feed. */
  publish(observation: EnsoObservation): void
  /**
   * Listens to the runtime from here on. What it observed before anybody listened is returned, for `hear`, and not yet
   * said; nothing when it is listened to already.
   */
  listen(): readonly EnsoObservation[]
  /** Takes an observation of the runtime. */
  hear(observation: EnsoObservation): void
  /** Listens, and hears what was observed before. Before a lease is taken: what was held belongs to none. */
  hearHeld(): void
  /** Something is under way that no lease shows (a login); the returned function says that it is over. */
  flowBegan(): () => void
  /** Milliseconds since the epoch. */
  lastActivityAt(): number
}

/** How far a thread has come in this process: what is kept of one that holds nothing. */
export interface ThreadStanding {
  readonly seq: number
  readonly generation: number
}

export interface ThreadEntryDeps extends RuntimeLifeDeps {
  /** The runtime is closed and gone. */
  readonly onClosed: (hosted: HostedThread) => void
  readonly onFollowerGone: () => void
  /** After `onClosed`, when everything has been said of it. */
  readonly onGone: () => void
  /** Where the thread stood when its last entry was let go. */
  readonly stood?: ThreadStanding | undefined
  /** Told of each observation as it goes out, before any follower is; must not throw. */
  readonly observed?: ((event: ObservedEvent) => void) | undefined
}

/** An entry for a thread, with nothing built. */
export function createThreadEntry(threadId: string, deps: ThreadEntryDeps): ThreadEntry {
  const { clock, idleMs, stood } = deps
  let unsubscribe: (() => void) | undefined
  const flows = new Set<symbol>()
  let activityAt = clock.now()

  const now = (): number => clock.now()
  const publish = (observation: EnsoObservation): void => feed.observe(observation)
  const tail = createEventTail(now)
  const runLog = createRunLog(threadId, now)
  const inFlight = createInFlight(() => life.current()?.entries() ?? [])
  const retry = createRetryWait(now)
  const feed = createFeed({ clock, onFrame, onFollowerGone: deps.onFollowerGone, seq: stood?.seq })
  const leaseEvents: LeaseEvents = {
    publish,
    status,
    acquired: () => runLog.acquired(),
    released: () => {
      life.rest()
      prompts.next()
    },
  }
  const lease = createLease(threadId, idleMs, leaseEvents, stood?.generation)
  const prompts = createPrompts({ threadId, lease, publish, runtime: () => hosted()?.runtime })
  const life = createRuntimeLife(threadId, deps, {
    opened: () => {
      status()
      if (feed.followerCount() > 0) hearHeld()
    },
    isResting: (thread) =>
      lease.held() === undefined && flows.size === 0 && !thread.isBusy() && thread.runtime.openDialogs().length === 0,
    lost: (error) => {
      log.error('the lock was lost: {error}', { threadId, error: error.message })
      // Not at once: this is called from within an append.
      setImmediate(() => {
        feed.observe(ownNotice('enso-lock-lost', error.message, 'error'))
        void life.close()
      })
    },
    closed: () => {
      unsubscribe?.()
      unsubscribe = undefined
      feed.endRuntime()
      inFlight.reset()
      retry.reset()
      flows.clear()
      prompts.abandon('the thread was closed')
      const held = lease.held()
      if (held !== undefined) lease.end(held, { kind: 'settled' })
      const gone = life.current()
      if (gone !== undefined) deps.onClosed(gone)
    },
    gone: () => {
      status()
      deps.onGone()
    },
  })

  function hosted(): HostedThread | undefined {
    return life.isClosing() ? undefined : life.current()
  }

  function status(): void {
    feed.status({
      type: 'status',
      generation: lease.generation(),
      busy: lease.held() !== undefined,
      live: life.current() !== undefined,
    })
  }

  function onFrame(frame: EnsoFollowFrame): void {
    activityAt = clock.now()
    const isFollowed = feed.followerCount() > 0
    if (frame.type !== 'observation') {
      if (isFollowed) tail.record({ kind: frame.type }, 'sent')
      return
    }
    const { seq, observation } = frame
    if (isFollowed) tail.record(observation, 'sent')
    inFlight.observe(observation)
    retry.observe(observation)
    deps.observed?.({ threadId, generation: lease.generation(), seq, observation })
  }

  function listen(): readonly EnsoObservation[] {
    const thread = hosted()
    if (unsubscribe !== undefined || thread === undefined) return []
    const held: EnsoObservation[] = []
    let replaying = true
    unsubscribe = thread.runtime.subscribe((observation) => {
      if (replaying) held.push(observation)
      else hear(observation)
    })
    replaying = false
    return held
  }

  function hearHeld(): void {
    for (const observation of listen()) hear(observation)
  }

  function hear(observation: EnsoObservation): void {
    const held = lease.held()
    switch (observation.kind) {
      case 'settled':
        // The end of a run nobody holds the lease for: everything that could be said of it has been.
        if (held?.kind === 'run') lease.end(held, observation)
        return
      case 'turn-start':
        if (held === undefined) lease.acquire('run', true)
        else if (held.kind === 'run') prompts.opened(held)
    }
    runLog.observe(observation, lease.generation())
    feed.observe(observation)
  }

  return {
    threadId,
    clock,
    feed,
    lease,
    prompts,
    life,
    inFlight,
    retry,
    tail,
    hosted,
    publish,
    listen,
    hear,
    hearHeld,
    flowBegan: () => {
      const flow = Symbol('flow')
      flows.add(flow)
      return () => {
        if (flows.delete(flow)) life.rest()
      }
    },
    lastActivityAt: () => activityAt,
  }
}
