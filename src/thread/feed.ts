import { type EnsoFollowFrame, type EnsoFollowStatus, type EnsoObservation } from '../core/index.js'
import { createBatchedFollowers } from './batched-followers.js'
import { capToolResult } from './cap-tool-result.js'
import type { ThreadClock } from './clock.js'
import { createDeltaCoalescer } from './delta-coalescer.js'
import { type BatchSink, createFollower, type Follower, type FollowHandle, type FollowSink } from './follower.js'
import { TURNS } from './frame-batches.js'
import { createRunningTools } from './running-tools.js'
import { type SharedFrame, shareFrame } from './shared-frame.js'

/** A thread's observations in order, numbered, and whoever reads them. Outlives the runtime. */
export interface Feed {
  /** Takes an observation: thins it out, numbers what remains, and hands it to every follower. */
  observe(observation: EnsoObservation): void
  /** Says the thread's status. It has no number; it stands after everything observed before it. */
  status(status: EnsoFollowStatus): void
  /** The number of the last observation that went out; 0 before the first. */
  seq(): number
  /** Adds a follower and gives it `snapshot()` as its first frame, in one step: nothing falls between the two. */
  follow(sink: FollowSink, snapshot: () => EnsoFollowFrame): FollowHandle
  /** The same for a follower that takes frames in batches, and is dropped when it is too far behind. */
  followBatched(sink: BatchSink, snapshot: () => EnsoFollowFrame): FollowHandle
  followerCount(): number
  /** The runtime is gone: what it left half said is sent or dropped. */
  endRuntime(): void
  /** Ends every follow. */
  close(): void
}

export interface FeedOptions {
  readonly clock: ThreadClock
  /** Told of every frame in order, before any follower is. */
  readonly onFrame: (frame: EnsoFollowFrame) => void
  readonly onFollowerGone?: () => void
  /** Where the thread's feed stood before; 0 when absent. */
  readonly seq?: number | undefined
  /** By which batches are gathered; real time when absent. */
  readonly turns?: ThreadClock
}

/**
 * Neighbouring deltas are joined, running tools' text is thinned out and large results are cut, before `seq` is given:
 * every follower sees the same numbered observations. Observations that arrive while one is being handed out (a
 * follower that answers at once) wait their turn, so the order is the same for all.
 */
export function createFeed({ clock, onFrame, onFollowerGone, seq: before = 0, turns = TURNS }: FeedOptions): Feed {
  let seq = before
  /** Replaced, never changed: a frame goes to those who followed when it was made. */
  let followers: readonly Follower[] = []
  const batched = createBatchedFollowers(turns, () => onFollowerGone?.())
  const outbox: { readonly shared: SharedFrame; readonly to: readonly Follower[] }[] = []
  let delivering = false
  const deltas = createDeltaCoalescer(clock, number)
  const running = createRunningTools(clock, (observation) => {
    deltas.flush()
    number(observation)
  })

  function number(observation: EnsoObservation): void {
    seq++
    deliver({ type: 'observation', seq, observation }, seq - 1)
  }

  function deliver(frame: EnsoFollowFrame, after: number): void {
    onFrame(frame)
    const shared = shareFrame(frame)
    batched.push(shared, after)
    outbox.push({ shared, to: followers })
    if (delivering) return
    delivering = true
    try {
      for (let next = outbox.shift(); next !== undefined; next = outbox.shift()) {
        for (const follower of next.to) follower.send(next.shared)
      }
    } finally {
      delivering = false
    }
  }

  function observe(observation: EnsoObservation): void {
    switch (observation.kind) {
      case 'text-delta':
      case 'thinking-delta':
        deltas.push(observation)
        return
      case 'tool-result':
        if (!observation.complete) {
          running.push(observation)
          return
        }
        running.done(observation.toolCallId)
        deltas.flush()
        number(capToolResult(observation))
        return
      case 'message-start':
        deltas.endMessage(undefined)
        break
      case 'message-end':
        deltas.endMessage(observation.usage)
        break
      case 'settled':
        running.reset()
        deltas.flush()
        break
      default:
        deltas.flush()
    }
    number(observation)
  }

  function follow(sink: FollowSink, snapshot: () => EnsoFollowFrame): FollowHandle {
    const follower = createFollower(sink, () => {
      followers = followers.filter((other) => other !== follower)
      onFollowerGone?.()
    })
    const first = snapshot()
    followers = [...followers, follower]
    follower.send(shareFrame(first))
    return handleOf(follower)
  }

  return {
    observe,
    status: (status) => {
      deltas.flush()
      deliver(status, seq)
    },
    seq: () => seq,
    follow,
    followBatched: (sink, snapshot) => handleOf(batched.join(sink, seq, snapshot)),
    followerCount: () => followers.length + batched.count(),
    endRuntime: () => {
      deltas.flush()
      deltas.reset()
      running.reset()
    },
    close: () => {
      deltas.flush()
      for (const follower of followers) follower.end('closed')
      batched.close()
    },
  }
}

function handleOf(follower: Pick<Follower, 'resume' | 'close'>): FollowHandle {
  return { resume: () => follower.resume(), close: () => follower.close() }
}
