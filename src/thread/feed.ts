import { type EnsoFollowFrame, type EnsoFollowStatus, type EnsoObservation } from '../core/index.js'
import { capToolResult } from './cap-tool-result.js'
import type { ThreadClock } from './clock.js'
import { createDeltaCoalescer } from './delta-coalescer.js'
import { createFollower, type Follower, type FollowHandle, type FollowOverflow, type FollowSink } from './follower.js'
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
  follow(sink: FollowSink, options: FollowOptions, snapshot: () => EnsoFollowFrame): FollowHandle
  followerCount(): number
  /** The runtime is gone: what it left half said is sent or dropped. */
  endRuntime(): void
  /** Ends every follow. */
  close(): void
}

export interface FollowOptions {
  readonly overflow: FollowOverflow
  /** Bytes that may wait for a follower that is dropped when behind; the feed's default when absent. */
  readonly maxPendingBytes?: number | undefined
}

export interface FeedOptions {
  readonly clock: ThreadClock
  /** Told of every frame in order, before any follower is. */
  readonly onFrame: (frame: EnsoFollowFrame) => void
  readonly onFollowerGone?: () => void
}

/**
 * Neighbouring deltas are joined, running tools' text is thinned out and large results are cut, before `seq` is given:
 * every follower sees the same numbered observations. Observations that arrive while one is being handed out (a
 * follower that answers at once) wait their turn, so the order is the same for all.
 */
export function createFeed({ clock, onFrame, onFollowerGone }: FeedOptions): Feed {
  let seq = 0
  /** Replaced, never changed: a frame goes to those who followed when it was made. */
  let followers: readonly Follower[] = []
  const outbox: { readonly shared: SharedFrame; readonly to: readonly Follower[] }[] = []
  let delivering = false
  const deltas = createDeltaCoalescer(clock, number)
  const running = createRunningTools(clock, (observation) => {
    deltas.flush()
    number(observation)
  })

  function number(observation: EnsoObservation): void {
    seq++
    deliver({ type: 'observation', seq, observation })
  }

  function deliver(frame: EnsoFollowFrame): void {
    onFrame(frame)
    outbox.push({ shared: shareFrame(frame), to: followers })
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

  function follow(sink: FollowSink, options: FollowOptions, snapshot: () => EnsoFollowFrame): FollowHandle {
    const follower = createFollower(sink, {
      ...options,
      onOver: () => {
        followers = followers.filter((other) => other !== follower)
        onFollowerGone?.()
      },
    })
    const first = snapshot()
    followers = [...followers, follower]
    follower.send(shareFrame(first))
    return { resume: () => follower.resume(), close: () => follower.close() }
  }

  return {
    observe,
    status: (status) => {
      deltas.flush()
      deliver(status)
    },
    seq: () => seq,
    follow,
    followerCount: () => followers.length,
    endRuntime: () => {
      deltas.flush()
      deltas.reset()
      running.reset()
    },
    close: () => {
      deltas.flush()
      for (const follower of followers) follower.end('closed')
    },
  }
}
