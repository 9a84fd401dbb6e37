import type { EnsoFollowFrame } from '../core/index.js'
import type { ThreadClock } from './clock.js'
import { type BatchSink, createBatchFollower, type Follower } from './follower.js'
import { batchOf, createFrameBatches, type FrameBatch } from './frame-batches.js'
import { type SharedFrame, shareFrame } from './shared-frame.js'

/** A feed's followers that take frames in batches: one and the same batch for all of them. */
export interface BatchedFollowers {
  /** `after` is the number of the last observation before the frame. */
  push(shared: SharedFrame, after: number): void
  /** Adds a follower and gives it `snapshot()`, which is as of `seq`; what others still wait for is in it. */
  join(sink: BatchSink, seq: number, snapshot: () => EnsoFollowFrame): Follower<FrameBatch>
  count(): number
  /** Hands over what is being gathered, and ends every follow. */
  close(): void
}

/** Nobody follows yet. `onGone` is told when somebody does no more. */
export function createBatchedFollowers(turns: ThreadClock, onGone: () => void): BatchedFollowers {
  /** Replaced, never changed. */
  let followers: readonly Follower<FrameBatch>[] = []
  /** What those who join in this turn open with, as long as nothing is said. */
  let opening: FrameBatch | undefined
  const batches = createFrameBatches(turns, (batch) => {
    for (const follower of followers) follower.send(batch)
  })

  /** A server that comes back has all its readers at once: their snapshot is made and serialised for all together. */
  function openingOf(snapshot: EnsoFollowFrame, seq: number): FrameBatch {
    const batch = batchOf(shareFrame(snapshot), seq)
    opening = batch
    turns.after(0, () => {
      if (opening === batch) opening = undefined
    })
    return batch
  }

  return {
    push: (shared, after) => {
      opening = undefined
      if (followers.length > 0) batches.push(shared, after)
    },
    join: (sink, seq, snapshot) => {
      const follower = createBatchFollower(sink, () => {
        followers = followers.filter((other) => other !== follower)
        onGone()
      })
      batches.flush()
      const first = opening ?? openingOf(snapshot(), seq)
      followers = [...followers, follower]
      follower.send(first)
      return follower
    },
    count: () => followers.length,
    close: () => {
      batches.flush()
      for (const follower of followers) follower.end('closed')
    },
  }
}
